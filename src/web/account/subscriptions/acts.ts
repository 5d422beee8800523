import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { Visit } from './visit.ts'

/** What somebody does on the page of their subscription, apart from cards and plans. */
const acts = ['cancel', 'keep', 'pause', 'resume'] as const

type SubscriptionAct = (typeof acts)[number]

const MAX_REASON = 500

type Call = Pick<PageCall<undefined>, 'operation' | 'body'>

const calls: Readonly<Record<SubscriptionAct, (form: Pairs) => Call>> = {
  cancel: form => {
    const reason = cleanLine(formField(form, 'reason'), MAX_REASON)
    const at = formField(form, 'at')
    const body = { ...(at === '' ? {} : { at }), ...(reason === '' ? {} : { reason }) }
    return { operation: 'cancelAccountSubscription', body }
  },
  keep: () => ({ operation: 'undoAccountSubscriptionCancellation' }),
  pause: () => ({ operation: 'pauseAccountSubscription', body: {} }),
  resume: () => ({ operation: 'resumeAccountSubscription' }),
}

/** What is said once it is done. */
export const doneWith: Readonly<Record<SubscriptionAct, string>> = {
  cancel: 'canceled',
  keep: 'kept',
  pause: 'paused',
  resume: 'resumed',
}

/** What a form names; refuses a form that names nothing. */
export const actOf = (form: Pairs): SubscriptionAct => {
  const act = acts.find(name => name === formField(form, 'act'))
  if (act === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  return act
}

/** The call of an operation for a form about a subscription; refused when it has changed since the page was opened. */
export const callOf = (act: SubscriptionAct, form: Pairs, visit: Visit): PageCall<undefined> => {
  const revision = formField(form, 'revision')
  if (!/^\d{1,9}$/.test(revision)) throw new Refusal(formRefused, 'The form does not say what it is about.')
  const params = { subscription_id: visit.request.params.subscription ?? '' }
  return { ...calls[act](form), params, revision: Number(revision) }
}
