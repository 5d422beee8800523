import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { backLink, framed } from '#src/web/account/index.ts'
import { staffText as text } from './text.ts'

/** The page for people who are not staff, or not owners. */
export const notForYouPage = (school: School, language: Language, whose: 'staff' | 'owners'): Reply =>
  framed({
    school,
    language,
    status: 403,
    title: fill(text.notForYou[whose].title, language),
    body: html`<p>${fill(text.notForYou[whose].text, language)}</p>
${backLink(language)}`,
  })
