import type { Role } from '#src/contract/caller.ts'
import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { createdBefore, createdFrom } from '#src/db/created.ts'
import { type List, textKey } from '#src/db/list.ts'
import { inAll, listRanges, type Range } from '#src/db/ranges.ts'
import { isNamed } from '#src/db/ref.ts'
import { type FoundWords, isFound } from '#src/db/search.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { fold, foldEmail } from '#src/kit/text.ts'

/** A value of a custom field. */
export type CustomValue = string | number | boolean

/** A member as stored. */
export type MemberRow = Recorded & {
  readonly id: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
  readonly name_folded: string
  readonly email_folded: string
  readonly phone: string | null
  readonly locale: string | null
  readonly time_zone: string | null
  readonly status: 'invited' | 'active' | 'suspended' | 'deleted'
  readonly role: Role
  readonly tags: readonly string[]
  readonly custom_fields: Readonly<Record<string, CustomValue>>
  readonly marketing_granted: boolean
  readonly marketing_at: Date | null
  readonly marketing_source: string | null
  /** Whether the person themselves said so. */
  readonly marketing_by_person: boolean
  readonly external_id: string | null
  /** When they joined, if that was before they were added. */
  readonly joined_at: Date | null
  readonly last_seen_at: Date | null
  readonly suspended_at: Date | null
  readonly suspended_for: string | null
  readonly changed_in: string
}

// The columns of a member `m` of a school.
const memberColumns = (
  schoolId: string,
): Statement => sql`m.id, m.email, m.email_verified, m.name, m.name_folded, m.email_folded, m.phone, m.locale, m.time_zone,
  m.status, m.role, m.custom_fields, m.marketing_granted, m.marketing_at, m.marketing_source, m.marketing_by_person,
  m.external_id, m.joined_at, m.last_seen_at,
  m.suspended_at, m.suspended_for, m.revision, m.changed_in, m.created_at, m.updated_at,
  array(select t.tag from member_tags t where t.school_id = ${schoolId} and t.member_id = m.id order by t.tag) as tags`

/** A member as locked for a change, who may have a password. */
export type LockedMember = MemberRow & { readonly has_password: boolean }

/** The columns of a locked member `m` of a school. */
export const lockedColumns = (schoolId: string): Statement => sql`${memberColumns(schoolId)},
  exists (select from credentials c where c.school_id = ${schoolId} and c.member_id = m.id) as has_password`

/** The filter of a list of members; undefined fields do not filter. */
export type MemberFilter = {
  readonly q?: string | undefined
  /** The result of `q`, if it was already looked up. */
  readonly found?: FoundWords | undefined
  readonly email?: string | undefined
  readonly status?: MemberRow['status'] | undefined
  readonly role?: Role | undefined
  readonly tag?: string | undefined
  readonly groupId?: string | undefined
  readonly courseId?: string | undefined
  readonly withoutOwners?: boolean | undefined
  readonly seenWithinDays?: number | undefined
  readonly notSeenForDays?: number | undefined
  readonly ids?: readonly string[] | undefined
  readonly createdFrom?: Date | undefined
  readonly createdBefore?: Date | undefined
  readonly updatedFrom?: Date | undefined
  readonly seenFrom?: Date | undefined
  readonly seenBefore?: Date | undefined
}

// Deleted members are listed only on request: by their status, or by their whole address, which stays theirs.
const ofStatus = ({ status, email }: MemberFilter): Statement | undefined => {
  if (status !== undefined) return sql`m.status = ${status}`
  return email === undefined ? sql`m.status <> 'deleted'` : undefined
}

const inGroup = (schoolId: string, groupId: string): Statement => sql`m.id in (
  select g.member_id from group_members g where g.school_id = ${schoolId} and g.group_id = ${groupId})`

const tagged = (schoolId: string, tag: string): Statement => sql`m.id in (
  select t.member_id from member_tags t where t.school_id = ${schoolId} and t.tag = ${tag})`

const inCourse = (schoolId: string, courseId: string): Statement => sql`m.id in (
  select e.member_id from enrollments e where e.school_id = ${schoolId} and e.course_id = ${courseId})`

const NOW = sql`(select stoa.now())`

const inDays = (days: number): Statement => sql`make_interval(days => ${days}::integer)`

