import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { backLink } from '#src/web/account/index.ts'
import { framed } from '#src/web/page/index.ts'
import { teachingText } from './text.ts'

const { notTeaching: text } = teachingText

/** The page for people who teach no course and are not staff. */
export const notTeachingPage = (school: School, language: Language): Reply =>
  framed({
    school,
    language,
    status: 403,
    title: fill(text.title, language),
    body: html`<p>${fill(text.text, language)}</p>
${backLink(language)}`,
  })
