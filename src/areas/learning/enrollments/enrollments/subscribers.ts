import { listItemHolders } from '#src/areas/learning/access/index.ts'
import type { FactHandler, RecordedFact } from '#src/contract/fact.ts'
import { fromId } from '#src/kit/ids.ts'
import { keepPairs, MAX_ROWS } from './writes.ts'

type BundleItem = RecordedFact<'group.item_added' | 'group.item_removed' | 'plan.item_added' | 'plan.item_removed'>

const readBundle = (payload: BundleItem['payload']) => {
  const groupId = 'group_id' in payload ? fromId('grp', payload.group_id) : undefined
  const planId = 'plan_id' in payload ? fromId('mpl', payload.plan_id) : undefined
  if (groupId !== undefined) return { type: 'group', id: groupId } as const
  return planId === undefined ? undefined : ({ type: 'membership_plan', id: planId } as const)
}

/**
 * Ensures enrollments for everybody to whom a group or plan opens a course, and marks them when it was closed. Who came
 * after it was closed gets none.
 */
export const onBundleItem: FactHandler<BundleItem['type']> = async ({ payload }, context) => {
  const bundle = readBundle(payload)
  const courseId = fromId('crs', payload.item_id)
  if (bundle === undefined || courseId === undefined) return
  const opened = { bundle, item: { type: 'course', id: courseId } } as const
  for (let after: string | undefined; ; ) {
    const holders = await listItemHolders(context.db, context.school.id, opened, { after, most: MAX_ROWS })
    await keepPairs(
      context,
      holders.map(holder => ({ ...holder, course_id: courseId })),
    )
    after = holders.at(-1)?.member_id
    if (holders.length < MAX_ROWS) return
  }
}
