import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { backLink } from '#src/web/account/index.ts'
import { framed } from '#src/web/page/index.ts'
import { staffText as text } from './text.ts'

/** The page for people who may not use a page of the staff; `words` say who may. */
export const notForYouPage = (school: School, language: Language, words: Phrase = text.notForYou.text): Reply =>
  framed({
    school,
    language,
    status: 403,
    title: fill(text.notForYou.title, language),
    body: html`<p>${fill(words, language)}</p>
${backLink(language)}`,
  })
