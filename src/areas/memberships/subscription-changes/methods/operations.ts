import Type from 'typebox'
import {
  lockNamed,
  OwnSubscriptionRef,
  ownSubscription,
  type SubscriptionRow,
} from '#src/areas/memberships/subscriptions/index.ts'
import { listUsableProviders } from '#src/areas/school/index.ts'
import { askSetup, providerNotUsable } from '#src/areas/shop/index.ts'
import { type AsCaller, declareFor } from '#src/contract/operation.ts'
import { canCharge, ProviderName } from '#src/contract/payment-providers.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { Closed, Id } from '#src/kit/shapes.ts'

const NewMethod = Closed('NewPaymentMethod', {
  provider: Type.Optional(ProviderName("Who saves it; by default the school's first provider that can")),
})

/** A payment method that is about to be saved. */
export const MethodSetup = Closed('PaymentMethodSetup', {
  id: { ...Id('pay'), description: 'The payment of nothing with which the method is saved' },
  subscription_id: Id('sub'),
  page_url: Type.String({ format: 'uri', description: 'The page on which you save the payment method' }),
})

const providerFor = async ({ db, school }: AsCaller, wanted: string | undefined) => {
  if (wanted !== undefined) return wanted
  const usable = await listUsableProviders(db, school)
  const found = usable.find(({ name }) => canCharge(name, 'setup'))
  if (found === undefined) throw new Refusal(providerNotUsable, 'The school saves no payment methods now.')
  return found.name
}

// What has ended or costs nothing needs no payment method.
const checkNeedsMethod = ({ status, collection, price }: SubscriptionRow): void => {
  const isRunning = status === 'trialing' || status === 'active' || status === 'past_due' || status === 'paused'
  if (!isRunning) throw new Refusal(invalidState, `The subscription is ${status}, so nothing is charged for it.`)
  if (collection === 'complimentary' || price === null)
    throw new Refusal(invalidState, 'Nothing is paid for the subscription.')
}

const createAccountSubscriptionPaymentMethod = declareFor('self', 'account', {
  id: 'createAccountSubscriptionPaymentMethod',
  route: 'POST /account/subscriptions/:subscription_id/payment-methods',
  summary: 'Save another payment method',
  description:
    'Begins to save a payment method for a subscription of yours, on the page of the provider; nothing is charged there. From then on it is charged instead of the one before, and what is past due is charged at once. While the page is open, the same one is returned.',
  idempotency: 'required',
  params: OwnSubscriptionRef,
  body: NewMethod,
  returns: MethodSetup,
  status: 201,
  fails: [invalidState, providerNotUsable],
  example: { params: ownSubscription, body: {} },
  async handle(context) {
    const { school, caller, params, body, changed, record } = context
    const row = await lockNamed(context, params.subscription_id, caller.member.id)
    checkNeedsMethod(row)
    const provider = await providerFor(context, body.provider)
    const wanted = { setupFor: row.id, memberId: row.member_id, provider, currency: row.price?.currency ?? '' }
    const { id, facts } = await askSetup(context, wanted)
    for (const fact of facts) record(fact)
    const [payment, subscription] = [toId('pay', id), toId('sub', row.id)]
    changed({ ids: [subscription, payment], fields: ['method'], revision: row.revision, memberId: row.member_id })
    const page_url = `${school.siteOrigin}/account/subscriptions/${subscription}/payment-methods/${payment}`
    return { id, subscription_id: row.id, page_url }
  },
})

/** The operations of payment methods of subscriptions. */
export const methodOperations = [createAccountSubscriptionPaymentMethod]
