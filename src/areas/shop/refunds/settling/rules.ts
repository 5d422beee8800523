import type { OrderRow } from '#src/areas/shop/orders/index.ts'
import type { PaymentRow } from '#src/areas/shop/payments/index.ts'

/** What the change of a payment means to its order. */
export type Step = 'complete' | 'reopen' | 'wait' | 'fail' | 'partial' | 'none'

type Payments = readonly Pick<PaymentRow, 'id' | 'state'>[]

// Money that is on its way keeps an order in processing; an open page or an awaited transfer does not.
const isUnderWay = (status: OrderRow['status'], { state }: Payments[number]): boolean =>
  state === 'processing' || (status !== 'processing' && (state === 'asked' || state === 'open'))

/** What the change of a payment means to its order, after what was paid for it in all; amounts in minor units. */
export const chooseStep = (
  { status, total }: Pick<OrderRow, 'status' | 'total'>,
  payment: Pick<PaymentRow, 'id' | 'state' | 'buyer_present'>,
  { paid, received, payments }: { readonly paid: number; readonly received: number; readonly payments: Payments },
): Step => {
  if (status === 'paid') return paid < total && received < 0 ? 'reopen' : 'none'
  if (paid >= total && (paid > 0 || payment.state === 'succeeded')) return 'complete'
  if (received > 0) return 'partial'
  if (received < 0) return 'none'
  if (payment.state === 'processing') return status === 'pending' ? 'wait' : 'none'
  if (payments.some(one => one.id !== payment.id && isUnderWay(status, one))) return 'none'
  // Whoever is there pays in another way, and keeps what is held until then, as on a page of a provider.
  if (payment.state === 'failed' && payment.buyer_present && status === 'pending') return 'none'
  if (payment.state === 'failed') return status === 'pending' || status === 'processing' ? 'fail' : 'none'
  return payment.state === 'canceled' && status === 'processing' ? 'fail' : 'none'
}
