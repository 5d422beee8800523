import type { Static } from 'typebox'
import { Order } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { findProviderTitle } from '#src/contract/payment-providers.ts'
import { computeSum } from '#src/kit/money.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { findFreeKind } from '#src/web/account/index.ts'
import type { PageContext } from '#src/web/page/index.ts'
import { staffText } from '../../pages/text.ts'

const { common, orderRefusals: own } = texts.staff.orders

/** An order as pages get it. */
export type OrderShown = Encoded<Static<typeof Order>>

/** The sentences for refusals on these pages, beside those of fields. */
export const orderRefusals = { ...staffText.refusals, ...own }

/** The order of a page, whose path has its number or its id. */
export const readOrder = ({ call, params: { number = '' } }: PageContext): Promise<OrderShown> =>
  call({
    operation: 'getOrder',
    params: { order_id: number.startsWith('ord_') ? number : `number:${number}` },
    expand: ['member'],
    returns: Order,
  })

/** Where an order is, in a word or two; one of nothing is not said to be paid. */
export const formatStatus = (order: OrderShown, { t }: PageContext): string => {
  const kind = findFreeKind(order)
  return t(kind === undefined ? common.statuses[order.status] : common.free[kind])
}

/** The name of the buyer. */
export const formatBuyer = ({ member: { name } }: OrderShown, { t }: PageContext): string =>
  isVisible(name) ? name : t(texts.words.removedMember)

/** By what it was paid, or is to be. */
export const formatPayer = ({ payments }: OrderShown, { t }: PageContext): string => {
  const provider = payments.at(-1)?.provider
  return provider === undefined ? '' : t(findProviderTitle(provider))
}

/** What of an order is left to refund, in minor units. */
export const computeLeft = ({ lines }: OrderShown): number =>
  computeSum(lines.map(line => line.amount - line.refunded_amount))
