import { area } from '#src/contract/area.ts'
import { accountOrderOperations } from './operations.ts'

/** What members do with their own orders. */
export const accountOrders = area({ name: 'account-orders', operations: accountOrderOperations })
