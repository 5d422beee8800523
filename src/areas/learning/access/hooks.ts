import { hook } from '#src/contract/hook.ts'
import type { Touched } from './entitlements/queries.ts'
import type { Bundle } from './rules.ts'

/**
 * Called with the entitlements that were granted, changed or revoked, in the same transaction, so that later areas
 * store what belongs to the access together with it.
 */
export const accessChanged = hook<{ readonly entitlements: readonly Touched[]; readonly now: Date }, void>(
  'accessChanged',
)

/** Called for the names of some bundles of a type, deleted ones too, by their ids; each area names its own. */
export const bundleNames = hook<
  { readonly type: Bundle['type']; readonly ids: readonly string[] },
  ReadonlyMap<string, string>
>('bundleNames')
