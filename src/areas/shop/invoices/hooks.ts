import { hook } from '#src/contract/hook.ts'

/** Asks later areas whether an order, by the id of its row, is that of a member; it may have no invoice yet. */
export const isOrderOf = hook<{ readonly orderId: string; readonly memberId: string }, boolean>('isOrderOf')
