import { undoEntitlements } from '#src/areas/learning/access/index.ts'
import { erasePendingEmails } from '#src/areas/learning/enrollments/index.ts'
import type { Undone } from '#src/areas/people/index.ts'
import type { WriteContext } from '#src/contract/context.ts'
import { toId } from '#src/kit/ids.ts'
import type { EnrollmentUndo } from './importing.writes.ts'

/**
 * Undoes what an import did to enrollments: access that it gave ends, and an end that it moved goes back, unless somebody changed
 * it since. Nobody is notified. Returns what became of each, in order.
 */
export const undoEnrollments = async (
  context: Pick<WriteContext, 'db' | 'school' | 'now' | 'changed'>,
  undos: readonly EnrollmentUndo[],
): Promise<Undone[]> => {
  const { db, school, changed } = context
  const undone = await undoEntitlements(
    context,
    undos.map(({ entitlementId, ...undo }) => ({ id: entitlementId, ...undo })),
  )
  const ended = undone.filter(({ revoked_at: at }) => at !== null)
  await erasePendingEmails(
    db,
    school.id,
    ended.map(({ member_id, item_id }) => ({ memberId: member_id, courseId: item_id })),
  )
  const ids = new Set(undone.map(({ id }) => id))
  if (ids.size > 0) changed({ ids: [...ids].map(id => toId('ent', id)), fields: ['rows'] })
  return undos.map(({ entitlementId }) =>
    ids.has(entitlementId) ? { status: 'undone' } : { status: 'kept', reason: 'changed' },
  )
}
