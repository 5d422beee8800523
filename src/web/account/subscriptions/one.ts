import type { Static } from 'typebox'
import { OwnCredit } from '#src/areas/memberships/index.ts'
import { Order, OrderPage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { buildOutcome, form, formKeyIn, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { type OwnOrder, orderPath } from '../orders/index.ts'
import { buildPath, isUnavailable, readAgain, type SubscriptionContext, subscriber } from './own.ts'
import { actParts, creditPart, factsPart, paymentsPart, statePart } from './parts.ts'

const PATH = '/account/subscriptions/:subscription'

const { subscription: text } = texts.account.subscriptions

const readParams = ({ subscription }: SubscriptionContext) => ({ subscription_id: subscription.id })

const readOrders = async ({ call, subscription }: SubscriptionContext): Promise<readonly OwnOrder[]> => {
  const query = [
    ['subscription_id', subscription.id],
    ['limit', '60'],
  ] as const
  return (await call({ operation: 'listAccountOrders', query, returns: OrderPage })).data
}

const readCredit = (context: SubscriptionContext): Promise<Encoded<Static<typeof OwnCredit>>> =>
  context.call({ operation: 'getAccountSubscriptionCredit', params: readParams(context), returns: OwnCredit })

const show = async (context: SubscriptionContext, refusal?: Refusal): Promise<Reply> => {
  const { t, frame, subscription } = context
  const orders = await readOrders(context)
  const credit = await readCredit(context)
  return frame({
    title: subscription.item.name,
    ...buildOutcome(context, refusal, { said: text.refusals, done: text.done }),
    body: html`${statePart(orders, context)}
${factsPart(context)}
${creditPart(credit, context)}${actParts(credit.pays_until, context)}
${paymentsPart(orders, context)}
<p class="quiet"><a href="/account/subscriptions">${t(text.back)}</a></p>`,
  })
}

// What a form names is done in the first word, and said in the second.
const acts = {
  cancel: ['cancelAccountSubscription', 'canceled'],
  keep: ['undoAccountSubscriptionCancellation', 'kept'],
  pause: ['pauseAccountSubscription', 'paused'],
  resume: ['resumeAccountSubscription', 'resumed'],
} as const

type ActName = keyof typeof acts

const MAX_REASON = 500

const buildBody = (act: ActName, typed: Pairs): { readonly body?: object } => {
  if (act === 'pause') return { body: {} }
  if (act !== 'cancel') return {}
  const [at, reason] = [formField(typed, 'at'), cleanLine(formField(typed, 'reason'), MAX_REASON)]
  return { body: { ...(at === '' ? {} : { at }), ...(reason === '' ? {} : { reason }) } }
}

const readAct = (typed: Pairs): ActName => {
  const name = formField(typed, 'act')
  if (Object.hasOwn(acts, name)) return name as ActName
  throw new Refusal(formRefused, 'The form has no valid action.')
}

const submitted = (context: SubscriptionContext, work: () => Promise<string>): Promise<Reply> =>
  shownAgain(work, async refusal => show(await readAgain(context), refusal), isUnavailable)

/**
 * GET and POST /account/subscriptions/:subscription: one subscription, and what its member can do. POST
 * /account/subscriptions/:subscription/remaining-payments: one order for all that is left of a payment plan.
 */
export const subscriptionPages = [
  page(`GET ${PATH}`, subscriber, context => show(context)),
  form(`POST ${PATH}`, subscriber, (context, typed) => {
    const act = readAct(typed)
    const [operation, done] = acts[act]
    const call = { operation, params: readParams(context), revision: revisionIn(typed), ...buildBody(act, typed) }
    return submitted(context, async () => {
      await context.call(call)
      return `${buildPath(context.subscription)}?done=${done}`
    })
  }),
  form(`POST ${PATH}/remaining-payments`, subscriber, (context, typed) =>
    submitted(context, async () => {
      const call = { operation: 'createAccountSubscriptionRemainingPayment', params: readParams(context) }
      return `${orderPath(await context.call({ ...call, ...formKeyIn(typed), returns: Order }))}/pay`
    }),
  ),
]
