import { hook } from '#src/contract/hook.ts'

/** Asks later areas whether an order, by the id of its row, is that of a member; it may have no invoice yet. */
export const isOrderOf = hook<{ readonly orderId: string; readonly memberId: string }, boolean>('isOrderOf')

/** Called when an invoice could not be printed, so that nothing waits for its file. */
export const printingFailed = hook<{ readonly invoiceId: string; readonly now: Date }, void>('printingFailed')
