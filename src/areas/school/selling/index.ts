import { area } from '#src/contract/area.ts'
import { CLEAR_JOB, createClearing } from './modes/jobs.ts'
import { modeOperations } from './modes/operations.ts'
import { CHECK_JOB, createCheck } from './providers/jobs.ts'
import { providerOperations } from './providers/operations.ts'
import { settingsOperations } from './settings/operations.ts'

export { hasPaidOrders, isPage, providerNeeds, publishedVersionOf } from './hooks.ts'
export {
  findSellingWarnings,
  listSaleWarnings,
  type Offering,
  readOffering,
  readSaleState,
} from './lookups.ts'
export { TestSales } from './modes/schema.ts'
export { changeTestMode } from './modes/writes.ts'
export {
  type CallableProvider,
  findCallableProvider,
  listUsableProviders,
  readProviderStanding,
  type UsableProvider,
} from './providers/lookups.ts'
export { deleteProvider, storeHeard, storeProvider } from './providers/queries.ts'
export { buildWebhookUrl, paymentMode, providerUnavailable } from './providers/rules.ts'
export {
  PaymentProvider,
  PaymentProviders,
  type TransferInstructions,
} from './providers/schema.ts'
export { findProviderWarnings, listClosedSecrets } from './providers/warnings.lookups.ts'
export { removeLostSecret } from './providers/writes.ts'
export { getSelling, storeSelling } from './settings/queries.ts'
export { SellingSettings, type SellingValues } from './settings/schema.ts'

/** What a school decides before it sells: the seller, tax, checkout, subscriptions, comments, and its payment providers. */
export const selling = area({
  name: 'selling',
  operations: [...settingsOperations, ...providerOperations, ...modeOperations],
  jobs: { [CHECK_JOB]: { create: createCheck, atOnce: 1 }, [CLEAR_JOB]: { create: createClearing, atOnce: 1 } },
})
