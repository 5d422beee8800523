import { Order } from '#src/areas/shop/index.ts'
import type { Endpoint, Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import { redirect } from '#src/web/page/index.ts'
import { orderPath } from '../pages/order.ts'
import type { AccountPagesParts } from '../parts.ts'
import { formKeyIn } from './form-key.ts'
import { showSubscription } from './one.ts'
import { shownRefusal, subscriptionForm, type Visit } from './visit.ts'

const PATH = '/account/subscriptions/:subscription/remaining-payments'

const submit = async (visit: Visit, form: Pairs): Promise<Reply> => {
  const { performAs, person, request } = visit
  const params = { subscription_id: request.params.subscription ?? '' }
  const call = { operation: 'createAccountSubscriptionRemainingPayment', params, ...formKeyIn(form) }
  try {
    return redirect(`${orderPath(await performAs(person, { ...call, returns: Order }))}/pay`)
  } catch (error) {
    return showSubscription(visit, shownRefusal(error))
  }
}

/** POST /account/subscriptions/:subscription/remaining-payments: one order for all that is left of a payment plan. */
export const restEndpoints = (parts: AccountPagesParts): Endpoint[] => [subscriptionForm(`POST ${PATH}`, parts, submit)]
