import type { Role } from '#src/contract/caller.ts'
import type { ConfirmationDetails } from '#src/contract/confirmation.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'

const { apps, order, text } = texts.account

/** The link back to the first page. */
export const backLink = (language: Language): Html =>
  html`<p class="quiet"><a href="/account">${fill(text.back, language)}</a></p>`

/** The offer to choose a password, for somebody who has none; who teaches or manages the school cannot sign in without one. */
export const passwordOffer = (
  { role }: { readonly role: Role },
  language: Language,
): Html => html`<section class="card">
<p>${fill(role === 'member' ? order.password : order.passwordNeeded, language)}</p>
<p class="buttons"><a class="button" href="/account/reset">${fill(order.choosePassword, language)}</a></p>
</section>
`

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
