import { Order, OrderPage, RefundPage } from '#src/areas/shop/index.ts'
import type { CallAsPerson, SignedInPerson } from '#src/contract/page-call.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { OrderShown } from './shown.ts'

/** What waits for staff: the newest of each. */
export type Waiting = {
  readonly transfers: readonly OrderShown[]
  readonly disputes: readonly OrderShown[]
  /** Orders with a refund that failed and was not repeated. */
  readonly failedRefunds: readonly OrderShown[]
  /** Orders with a line that was paid too late to be given and was refunded, until a note says what staff did. */
  readonly notGiven: readonly OrderShown[]
}

const SHOWN = '5'

// A refund is repeated by a later one for the same order that has not failed.
const isRepeated = ({ refunds }: OrderShown): boolean => refunds.at(-1)?.state !== 'failed'

// By a note staff say what they did about it, such as sending a transfer back.
const isWithoutNote = ({ note = null }: OrderShown): boolean => note === null

/** What waits for staff, read by the operations that apps have too. */
export const waitingFor = async (performAs: CallAsPerson, person: SignedInPerson): Promise<Waiting> => {
  const orders = async (...query: Pairs): Promise<readonly OrderShown[]> => {
    const call = { operation: 'listOrders', query: [...query, ['limit', SHOWN] as const], returns: OrderPage }
    return (await performAs(person, call)).data
  }
  const refundedBy = async (...query: Pairs): Promise<readonly OrderShown[]> => {
    const call = { operation: 'listRefunds', query: [...query, ['limit', SHOWN] as const], returns: RefundPage }
    const ids = new Set((await performAs(person, call)).data.map(refund => refund.order_id))
    const one = (order_id: string) => performAs(person, { operation: 'getOrder', params: { order_id }, returns: Order })
    return Promise.all([...ids].map(one))
  }
  const [transfers, disputes, failed, notGiven] = await Promise.all([
    orders(['status[in]', 'pending'], ['provider', 'manual']),
    orders(['disputed', 'true']),
    refundedBy(['state', 'failed']),
    refundedBy(['reason', 'late_payment']),
  ])
  return {
    transfers,
    disputes,
    failedRefunds: failed.filter(order => !isRepeated(order)),
    notGiven: notGiven.filter(isWithoutNote),
  }
}
