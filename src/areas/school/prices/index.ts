import { area } from '#src/contract/area.ts'

export type { PriceTable } from './conditions.ts'
export { priceList } from './lookups.ts'
export {
  countInOtherCurrency,
  findOfferedPrice,
  listPricesOf,
  type PriceRow,
} from './queries.ts'
export { offerAt, priceArchived, tooManyPrices } from './rules.ts'
export { PricePage, PricesQuery, PrimaryPrice } from './schema.ts'
export { priceView } from './views.ts'
export {
  addPrice,
  choosePrimary,
  copyPrices,
  createPrice,
  type PriceChange,
  type PricedKind,
  retirePrice,
} from './writes.ts'

/** Prices of what a school sells; each kind of item has a table of its own for them. */
export const prices = area({ name: 'prices', operations: [] })
