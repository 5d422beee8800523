import type { ConfirmationDetails } from '#src/contract/confirmation.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, framed, timeOf } from '#src/web/page/index.ts'
import { confirmationText as text } from './confirmation-text.ts'

type ConfirmationView = {
  readonly school: School
  readonly language: Language
  readonly person: Session['member']
  readonly token: string
  readonly confirmation: ConfirmationDetails
}

const effectsOf = ({ confirmation, language }: ConfirmationView): Html => {
  const phrases = confirmation.effects.flatMap(({ effects = {} }) => Object.values(effects))
  return html`<ul>${phrases.map(phrase => html`<li>${phrase[language]}</li>`)}</ul>`
}

const facts = (view: ConfirmationView, client: string): Html => {
  const { language, school, person, confirmation } = view
  const { params, summary, expiresAt } = confirmation
  const voucher = fill(confirmation.client.isPreRegistered ? text.verified : text.notVerified, language)
  return html`<dl>
<dt>${fill(text.school, language)}</dt><dd><bdi>${school.name}</bdi> (${new URL(school.baseUrl).host})</dd>
<dt>${fill(text.signedInAs, language)}</dt><dd><bdi>${person.name}</bdi> (<bdi>${person.email}</bdi>)</dd>
<dt>${fill(text.app, language)}</dt><dd><bdi>${client}</bdi> <strong>(${voucher})</strong></dd>
<dt>${fill(text.operation, language)}</dt><dd lang="en">${summary}</dd>
${params.length > 0 && html`<dt>${fill(text.things, language)}</dt><dd class="quiet">${params.join(', ')}</dd>`}
<dt>${fill(text.effects, language)}</dt><dd>${effectsOf(view)}</dd>
<dt>${fill(text.until, language)}</dt><dd>${timeOf(expiresAt, language, person)}</dd>
</dl>`
}

const pendingPage = (view: ConfirmationView, title: string, client: string): Reply => {
  const { language, token, confirmation } = view
  const buttons = html`<div class="buttons">
<button class="main" type="submit" name="decision" value="approve">${fill(text.approve, language)}</button>
<button type="submit" name="decision" value="reject">${fill(text.reject, language)}</button>
</div>`
  return framed({
    school: view.school,
    language,
    title,
    body: html`${facts(view, client)}
<p class="note">${fill(text.warning, language)}</p>
${formOf(`/account/confirmations/${confirmation.id}`, token, buttons)}`,
  })
}

/** The page on which a person approves or rejects the request of an app, and sees the result. */
export const confirmationPage = (view: ConfirmationView): Reply => {
  const { language, confirmation } = view
  const { status, refusalCode, summary } = confirmation
  const client = confirmation.client.name === '' ? fill(text.unnamed, language) : confirmation.client.name
  if (status === 'pending') return pendingPage(view, fill(text.title, language, { client }), client)
  const why = html`<p>${fill(text.problem, language)}: <a href="/problems/${refusalCode ?? ''}"><code>${refusalCode ?? ''}</code></a></p>`
  return framed({
    school: view.school,
    language,
    title: fill(text.decided[status], language),
    status: 200,
    notice: { text: fill(text.statuses[status], language), kind: status === 'approved' ? 'done' : 'refused' },
    body: html`<p class="quiet">${client}: <span lang="en">${summary}</span></p>
${refusalCode !== undefined && why}
<p><a href="/account">${fill(text.account, language)}</a></p>`,
  })
}
