import { checkNotCharging, type SubscriptionRow } from '#src/areas/memberships/subscriptions/index.ts'
import type { OrderRow } from '#src/areas/shop/index.ts'
import type { TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { Offer } from '#src/contract/offer.ts'
import { Refusal } from '#src/contract/problem.ts'
import { offerFor } from '../proration/lookups.ts'
import { usualTime } from '../proration/rules.ts'
import { type Quoting, quoteAsShown } from './lookups.ts'
import { findPending } from './queries.ts'
import { changePending, checkGoesOn, checkStatus } from './rules.ts'
import type { NewPriceInput } from './schema.ts'
import { type Asking, applyOffer, orderChange, planChange, withdrawPending } from './writes.ts'

/** What became of a change that was asked for. */
type Asked = {
  readonly status: 'done' | 'planned' | 'unpaid' | 'unchanged'
  readonly changesAt: Date | null
  readonly order: OrderRow | null
  readonly facts: readonly Fact[]
}

const unchanged: Asked = { status: 'unchanged', changesAt: null, order: null, facts: [] }

// What was announced to somebody is replaced by what they choose themselves.
const replacePending = async (context: TransactionContext, row: SubscriptionRow): Promise<readonly Fact[]> => {
  const pending = await findPending(context.db, context.school.id, row.id)
  if (pending === undefined) return []
  if (pending.source !== 'move') throw new Refusal(changePending, 'A change of the price is waiting.')
  return withdrawPending(context, row)
}

const plan = async (
  context: TransactionContext,
  row: SubscriptionRow,
  offer: Offer,
  asking: Asking,
): Promise<Asked> => {
  const notBefore = row.next_charge_at ?? row.current_until ?? context.now
  const facts = await planChange(context, row, offer, { ...asking, notBefore })
  return { status: 'planned', changesAt: notBefore, order: null, facts }
}

const changeNow = async (
  context: Quoting,
  row: SubscriptionRow,
  { offer, input, asking }: { readonly offer: Offer; readonly input: NewPriceInput; readonly asking: Asking },
): Promise<Asked> => {
  if (row.status === 'trialing' || input.proration === 'none') {
    const facts = await applyOffer(context, row, offer, { by: asking.by })
    return { status: 'done', changesAt: null, order: null, facts }
  }
  const quote = await quoteAsShown(context, row, offer, input.quote)
  const { order, facts } = await orderChange(context, row, quote, asking)
  return { status: order.status === 'paid' ? 'done' : 'unpaid', changesAt: null, order, facts }
}

const chooseTime = (row: SubscriptionRow, { payment }: Offer, { when }: NewPriceInput) =>
  when ?? (row.price === null ? 'now' : usualTime(row.price.amount, row.price, payment.amount, payment))

/**
 * Changes the price of a locked subscription: now, with what is due paid first, or with the next period. Its current price
 * withdraws a change that waits.
 */
export const changePrice = async (
  context: Quoting,
  row: SubscriptionRow,
  input: NewPriceInput,
  asking: Asking,
): Promise<Asked> => {
  const reason = asking.source === 'account' ? 'buyer' : 'staff'
  if (input.price_id === row.price_id) return { ...unchanged, facts: await withdrawPending(context, row, reason) }
  checkStatus(row)
  await checkNotCharging(context, row)
  const offer = await offerFor(context, row, input.price_id)
  checkGoesOn(row, offer)
  const replaced = await replacePending(context, row)
  const asked =
    chooseTime(row, offer, input) === 'now'
      ? await changeNow(context, row, { offer, input, asking })
      : await plan(context, row, offer, asking)
  return { ...asked, facts: [...replaced, ...asked.facts] }
}