// A statement reads the clock once.
const seen = (
  { seenWithinDays: within, notSeenForDays: before }: MemberFilter,
  now: Statement,
): Statement | undefined => {
  if (within !== undefined && before !== undefined)
    return sql`${now} - m.last_seen_at between ${inDays(before)} and ${inDays(within)}`
  if (within !== undefined) return sql`m.last_seen_at >= ${now} - ${inDays(within)}`
  return when(before, days => sql`(m.last_seen_at < ${now} - ${inDays(days)} or m.last_seen_at is null)`)
}

const MEMBER = { kind: 'member', id: sql`m.id` } as const

const CREATED = { at: sql`m.created_at`, id: sql`m.id` } as const

const ranges = (schoolId: string, filter: MemberFilter): readonly Range[] =>
  listRanges(sql`m.school_id = ${schoolId}`, [
    { column: sql`m.updated_at`, from: filter.updatedFrom },
    { column: sql`m.last_seen_at`, from: filter.seenFrom, before: filter.seenBefore },
  ])

const withoutRanges = (schoolId: string, filter: MemberFilter, now = NOW): Statement =>
  joinConditions(
    sql`m.school_id = ${schoolId}`,
    ofStatus(filter),
    when(filter.q, q => isFound(MEMBER, q, filter.found)),
    when(filter.email, email => sql`m.email_folded = ${foldEmail(email)}`),
    when(filter.role, role => sql`m.role = ${role}`),
    when(filter.tag, tag => tagged(schoolId, tag)),
    when(filter.groupId, id => inGroup(schoolId, id)),
    when(filter.courseId, id => inCourse(schoolId, id)),
    when(filter.withoutOwners || undefined, () => sql`m.role <> 'owner'`),
    seen(filter, now),
    when(filter.ids, ids => sql`m.id = any (${ids}::uuid[])`),
    when(filter.createdFrom, at => createdFrom(CREATED, at)),
    when(filter.createdBefore, at => createdBefore(CREATED, at)),
  )

/** The conditions of a filter on the members `m` of a school; `now` where the statement reads the clock itself. */
export const matching = (schoolId: string, filter: MemberFilter, now = NOW): Statement =>
  joinConditions(withoutRanges(schoolId, filter, now), inAll(ranges(schoolId, filter)))

// Every member that is found is looked at when they are counted, so they are joined.
const countedBy = (schoolId: string, { q, found, ...others }: MemberFilter) =>
  q === undefined || found !== 'most'
    ? undefined
    : {
        from: sql`members m join stoa.search_many('member', ${fold(q)}) as f (id) on f.id = m.id`,
        where: withoutRanges(schoolId, others),
      }

// What most members have is looked for in the order of the list.
const buildConditions = (schoolId: string, { q, found, ...others }: MemberFilter) => {
  const isMost = q !== undefined && found === 'most'
  const condition = isMost ? isFound(MEMBER, q, found) : undefined
  return {
    where: withoutRanges(schoolId, isMost ? others : { q, found, ...others }),
    checked: { table: sql`members`, alias: sql`m`, condition, ranges: ranges(schoolId, others) },
  }
}

/** The members of a filter. */
export const memberList = (schoolId: string, filter: MemberFilter): List<MemberRow> => {
  const counted = countedBy(schoolId, filter)
  return {
    columns: memberColumns(schoolId),
    from: sql`members m`,
    ...buildConditions(schoolId, filter),
    id: sql`m.id`,
    keys: {
      name: textKey(sql`m.name_folded`, row => row.name_folded),
      email: textKey(sql`m.email_folded`, row => row.email_folded),
    },
    changedIn: sql`m.changed_in`,
    ...(counted === undefined ? {} : { counted }),
  }
}

/** The ids of the members of a filter, at most so many, the oldest first. */
export const listMatchingIds = async (
  db: Db,
  schoolId: string,
  filter: MemberFilter,
  most: number,
): Promise<readonly string[]> => {
  const rows = await db.all(sql<{ id: string }>`
    select m.id from members m where ${matching(schoolId, filter)} order by m.id limit ${most}`)
  return rows.map(({ id }) => id)
}

const named = (schoolId: string, ref: string): Statement => sql`
  m.school_id = ${schoolId} and ${isNamed(ref, { id: sql`m.id`, external: sql`m.external_id` })}`

/** The member in a path, deleted ones too. */
export const findMember = (db: Db, schoolId: string, ref: string) =>
  db.first(sql<MemberRow>`select ${memberColumns(schoolId)} from members m where ${named(schoolId, ref)}`)

/** The same, locked until the transaction ends. */
export const lockNamedMember = (db: Db, schoolId: string, ref: string) =>
  db.first(
    sql<LockedMember>`select ${lockedColumns(schoolId)} from members m where ${named(schoolId, ref)} for no key update of m`,
  )

