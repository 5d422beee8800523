import { AccountDeletion } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { buildOutcome, form, isShown, page, redirect, requireRecentProof } from '#src/web/page/index.ts'
import { backLink } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { deletion: text } = texts.account

const PATH = '/account/deletion'

/** Whether the account of the person is scheduled for deletion, and when. */
export const readDeletion = ({ call }: AccountContext) =>
  call({ operation: 'getAccountDeletion', returns: AccountDeletion })

const button = ({ t, form }: AccountContext, act: 'begin' | 'cancel'): Html =>
  form(html`<div class="buttons"><button type="submit" name="act" value="${act}">${t(text[act])}</button></div>`)

const renderBody = async (context: AccountContext): Promise<Html> => {
  const { t, time, session } = context
  const { status, due_at: due } = await readDeletion(context)
  if (status === 'under_way') return html`<p>${t(text.underWay)}</p>`
  // A deletion is canceled without a proof.
  if (due === null) {
    requireRecentProof(session)
    return html`<p>${t(text.what)}</p>
<p>${t(text.when)}</p>
${button(context, 'begin')}`
  }
  return html`<p><strong>${t(text.due, { time: time(due) })}</strong></p>
<p>${t(text.what)}</p>
${button(context, 'cancel')}`
}

const show = async (context: AccountContext, refusal?: Refusal): Promise<Reply> => {
  const said = { last_owner: text.lastOwner, other: text.underWay }
  return context.frame({
    title: context.t(texts.words.deleteYourAccount),
    notice: buildOutcome(context, refusal, { said, done: text.done }).notice,
    body: html`${await renderBody(context)}
${backLink(context.language)}`,
  })
}

/** GET and POST /account/deletion: what the deletion of an account means, with the button to schedule or cancel it. */
export const deletionPages = [
  page(`GET ${PATH}`, owner, context => show(context)),
  form(`POST ${PATH}`, owner, async (context, typed) => {
    const isBegin = formField(typed, 'act') === 'begin'
    try {
      await context.call({ operation: isBegin ? 'createAccountDeletion' : 'cancelAccountDeletion' })
    } catch (error) {
      if (isShown(error)) return show(context, error)
      throw error
    }
    // The page asks for a proof before it offers the deletion again.
    return redirect(isBegin ? `${PATH}?done=begun` : '/account?done=deletion')
  }),
]
