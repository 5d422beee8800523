import { listEntitled } from '#src/areas/access/index.ts'
import type { FactHandler } from '#src/contract/fact.ts'
import { fromId } from '#src/kit/ids.ts'
import { keepPairs, MAX_ROWS } from './writes.ts'

/** Ensures enrollments for the members of a group that a course was added to, and marks them when it was removed. */
export const onGroupItem: FactHandler = async ({ payload }, context) => {
  const groupId = fromId('grp', String(payload.group))
  const courseId = fromId('crs', String(payload.item))
  if (groupId === undefined || courseId === undefined) return
  const group = { type: 'group', id: groupId } as const
  for (let after: string | undefined; ; ) {
    const members: string[] = await listEntitled(context.db, context.school.id, group, { after, most: MAX_ROWS })
    await keepPairs(
      context,
      members.map(member_id => ({ member_id, course_id: courseId, source: 'group' as const })),
    )
    after = members.at(-1)
    if (members.length < MAX_ROWS) return
  }
}
