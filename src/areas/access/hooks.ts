import { hook } from '#src/contract/hook.ts'
import type { Touched } from './entitlements/queries.ts'

/**
 * Called with the entitlements that were granted, changed or revoked, in the same transaction, so that later areas
 * store what belongs to the access together with it.
 */
export const accessChanged = hook<{ readonly entitlements: readonly Touched[]; readonly now: Date }, void>(
  'accessChanged',
)
