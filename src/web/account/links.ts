import type { ConfirmationDetails } from '#src/contract/confirmation.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'

const { apps, text } = texts.account

/** The link back to the first page. */
export const backLink = (language: Language): Html =>
  html`<p class="quiet"><a href="/account">${fill(text.back, language)}</a></p>`

/** The pending approvals of a person, each with its link and the name of the operation in the API. */
export const waitingList = (
  waiting: readonly ConfirmationDetails[],
  language: Language,
): Html => html`<ul class="list menu">
${waiting.map(
  ({ id, summary, client }) =>
    html`<li><a href="/account/confirmations/${id}"><span lang="en">${summary}</span></a><bdi class="quiet">${client.name === '' ? fill(apps.unnamed, language) : client.name}</bdi></li>
`,
)}</ul>`
