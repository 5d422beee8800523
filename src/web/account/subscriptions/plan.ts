import { PriceChange, Proration } from '#src/areas/memberships/index.ts'
import type { Endpoint, Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { idPattern } from '#src/kit/ids.ts'
import { redirect } from '#src/web/page/index.ts'
import type { AccountPagesParts } from '../parts.ts'
import { choicesOf } from './choices.ts'
import { ownSubscription } from './one.ts'
import { pathOf } from './parts.ts'
import { choicesPage, previewPage } from './plan-page.ts'
import type { ProrationShown } from './proration-table.ts'
import { shownRefusal, subscriptionForm, subscriptionPage, type Visit } from './visit.ts'

const PATH = '/account/subscriptions/:subscription/plan'

const PRICE = new RegExp(idPattern('prc'))

const timingOf = (text: string): 'now' | 'period_end' | undefined =>
  text === 'now' || text === 'period_end' ? text : undefined

const show = async (visit: Visit, refusal?: Refusal): Promise<Reply> => {
  const { query, performAs, person } = visit
  const subscription = await ownSubscription(visit)
  const choices = await choicesOf(visit, subscription)
  const choice = choices.find(({ id }) => id === query.get('price'))
  if (choice === undefined || refusal !== undefined) return choicesPage({ visit, subscription, choices, refusal })
  try {
    const proration: ProrationShown = await performAs(person, {
      operation: 'getAccountSubscriptionProration',
      params: { subscription_id: subscription.id },
      query: [['price_id', choice.id]],
      returns: Proration,
    })
    const when = timingOf(query.get('when') ?? '') ?? proration.when
    return previewPage({ visit, subscription, choice, proration, when })
  } catch (error) {
    return choicesPage({ visit, subscription, choices, refusal: shownRefusal(error) })
  }
}

const change = async ({ performAs, person, request }: Visit, form: Pairs): Promise<string> => {
  const subscriptionId = request.params.subscription ?? ''
  const price = formField(form, 'price')
  const when = timingOf(formField(form, 'when'))
  const quote = formField(form, 'quote')
  const { status, order } = await performAs(person, {
    operation: 'setAccountSubscriptionPrice',
    params: { subscription_id: subscriptionId },
    body: {
      price_id: PRICE.test(price) ? price : 'prc_',
      ...(when === undefined ? {} : { when }),
      ...(when === 'now' && quote !== '' ? { quote } : {}),
    },
    returns: PriceChange,
  })
  if (status === 'unpaid' && order !== null) return `/account/orders/${order.number}/pay`
  return `${pathOf({ id: subscriptionId })}?done=${status === 'planned' ? 'planned' : 'changed'}`
}

const submit = async (visit: Visit, form: Pairs): Promise<Reply> => {
  try {
    return redirect(await change(visit, form))
  } catch (error) {
    return show(visit, shownRefusal(error))
  }
}

/** GET and POST /account/subscriptions/:subscription/plan: another price, with what it costs before it is chosen. */
export const planEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  subscriptionPage(`GET ${PATH}`, parts, visit => show(visit)),
  subscriptionForm(`POST ${PATH}`, parts, submit),
]
