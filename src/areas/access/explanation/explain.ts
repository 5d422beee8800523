import type { Static } from 'typebox'
import { findCourseName } from '#src/areas/courses/index.ts'
import { listGroupNames } from '#src/areas/groups/index.ts'
import { findMember, type MemberRow } from '#src/areas/members/index.ts'
import type { Db } from '#src/contract/db.ts'
import { type Language, languageOf } from '#src/contract/language.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { accessOf, type Explained } from '../actions.ts'
import { clockNow } from '../queries.ts'
import { accessView, entitlementView, hiddenAccess, holdView } from './actions.ts'
import type { Explanation } from './schema.ts'
import { sentencesOf } from './text.ts'

type Where = { readonly db: Db; readonly school: School }

type Asked = {
  readonly member: MemberRow
  readonly courseId: string
  readonly at?: string | undefined
  readonly language: Language
  /** Whether why something was done is told too. */
  readonly isTold: boolean
  /** Whether the course is shown to whom it is told now; what was stays as it was. */
  readonly isShown?: boolean
}

const namesOf = async ({ db, school }: Where, { entitlements }: Explained) => {
  const groups = entitlements.filter(one => one.item_type === 'group').map(one => one.item_id)
  return groups.length === 0 ? new Map<string, string>() : listGroupNames(db, school.id, groups)
}

/** Whether a member may use a course at an instant, and why, in data and in sentences. */
export const explain = async (where: Where, asked: Asked): Promise<Static<typeof Explanation>> => {
  const { db, school } = where
  const { member, courseId, isTold, language, isShown = true } = asked
  const now = await clockNow(db)
  const at = asked.at === undefined ? now : new Date(asked.at)
  const [explained, course] = await Promise.all([
    accessOf(db, school.id, { memberId: member.id, item: { type: 'course', id: courseId }, at }),
    findCourseName(db, school.id, courseId),
  ])
  const groups = await namesOf(where, explained)
  const { access, entitlements, holds } = explained
  const isHidden = !isShown && at >= now && access.state === 'active'
  const view = accessView(explained)
  const told = {
    isHidden,
    name: member.name,
    course: course ?? '',
    status: member.status,
    timeZone: member.time_zone ?? 'UTC',
    groups,
    now,
  }
  return {
    member_id: toId('mem', member.id),
    item: { type: 'course', id: toId('crs', courseId) },
    at: at.toISOString(),
    basis: at <= now ? 'recorded' : 'planned',
    has_access: access.state === 'active' && !isHidden,
    access: isHidden ? hiddenAccess(view) : view,
    entitlement_ids: access.entitlement_ids.map(id => toId('ent', id)),
    hold_ids: access.hold_ids.map(id => toId('hld', id)),
    next:
      access.next === undefined || isHidden
        ? null
        : { at: access.next.at.toISOString(), has_access: access.next.isOpen },
    entitlements: entitlements.map(one => entitlementView(one, { at, groups, isTold })),
    holds: holds.map(one => holdView(one, { at, isTold })),
    explanation: sentencesOf(explained, told, language),
  }
}

/** The language in which a caller is told something: the one they ask for, their own, the school's. */
export const languageFor = async ({ db, school, caller }: AsCaller, asked: Language | undefined): Promise<Language> => {
  if (asked !== undefined) return asked
  const own = await findMember(db, school.id, toId('mem', caller.member.id))
  return languageOf(own?.locale ?? school.locale)
}
