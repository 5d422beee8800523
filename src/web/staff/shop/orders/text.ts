import { fill, type Language } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'
import { freeKindOf } from '#src/web/account/index.ts'

/** The texts that several pages of orders have, in every language; `{…}` is filled in. */
export const ordersText = texts.staff.orders.common

type Shown = Parameters<typeof freeKindOf>[0] & { readonly status: keyof typeof ordersText.statuses }

/** Where an order is, in a word or two; one of nothing is not said to be paid. */
export const statusName = (order: Shown, language: Language): string => {
  const kind = freeKindOf(order)
  return fill(kind === undefined ? ordersText.statuses[order.status] : ordersText.free[kind], language)
}

/** The sentences for refusals that several pages of orders have. */
export const orderRefusals = texts.staff.orders.orderRefusals
