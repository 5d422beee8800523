import { area } from '#src/contract/area.ts'

export type { PriceTable } from './conditions.ts'
export { priced } from './operations.ts'
export {
  countInOtherCurrency,
  findOfferedPrice,
  listItemPrices,
  type PriceRow,
} from './queries.ts'
export { offerAt } from './rules.ts'
export { PricePage } from './schema.ts'
export { priceView } from './views.ts'
export {
  addPrice,
  copyPrices,
  createPrice,
  type PricedKind,
} from './writes.ts'

/** Prices of what a school sells; each kind of item has a table of its own for them. */
export const prices = area({ name: 'prices', operations: [] })
