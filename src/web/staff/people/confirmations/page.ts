import type { ConfirmationDetails } from '#src/contract/confirmation.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { html } from '#src/kit/html.ts'
import { waitingList } from '#src/web/account/index.ts'
import { framed } from '#src/web/page/index.ts'
import { staffLink } from '../../pages/link.ts'
import { staffText } from '../../pages/text.ts'

const { confirmations: text } = staffText

/** The requests of apps that wait for the person's approval. */
export const confirmationsPage = (school: School, language: Language, waiting: readonly ConfirmationDetails[]): Reply =>
  framed({
    school,
    language,
    title: fill(text.title, language),
    body: html`<p>${fill(waiting.length === 0 ? text.none : text.intro, language)}</p>
${waiting.length > 0 && waitingList(waiting, language)}
${staffLink(language)}`,
  })
