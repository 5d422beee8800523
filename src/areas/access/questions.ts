import { hook } from '#src/contract/hook.ts'
import type { Touched } from './ledger.queries.ts'

/**
 * Tells later rooms which entitlements were given, changed or withdrawn, in the transaction in which they were, so that
 * what they keep beside access is there with it.
 */
export const accessChanged = hook<{ readonly entitlements: readonly Touched[]; readonly now: Date }, void>(
  'accessChanged',
)
