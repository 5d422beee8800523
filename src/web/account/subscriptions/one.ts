import { OwnCredit, Subscription } from '#src/areas/memberships/index.ts'
import { OrderPage } from '#src/areas/shop/index.ts'
import type { Endpoint, Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { doneIn, doneOf, framed, redirect } from '#src/web/page/index.ts'
import type { OwnOrder } from '../pages/order-status.ts'
import type { AccountPagesParts } from '../parts.ts'
import { actOf, callOf, doneWith } from './acts.ts'
import { actParts, creditPart, factsPart, pathOf, paymentsPart, statePart } from './parts.ts'
import type { OwnCreditShown, OwnSubscription } from './shown.ts'
import { subscriptionText as text } from './text.ts'
import { refusedAs, shownRefusal, subscriptionForm, subscriptionPage, type Visit } from './visit.ts'

const PATH = '/account/subscriptions/:subscription'

/** The subscription of a page, which belongs to the person who is signed in. */
export const ownSubscription = ({ performAs, person, request }: Visit): Promise<OwnSubscription> =>
  performAs(person, {
    operation: 'getAccountSubscription',
    params: { subscription_id: request.params.subscription ?? '' },
    returns: Subscription,
  })

const ordersOf = async ({ performAs, person }: Visit, { id }: OwnSubscription): Promise<readonly OwnOrder[]> => {
  const query = [
    ['subscription_id', id],
    ['limit', '60'],
  ] as [string, string][]
  return (await performAs(person, { operation: 'listAccountOrders', query, returns: OrderPage })).data
}

const creditOf = ({ performAs, person }: Visit, { id }: OwnSubscription): Promise<OwnCreditShown> =>
  performAs(person, {
    operation: 'getAccountSubscriptionCredit',
    params: { subscription_id: id },
    returns: OwnCredit,
  })

/** The page of a subscription, with what was refused just now. */
export const showSubscription = async (visit: Visit, refusal?: Refusal): Promise<Reply> => {
  const { language, request } = visit
  const subscription = await ownSubscription(visit)
  const view = {
    visit,
    subscription,
    orders: await ordersOf(visit, subscription),
    credit: await creditOf(visit, subscription),
  }
  return framed({
    school: request.school,
    language,
    title: subscription.item.name,
    ...(refusal === undefined
      ? { notice: doneIn(text.done, doneOf(request), language) }
      : refusedAs(refusal, language)),
    body: html`${statePart(view)}
${factsPart(view)}
${creditPart(view)}${actParts(view)}
${paymentsPart(view)}
<p class="quiet"><a href="/account/subscriptions">${fill(text.back, language)}</a></p>`,
  })
}

const submit = async (visit: Visit, form: Pairs): Promise<Reply> => {
  const act = actOf(form)
  try {
    await visit.performAs(visit.person, callOf(act, form, visit))
    return redirect(`${pathOf({ id: visit.request.params.subscription ?? '' })}?done=${doneWith[act]}`)
  } catch (error) {
    return showSubscription(visit, shownRefusal(error))
  }
}

/** GET and POST /account/subscriptions/:subscription: one subscription, and what its member can do. */
export const oneSubscriptionEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  subscriptionPage(`GET ${PATH}`, parts, visit => showSubscription(visit)),
  subscriptionForm(`POST ${PATH}`, parts, submit),
]