/** The fields of a member that staff can write. */
export type MemberValues = Pick<
  MemberRow,
  | 'email'
  | 'email_verified'
  | 'name'
  | 'phone'
  | 'locale'
  | 'time_zone'
  | 'external_id'
  | 'joined_at'
  | 'custom_fields'
  | 'marketing_granted'
  | 'marketing_source'
  | 'marketing_by_person'
>

/** Stores a new member without credentials. */
export const insertInvited = (db: Db, schoolId: string, id: string, member: MemberValues) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into members (school_id, id, email, email_folded, email_verified, name, name_folded, phone, locale, time_zone,
      external_id, joined_at, custom_fields, marketing_granted, marketing_at, marketing_source, role, status, invited_at,
      created_at, updated_at)
    select ${schoolId}, ${id}, ${member.email}, ${foldEmail(member.email)}, false, ${member.name}, ${fold(member.name)},
      ${member.phone}, ${member.locale}, ${member.time_zone}, ${member.external_id}, ${member.joined_at},
      ${JSON.stringify(member.custom_fields)},
      ${member.marketing_granted}, case when ${member.marketing_source}::text is not null then now end, ${member.marketing_source},
      'member', 'invited', now, now, now
    from clock`)

/**
 * The folded address of a member after a change: an address that stays, and that another member has in another spelling of its
 * domain, is compared as before until the two are merged.
 */
export const foldedFor = (
  schoolId: string,
  { id, email, folded }: { readonly id: Statement; readonly email: Statement; readonly folded: Statement },
): Statement => sql`
  case when m.email = ${email} and exists (
    select from members o where o.school_id = ${schoolId} and o.email_folded = ${folded} and o.id <> ${id})
  then m.email_folded else ${folded} end`

/** Stores the fields of a member as the next revision. */
export const storeMember = (db: Db, schoolId: string, id: string, member: MemberValues) =>
  db.one(sql<MemberRow>`
    with clock as materialized (select stoa.now() as now)
    update members m set email = ${member.email}, email_folded = ${foldedFor(schoolId, { id: sql`${id}::uuid`, email: sql`${member.email}`, folded: sql`${foldEmail(member.email)}` })},
      email_verified = ${member.email_verified}, name = ${member.name}, name_folded = ${fold(member.name)},
      phone = ${member.phone}, locale = ${member.locale}, time_zone = ${member.time_zone}, external_id = ${member.external_id},
      joined_at = ${member.joined_at}, custom_fields = ${JSON.stringify(member.custom_fields)},
      marketing_at = case when marketing_granted = ${member.marketing_granted}
        and marketing_source is not distinct from ${member.marketing_source} then marketing_at else (select now from clock) end,
      marketing_granted = ${member.marketing_granted}, marketing_source = ${member.marketing_source},
      marketing_by_person = ${member.marketing_by_person},
      revision = revision + 1, updated_at = (select now from clock)
    where m.school_id = ${schoolId} and m.id = ${id}
    returning ${memberColumns(schoolId)}`)

/** Raises a member's revision after a change of related data. */
export const touchMember = (db: Db, schoolId: string, id: string) =>
  db.one(sql<MemberRow>`
    update members m set revision = revision + 1, updated_at = (select stoa.now())
    where m.school_id = ${schoolId} and m.id = ${id}
    returning ${memberColumns(schoolId)}`)

/** Moves a member to another status; that somebody was suspended when they were deleted is kept. */
export const storeStatus = (
  db: Db,
  schoolId: string,
  id: string,
  { status, reason }: { readonly status: MemberRow['status']; readonly reason?: string | undefined },
) =>
  db.one(sql<MemberRow>`
    with clock as materialized (select stoa.now() as now)
    update members m set status = ${status},
      suspended_at = case ${status} when 'suspended' then (select now from clock) when 'deleted' then m.suspended_at end,
      suspended_for = case when ${status} = 'deleted' then m.suspended_for else ${reason} end,
      deleted_at = case when ${status} = 'deleted' then (select now from clock) end,
      revision = revision + 1, updated_at = (select now from clock)
    where m.school_id = ${schoolId} and m.id = ${id}
    returning ${memberColumns(schoolId)}`)

/** The names of some members. */
export const readNames = async (
  db: Db,
  schoolId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.all(sql<{ id: string; name: string }>`
    select id, name from members where school_id = ${schoolId} and id = any (${ids}::uuid[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
