import type { SubscriptionRow } from '#src/areas/memberships/subscriptions/index.ts'
import { askPayment, findMethod, findOrder, type OrderRow } from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Effects, Fact } from '#src/contract/fact.ts'
import { fillEach, formatMoneyInEach } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'

// A method that can be charged while nobody is there; undefined where the person pays on a page.
const savedFor = async ({ db, school }: TransactionContext, { method_id, collection }: SubscriptionRow) => {
  const method =
    method_id === null || collection !== 'automatic' ? undefined : await findMethod(db, school.id, method_id)
  if (method === undefined || method.ended_at !== null || method.customer_ref === null || method.method_ref === null)
    return undefined
  return { provider: method.provider, saved: { customerRef: method.customer_ref, methodRef: method.method_ref } }
}

const buildEffects = ({ total, currency }: OrderRow, isCharged: boolean): Effects => {
  if (total === 0) return {}
  const { charges } = texts.memberships.subscriptionChanges
  const text = isCharged ? charges.operations.charged : texts.shop.checkouts.checkout.writes.asked
  return { money: fillEach(text, { sum: formatMoneyInEach(total, currency) }) }
}

/**
 * Asks for what an order of a subscription costs: nothing is free at once, the saved method is charged where that is wanted and
 * there is one, and otherwise the person pays on the page of the order. Returns the order as it is then, and the facts.
 */
export const askForOrder = async (
  context: TransactionContext,
  row: SubscriptionRow,
  placed: { readonly order: OrderRow; readonly facts: readonly Fact[] },
  isCharging: boolean,
): Promise<{ readonly order: OrderRow; readonly facts: readonly Fact[] }> => {
  const { db, school } = context
  const { id: orderId, member_id: memberId, total: amount, currency } = placed.order
  const saved = isCharging && amount > 0 ? await savedFor(context, row) : undefined
  const base = { orderId, memberId, amount, currency }
  const request = amount === 0 ? ({ ...base, provider: 'free' } as const) : saved && { ...base, ...saved }
  const asked = request === undefined ? [] : (await askPayment(context, request)).facts
  const effects = buildEffects(placed.order, saved !== undefined)
  const facts = placed.facts.map(fact => (fact.type === 'order.placed' ? { ...fact, effects } : fact))
  const order = request === undefined ? placed.order : await findOrder(db, school.id, { ref: orderId })
  if (order === undefined) throw new Error('an order that was placed is there')
  return { order, facts: [...facts, ...asked] }
}
