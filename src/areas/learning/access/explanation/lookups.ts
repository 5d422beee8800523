import type { Static } from 'typebox'
import { findCourseName } from '#src/areas/courses/index.ts'
import { findMember, type MemberRow } from '#src/areas/people/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { type Language, toLanguage } from '#src/contract/language.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { readReadingSettings } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { bundleNames } from '../hooks.ts'
import { clockNow, type Explained, readAccess } from '../lookups.ts'
import { isBundle } from '../rules.ts'
import type { Explanation } from './schema.ts'
import { listSentences } from './text.ts'
import { accessView, entitlementView, hiddenAccess, holdView } from './views.ts'

type ExplainInput = {
  readonly member: MemberRow
  readonly courseId: string
  readonly at?: Date | undefined
  /** Access that was already read, instead of `at`. */
  readonly explained?: Explained
  readonly language: Language
  /** Whether the reasons and notes of the staff are included. */
  readonly withReasons: boolean
  /** Whether the course is now visible to the caller; does not affect the past. */
  readonly isVisible?: boolean
}

const namesOfBundles = async (
  context: SchoolContext,
  { entitlements }: Explained,
): Promise<ReadonlyMap<string, string>> => {
  const byType = Map.groupBy(
    entitlements.flatMap(({ item_type: type, item_id: id }) => (isBundle(type) ? [{ type, id }] : [])),
    ({ type }) => type,
  )
  const inputs = [...byType].map(([type, bundles]) => ({ type, ids: [...new Set(bundles.map(({ id }) => id))] }))
  const names = await Promise.all(inputs.map(input => bundleNames.call(input, context)))
  return new Map(names.flat().flatMap(found => [...found]))
}

/** Whether a member may use a course at an instant, and why, in data and in sentences. */
export const explain = async (context: SchoolContext, input: ExplainInput): Promise<Static<typeof Explanation>> => {
  const { db, school } = context
  const { member, courseId, withReasons, language, isVisible = true } = input
  const now = input.explained?.at ?? (await clockNow(db))
  const at = input.at ?? now
  const [explained, course] = await Promise.all([
    input.explained ?? readAccess(db, school.id, { memberId: member.id, item: { type: 'course', id: courseId }, at }),
    findCourseName(db, school.id, courseId),
  ])
  const bundles = await namesOfBundles(context, explained)
  const timeZone = member.time_zone ?? (await readReadingSettings(db, school.id, member.id)).timeZone
  const { access, entitlements, holds } = explained
  const isHidden = !isVisible && at >= now && access.state === 'active'
  const view = accessView(explained)
  const subject = {
    isHidden,
    name: member.name,
    course: course ?? '',
    status: member.status,
    timeZone,
    bundles,
    now,
  }
  return {
    member_id: member.id,
    item: { type: 'course', id: toId('crs', courseId) },
    at,
    basis: at <= now ? 'recorded' : 'planned',
    has_access: access.state === 'active' && !isHidden,
    access: isHidden ? hiddenAccess(view) : view,
    entitlement_ids: [...access.entitlement_ids],
    hold_ids: [...access.hold_ids],
    next: access.next === undefined || isHidden ? null : { at: access.next.at, has_access: access.next.isOpen },
    entitlements: entitlements.map(one => entitlementView(one, { explained, bundles, withReasons })),
    holds: holds.map(one => holdView(one, { at, withReasons })),
    explanation: listSentences(explained, subject, language),
  }
}

/** The language of the explanation: the requested one, else the caller's, else the school's. */
export const languageFor = async (
  { db, school, caller }: AsCaller,
  requested: Language | undefined,
): Promise<Language> => {
  if (requested !== undefined) return requested
  const own = await findMember(db, school.id, caller.member.id)
  return toLanguage(own?.locale ?? school.locale)
}
