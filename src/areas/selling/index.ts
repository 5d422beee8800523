import { area } from '#src/contract/area.ts'
import { settingsOperations } from './settings/operations.ts'

export { hasPaidOrders } from './hooks.ts'
export { findSellingWarnings } from './lookups.ts'

/** What a school decides before it sells: the seller, tax, checkout, subscriptions, comments, and its payment providers. */
export const selling = area({ name: 'selling', operations: settingsOperations })
