import { hook } from './hook.ts'

/**
 * Called when a grant of an app ends before its time, or a member disconnects the app, in the transaction that ends it: what the
 * app has in the name of the member ends where no other grant gives it access.
 */
export const accessEnded = hook<{ readonly memberId: string; readonly clientId: string; readonly now: Date }, void>(
  'accessEnded',
)
