import type { Static } from 'typebox'
import { toId } from '#src/kit/ids.ts'
import type { Explained } from '../actions.ts'
import type { HoldRow } from '../holds.queries.ts'
import type { EntitlementRow } from '../queries.ts'
import { prefixOf } from '../rules.ts'
import type { AccessView } from '../shapes.schema.ts'
import { isActiveEntitlement, isActiveHold, reasonOf } from './rules.ts'
import type { EntitlementView, HoldView } from './schema.ts'

const instant = (at: Date | null | undefined): string | null => at?.toISOString() ?? null

/** The access of an answer as it is shown. */
export const accessView = (explained: Explained): Static<typeof AccessView> => ({
  state: explained.access.state,
  from: instant(explained.access.from),
  until: instant(explained.access.until),
  reason: reasonOf(explained),
})

/** The access to a course that is not shown to the person; whatever else keeps them from it is told instead. */
export const hiddenAccess = (access: Static<typeof AccessView>): Static<typeof AccessView> =>
  access.state === 'active' ? { state: 'unpublished', from: null, until: null, reason: 'not_published' } : access

/** An entitlement as it is shown; why it was given or ended is told to those who look after the person alone. */
export const entitlementView = (
  row: EntitlementRow,
  { at, groups, isTold }: { readonly at: Date; readonly groups: ReadonlyMap<string, string>; readonly isTold: boolean },
): Static<typeof EntitlementView> => ({
  id: toId('ent', row.id),
  names: {
    type: row.item_type,
    id: toId(prefixOf(row.item_type), row.item_id),
    name: row.item_type === 'group' ? (groups.get(row.item_id) ?? null) : null,
  },
  source: row.source,
  is_living: isActiveEntitlement(row, at),
  starts_at: row.starts_at.toISOString(),
  ends_at: instant(row.ends_at),
  revoked_at: instant(row.revoked_at),
  ...(isTold ? { reason: row.reason } : {}),
  opened_at: instant(row.opened_at),
  closed_at: instant(row.closed_at),
})

/** A hold as it is shown. */
export const holdView = (
  row: HoldRow,
  { at, isTold }: { readonly at: Date; readonly isTold: boolean },
): Static<typeof HoldView> => ({
  id: toId('hld', row.id),
  item: row.item_type === null || row.item_id === null ? 'all' : toId(prefixOf(row.item_type), row.item_id),
  reason: row.reason,
  ...(isTold ? { note: row.note } : {}),
  is_standing: isActiveHold(row, at),
  starts_at: row.starts_at.toISOString(),
  ends_at: instant(row.ends_at),
})
