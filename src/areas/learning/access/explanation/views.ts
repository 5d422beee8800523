import type { Static } from 'typebox'
import { toId } from '#src/kit/ids.ts'
import type { Explained } from '../lookups.ts'
import { type EntitlementRow, getPrefix, type HoldRow, isBundle } from '../rules.ts'
import type { AccessView } from '../schema.ts'
import { chooseReason, holdsOnSource, isActiveEntitlement, isActiveHold } from './rules.ts'
import type { EntitlementView, HoldView } from './schema.ts'

/** Whether and why there is access. */
export const accessView = (explained: Explained): Static<typeof AccessView> => ({
  state: explained.access.state,
  from: explained.access.from ?? null,
  until: explained.access.until ?? null,
  reason: chooseReason(explained),
})

/** The access to a course that is not visible to the person: unpublished, unless something else prevents it. */
export const hiddenAccess = (access: Static<typeof AccessView>): Static<typeof AccessView> =>
  access.state === 'active' ? { state: 'unpublished', from: null, until: null, reason: 'not_published' } : access

/** An entitlement; only staff and lecturers see why it was given or ended. */
export const entitlementView = (
  row: EntitlementRow,
  {
    explained,
    bundles,
    withReasons,
  }: {
    readonly explained: Pick<Explained, 'at' | 'holds'>
    readonly bundles: ReadonlyMap<string, string>
    readonly withReasons: boolean
  },
): Static<typeof EntitlementView> => ({
  id: row.id,
  item: {
    type: row.item_type,
    id: toId(getPrefix(row.item_type), row.item_id),
    name: isBundle(row.item_type) ? (bundles.get(row.item_id) ?? null) : null,
  },
  source: row.source,
  is_active: isActiveEntitlement(row, explained.at),
  starts_at: row.starts_at,
  ends_at: row.ends_at,
  revoked_at: row.revoked_at,
  ...(withReasons ? { reason: row.reason } : {}),
  opened_at: row.opened_at,
  closed_at: row.closed_at,
  hold_ids: holdsOnSource(row, explained).map(({ id }) => id),
})

/** A hold; only staff and lecturers see the note. */
export const holdView = (
  row: HoldRow,
  { at, withReasons }: { readonly at: Date; readonly withReasons: boolean },
): Static<typeof HoldView> => ({
  id: row.id,
  item: row.item_type === null || row.item_id === null ? 'all' : toId(getPrefix(row.item_type), row.item_id),
  source: row.source,
  reason: row.reason,
  ...(withReasons ? { note: row.note } : {}),
  is_active: isActiveHold(row, at),
  starts_at: row.starts_at,
  ends_at: row.ends_at,
})
