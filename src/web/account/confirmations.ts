import type { ConfirmationDetails } from '#src/contract/confirmation.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formKept, formRefused, notFound } from '#src/contract/problems.ts'
import { lockSession } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, page, redirect } from '#src/web/page/index.ts'
import { type AccountContext, recentOwner } from './parts.ts'

const { confirmation: text, confirmations: refusals } = texts.account

const readId = ({ params }: AccountContext): string => params.id ?? ''

// The request of another person gets the same response as an unknown one.
const nothing = (): Refusal => new Refusal(notFound, refusals.nothing.thereIsNoSuchRequest)

const facts = (confirmation: ConfirmationDetails, client: string, context: AccountContext): Html => {
  const { t, time, school, viewer } = context
  const { params, summary, expiresAt, effects } = confirmation
  const voucher = t(confirmation.client.isPreRegistered ? texts.words.verifiedBySchool : text.notVerified)
  const phrases = effects.flatMap(one => Object.values(one.effects ?? {}))
  return html`<dl>
<dt>${t(texts.words.school)}</dt><dd><bdi>${school.name}</bdi> (${new URL(school.siteOrigin).host})</dd>
<dt>${t(texts.words.signedInAs)}</dt><dd><bdi>${viewer.name}</bdi> (<bdi>${viewer.email}</bdi>)</dd>
<dt>${t(texts.words.app)}</dt><dd><bdi>${client}</bdi> <strong>(${voucher})</strong></dd>
<dt>${t(text.operation)}</dt><dd lang="en">${summary}</dd>
${params.length > 0 && html`<dt>${t(text.things)}</dt><dd class="quiet">${params.join(', ')}</dd>`}
<dt>${t(text.effects)}</dt><dd><ul>${phrases.map(phrase => html`<li>${t(phrase)}</li>`)}</ul></dd>
<dt>${t(text.until)}</dt><dd>${time(expiresAt)}</dd>
</dl>`
}

const showPending = (confirmation: ConfirmationDetails, client: string, context: AccountContext): Reply => {
  const { t, form, frame } = context
  const buttons = html`<div class="buttons">
<button class="main" type="submit" name="decision" value="approve">${t(texts.words.approve)}</button>
<button type="submit" name="decision" value="reject">${t(text.reject)}</button>
</div>`
  return frame({
    title: t(text.title, { client }),
    body: html`${facts(confirmation, client, context)}
<p class="note">${t(text.warning)}</p>
${form(buttons)}`,
  })
}

const show = (confirmation: ConfirmationDetails, context: AccountContext): Reply => {
  const { t, frame } = context
  const { status, refusalCode, summary } = confirmation
  const client = confirmation.client.name === '' ? t(text.unnamed) : confirmation.client.name
  if (status === 'pending') return showPending(confirmation, client, context)
  const why = html`<p>${t(text.problem)}: <a href="/problems/${refusalCode ?? ''}"><code>${refusalCode ?? ''}</code></a></p>`
  return frame({
    title: t(text.decided[status]),
    status: 200,
    notice: { text: t(text.statuses[status]), kind: status === 'approved' ? 'done' : 'refused' },
    body: html`<p class="quiet">${client}: <span lang="en">${summary}</span></p>
${refusalCode !== undefined && why}
<p><a href="/account">${t(texts.words.yourAccount)}</a></p>`,
  })
}

const readDecision = (text: string): 'approve' | 'reject' => {
  if (text === 'approve' || text === 'reject') return text
  throw new Refusal(formRefused, refusals.readDecision.theFormHasNoValid)
}

/** GET and POST /account/confirmations/:id: a person approves or rejects the request of an app, and sees the result. */
export const confirmationPages = [
  page('GET /account/confirmations/:id', recentOwner, async context => {
    const { school, viewer, parts } = context
    const found = await parts.confirmations.find(school, viewer.id, readId(context))
    if (found === undefined) throw nothing()
    return show(found, context)
  }),
  form('POST /account/confirmations/:id', recentOwner, async (context, typed) => {
    const { request, school, session, parts, person } = context
    // Decisions are written apart from the request, whose writes are refused while its form is only shown again.
    if (person.isKept === true) throw new Refusal(formKept, 'Decide on the page.')
    const decided = await parts.confirmations.decide({
      school,
      memberId: session.member.id,
      id: readId(context),
      decision: readDecision(formField(typed, 'decision')),
      requestId: request.requestId,
      lockSession: db => lockSession(db, school.id, session.id),
    })
    if (decided === undefined) throw nothing()
    // The page shows the result, or asks the person to sign in if they were signed out meanwhile.
    return redirect(context.request.path)
  }),
]
