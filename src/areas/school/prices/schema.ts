import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Price, priceStatuses } from '#src/contract/price.ts'
import { Closed, Id, OneOf } from '#src/kit/shapes.ts'

/** The query parameters of the list of prices. */
export const PricesQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(OneOf(priceStatuses, 'Only this status; retired prices are for those who manage the item')),
})

/** One page of the prices of an item. */
export const PricePage = Closed('PricePage', {
  ...PageOf(Price, 'PricePage').properties,
  has_access: Type.Optional(Type.Boolean({ description: 'For a signed-in caller: whether they already have access' })),
})

/** The choice of the primary price. */
export const PrimaryPrice = Closed('PrimaryPrice', { price_id: Id('prc') })
