import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { deleteActivity, listActivity, moveActivity } from './activity/queries.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await deleteActivity(db, school.id, memberId)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveActivity(db, school.id, fromId, intoId)
  }),
  implement(personalData, async ({ memberId }, { db, school }) => {
    const rows = await listActivity(db, school.id, memberId)
    const shown = rows.map(({ hour, course_id }) => ({ hour: hour.toISOString(), course_id: toId('crs', course_id) }))
    return [{ name: 'learning_hours', rows: shown }]
  }),
]
