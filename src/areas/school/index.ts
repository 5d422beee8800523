import type { Area } from '#src/contract/area.ts'
import { bin } from './bin/index.ts'
import { integrations } from './integrations/index.ts'
import { outbox } from './outbox/index.ts'
import { prices } from './prices/index.ts'
import { school } from './school/index.ts'
import { selling } from './selling/index.ts'

export { BinPage, binnable, isKept, ownBinned, putInBin } from './bin/index.ts'
export { clientRegistry, Integration, IntegrationSecret, Integrations } from './integrations/index.ts'
export { declaredMailKinds, mailStates, OutboxMailText, OutboxPage } from './outbox/index.ts'
export {
  addPrice,
  copyPrices,
  countInOtherCurrency,
  createPrice,
  findOfferedPrice,
  listItemPrices,
  offerAt,
  type PricedKind,
  PricePage,
  type PriceRow,
  type PriceTable,
  priced,
  priceView,
} from './prices/index.ts'
export {
  AuditPage,
  currencyUses,
  FIRST_NAME,
  lastOwner,
  listTimeZones,
  School,
  SchoolSettings,
  SchoolUsage,
  type ZonePeriod,
} from './school/index.ts'
export {
  buildWebhookUrl,
  type CallableProvider,
  changeTestMode,
  deleteProvider,
  findCallableProvider,
  findProviderWarnings,
  findSellingWarnings,
  getSelling,
  hasPaidOrders,
  isPage,
  listClosedSecrets,
  listSaleWarnings,
  listUsableProviders,
  type Offering,
  PaymentProvider,
  PaymentProviders,
  paymentMode,
  providerNeeds,
  providerUnavailable,
  publishedVersionOf,
  readOffering,
  readProviderStanding,
  readSaleState,
  removeLostSecret,
  SellingSettings,
  type SellingValues,
  storeHeard,
  storeProvider,
  storeSelling,
  TestSales,
  type TransferInstructions,
  type UsableProvider,
} from './selling/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const schoolAreas: readonly Area[] = [school, selling, prices, integrations, outbox, bin]
