import { hasLearned, isRemovedFromCourse, mayUseCourse } from '#src/areas/courses/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { implement } from '#src/contract/hook.ts'
import { type Item, inUseOf, type Use } from '#src/contract/items.ts'
import { memberErasure, memberMerge, type PersonalData, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { instant } from '#src/kit/instant.ts'
import { countHolders, listBundlesWith } from './bundles/queries.ts'
import {
  clockNow,
  countEntitled,
  isEndedBySchool,
  listMemberEntitlements,
  moveEntitlements,
  type OwnEntitlement,
} from './entitlements/queries.ts'
import { eraseMemberAccess } from './entitlements/writes.ts'
import { listOwnHolds, type OwnHold } from './holds/queries.ts'
import { readAccess } from './lookups.ts'
import { type Access, getPrefix } from './rules.ts'

type Learner = { readonly memberId: string; readonly courseId: string }

const readState = async ({ memberId, courseId }: Learner, { db, school }: SchoolContext): Promise<Access['state']> =>
  (await readAccess(db, school.id, { memberId, item: { type: 'course', id: courseId } })).access.state

const entitlementRow = (one: OwnEntitlement) => ({
  id: toId('ent', one.id),
  item_type: one.item_type,
  item_id: toId(getPrefix(one.item_type), one.item_id),
  source: one.source,
  starts_at: instant(one.starts_at),
  ends_at: instant(one.ends_at),
  revoked_at: instant(one.revoked_at),
  reason: one.reason,
})

const holdRow = ({ id, reason, note, source, starts_at, ends_at }: OwnHold) => ({
  id: toId('hld', id),
  reason,
  note,
  source,
  starts_at: instant(starts_at),
  ends_at: instant(ends_at),
})

const personalAccess = async (memberId: string, { db, school }: SchoolContext): Promise<PersonalData[]> => {
  const [entitlements, holds] = await Promise.all([
    listMemberEntitlements(db, school.id, memberId),
    listOwnHolds(db, school.id, memberId),
  ])
  return [
    { name: 'entitlements', rows: entitlements.map(entitlementRow) },
    { name: 'holds', rows: holds.map(holdRow) },
  ]
}

// A plan that opens an item uses it even while nobody holds the plan: it is sold with the item.
const plansWith = async (item: Item, { db, school }: SchoolContext): Promise<Use[]> => {
  const ids = await listBundlesWith(db, school.id, 'membership_plan', item)
  if (ids.length === 0) return []
  const holders = await countHolders(db, school.id, 'membership_plan', ids)
  return ids.map(id => ({ kind: 'membership_plan', id: toId('mpl', id), count: holders.get(id) ?? 0 }))
}

const readUses = async (item: Item, context: SchoolContext): Promise<Use[]> => {
  const [entitled, plans] = await Promise.all([
    countEntitled(context.db, context.school.id, item.type, [item.id]),
    plansWith(item, context),
  ])
  const count = entitled.get(item.id) ?? 0
  return [...(count === 0 ? [] : [{ kind: 'member', id: null, count }]), ...plans]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(memberMerge, ({ fromId, intoId }, { school, db }) => moveEntitlements(db, school.id, fromId, intoId)),
  implement(memberErasure, async ({ memberId }, { school, db }) => {
    await eraseMemberAccess({ db, school, now: await clockNow(db) }, memberId)
  }),
  implement(inUseOf, readUses),
  implement(mayUseCourse, async (learner, context) => (await readState(learner, context)) === 'active'),
  implement(isRemovedFromCourse, ({ memberId, courseId }, { db, school }) =>
    isEndedBySchool(db, school.id, { memberId, item: { type: 'course', id: courseId } }),
  ),
  implement(personalData, ({ memberId }, context) => personalAccess(memberId, context)),
  // Members who may use a course, or could in the past; upcoming access does not count.
  implement(hasLearned, async (learner, context) =>
    ['active', 'held', 'ended'].includes(await readState(learner, context)),
  ),
]
