import { buildProfiles, profileSeenBy } from '#src/areas/courses/index.ts'
import { entitledTo } from '#src/areas/learning/index.ts'
import type { Field } from '#src/areas/publishing/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import { buildColumns } from '#src/db/columns.ts'
import { instantKey, type List, textKey } from '#src/db/list.ts'
import { isAddressed } from '#src/db/slugs.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { fold } from '#src/kit/text.ts'
import { eventSlugs } from './conditions.ts'
import type { EventLocation } from './schema.ts'

type Stored = {
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly kind: 'online' | 'in_person' | 'hybrid'
  readonly location: EventLocation | null
  readonly meeting_url: string | null
  readonly capacity: number | null
  readonly waitlist: boolean
  readonly approval_holds_seat: boolean
  readonly visibility: 'public' | 'members' | 'private'
  readonly group_ids: readonly string[]
  readonly plan_ids: readonly string[]
  readonly questions: readonly Field[]
  readonly course_id: string | null
  readonly image_file_id: string | null
  readonly seo_title: string | null
  readonly seo_description: string | null
  readonly comments: 'open' | 'closed' | 'off'
  readonly cancellation_until: number
  readonly refund_rule: 'full' | 'none' | 'until'
  readonly external_id: string | null
}

/** What is stored of an event as its settings say. */
export type EventValues = Stored & { readonly lecturer_ids: readonly string[] }

/** When the first occurrence of an event starts, and how the others follow from it. */
export type EventDates = {
  readonly starts_local: string
  readonly time_zone: string
  readonly duration_minutes: number
  readonly recurrence: {
    readonly rule: string
    readonly until: string | null
    readonly count: number | null
    readonly except: readonly string[]
  } | null
}

/** An event as a viewer sees it. */
export type EventRow = EventValues &
  EventDates & {
    readonly id: string
    readonly name_folded: string
    /** Whether the viewer is one of its hosts. */
    readonly is_host: boolean
    readonly status: 'draft' | 'published' | 'cancelled'
    readonly occurrence_count: number
    /** The date that is now or comes next; null: none does. */
    readonly next_id: string | null
    /** The order of lists: when the next date starts, or the last one started. */
    readonly listed_at: Date
    readonly is_live: boolean
    readonly published_at: Date | null
    readonly revision: number
    readonly changed_in: string
    readonly created_at: Date
    readonly updated_at: Date
  }

/** The viewer of events: staff see every event, others what is meant for them, and hosts also their own. */
export type EventViewer = { readonly memberId: string | undefined; readonly isStaff: boolean }

/** The columns of the settings of an event. */
export const storedColumns = [
  ...(['name', 'slug', 'description', 'kind', 'location', 'meeting_url', 'capacity', 'visibility'] as const),
  ...(['waitlist', 'approval_holds_seat', 'group_ids', 'plan_ids', 'questions', 'course_id'] as const),
  ...(['image_file_id', 'seo_title', 'seo_description'] as const),
  ...(['comments', 'cancellation_until', 'refund_rule', 'external_id'] as const),
] as const satisfies readonly (keyof Stored)[]

const dateColumns = [
  'starts_local',
  'time_zone',
  'duration_minutes',
  'recurrence',
] as const satisfies readonly (keyof EventDates)[]

const isHost = (schoolId: string, { memberId }: EventViewer): Statement =>
  memberId === undefined
    ? sql`false`
    : sql`exists (
        select from event_lecturers el
        where el.school_id = ${schoolId} and el.event_id = ev.id
          and el.lecturer_id in (${buildProfiles(schoolId, memberId)}))`

// For the visible profiles of a statement with the row `cl`.
const hostsSeen = (schoolId: string, viewer: EventViewer): Statement => sql`
  select l.id from event_lecturers cl, lateral (${profileSeenBy(schoolId, viewer)}) l
  where cl.school_id = ${schoolId} and cl.event_id = ev.id`

const columnsFor = (
  schoolId: string,
  viewer: EventViewer,
): Statement => sql`ev.id, ${buildColumns('ev', storedColumns)},
  ${buildColumns('ev', dateColumns)}, ev.name_folded, ev.status, ev.published_at, ev.revision, ev.changed_in,
  ev.created_at, ev.updated_at, d.occurrence_count, d.next_id, ${listedAt} as listed_at, d.is_live,
  array(${hostsSeen(schoolId, viewer)} order by l.position, l.id) as lecturer_ids,
  ${isHost(schoolId, viewer)} as is_host`

const listedAt = sql`coalesce(d.next_at, d.last_at, date_trunc('milliseconds', ev.created_at))`

const fromFor = (schoolId: string): Statement => sql`events ev, lateral (
  select count(*) filter (where o.status = 'scheduled')::integer as occurrence_count,
    (array_agg(o.id order by o.starts_at, o.id) filter (where o.status = 'scheduled' and o.ends_at > c.now))[1] as next_id,
    min(o.starts_at) filter (where o.status = 'scheduled' and o.ends_at > c.now) as next_at,
    max(o.starts_at) as last_at,
    coalesce(bool_or(o.status = 'scheduled' and o.starts_at <= c.now and o.ends_at > c.now), false) as is_live
  from occurrences o, clock c where o.school_id = ${schoolId} and o.event_id = ev.id) d`

// Those for whom an event that is published is meant; in a statement with the `clock`.
const isMeantFor = (schoolId: string, { memberId }: EventViewer): Statement => {
  if (memberId === undefined) return sql`ev.visibility = 'public'`
  return sql`(ev.visibility <> 'private'
    or ${entitledTo(schoolId, memberId, { type: 'group', ids: sql`ev.group_ids` })}
    or ${entitledTo(schoolId, memberId, { type: 'membership_plan', ids: sql`ev.plan_ids` })})`
}

/** The condition that a viewer finds the event `ev`; in a statement with the `clock`. */
const seenBy = (schoolId: string, viewer: EventViewer): Statement => {
  if (viewer.isStaff) return sql`ev.deleted_at is null`
  const seen = sql`(ev.status <> 'draft' and ${isMeantFor(schoolId, viewer)})`
  return viewer.memberId === undefined
    ? sql`ev.deleted_at is null and ${seen}`
    : sql`ev.deleted_at is null and (${seen} or ${isHost(schoolId, viewer)})`
}

/** Which events are meant; what is undefined does not matter. */
export type EventFilter = {
  readonly viewer: EventViewer
  readonly q?: string | undefined
  readonly kind?: EventRow['kind'] | undefined
  readonly courseId?: string | undefined
  readonly lecturerId?: string | undefined
  readonly status?: EventRow['status'] | undefined
  readonly visibility?: EventRow['visibility'] | undefined
  /** Whether the viewer manages them. */
  readonly isManaged?: boolean | undefined
  readonly ids?: readonly string[] | undefined
  /** Whether no date is now or to come. */
  readonly isEnded?: boolean | undefined
  /** One of the dates starts in this period. */
  readonly startsFrom?: Date | undefined
  readonly startsBefore?: Date | undefined
}

const managedBy = (schoolId: string, viewer: EventViewer): Statement =>
  viewer.isStaff ? sql`true` : isHost(schoolId, viewer)

const startsIn = (schoolId: string, { startsFrom, startsBefore }: EventFilter): Statement | undefined =>
  startsFrom === undefined && startsBefore === undefined
    ? undefined
    : sql`exists (
        select from occurrences o where ${joinConditions(
          sql`o.school_id = ${schoolId} and o.event_id = ev.id and o.status = 'scheduled'`,
          when(startsFrom, at => sql`o.starts_at >= ${at}`),
          when(startsBefore, at => sql`o.starts_at < ${at}`),
        )})`

const hasDate = (schoolId: string): Statement => sql`exists (
  select from occurrences o
  where o.school_id = ${schoolId} and o.event_id = ev.id and o.status = 'scheduled' and o.ends_at > (select now from clock))`

const matching = (schoolId: string, filter: EventFilter): Statement =>
  joinConditions(
    sql`ev.school_id = ${schoolId} and ${seenBy(schoolId, filter.viewer)}`,
    when(filter.q, q => sql`ev.id in (select stoa.search('event', ${fold(q)}, null, null))`),
    when(filter.kind, kind => sql`ev.kind = ${kind}`),
    when(filter.courseId, id => sql`ev.course_id = ${id}`),
    when(filter.lecturerId, id => sql`exists (${hostsSeen(schoolId, filter.viewer)} and l.id = ${id})`),
    when(filter.status, status => sql`ev.status = ${status}`),
    when(filter.visibility, visibility => sql`ev.visibility = ${visibility}`),
    when(filter.isManaged, is => sql`(${managedBy(schoolId, filter.viewer)}) = ${is}`),
    when(filter.ids, ids => sql`ev.id = any (${ids}::uuid[])`),
    when(filter.isEnded, is => sql`(not ${hasDate(schoolId)}) = ${is}`),
    startsIn(schoolId, filter),
  )

/** The events of a filter, those that come next first. */
export const eventList = (schoolId: string, filter: EventFilter): List<EventRow> => ({
  columns: columnsFor(schoolId, filter.viewer),
  from: fromFor(schoolId),
  where: matching(schoolId, filter),
  id: sql`ev.id`,
  keys: {
    starts_at: instantKey(listedAt, row => row.listed_at),
    name: textKey(sql`ev.name_folded`, row => row.name_folded),
  },
  sort: 'starts_at',
  changedIn: sql`ev.changed_in`,
  hasClock: true,
  counted: { from: sql`events ev`, where: matching(schoolId, filter) },
})

const clock = sql`with clock as materialized (select stoa.now() as now)`

const named = (schoolId: string, ref: string): Statement => isAddressed(schoolId, ref, eventSlugs, sql`ev`)

/** The event in a path, if the viewer may find it. */
export const findEventRow = (db: Db, schoolId: string, viewer: EventViewer, ref: string) =>
  db.first(sql<EventRow>`
    ${clock} select ${columnsFor(schoolId, viewer)} from ${fromFor(schoolId)}
    where ${named(schoolId, ref)} and ${seenBy(schoolId, viewer)}`)

/** Locks the event in a path until the transaction ends and returns its UUID; its values are read afterwards. */
export const lockEventRow = async (db: Db, schoolId: string, ref: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select ev.id from events ev where ${named(schoolId, ref)} and ev.deleted_at is null for no key update of ev`)
  )?.id

/** The names of those of some events that a viewer finds. */
export const listSeenNames = (
  db: Db,
  schoolId: string,
  viewer: EventViewer,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> =>
  db.all(sql<{ id: string; name: string }>`
    ${clock} select ev.id, ev.name from events ev
    where ev.school_id = ${schoolId} and ${seenBy(schoolId, viewer)} and ev.id = any (${ids}::uuid[])`)

/** The events whose comments a viewer reads without naming one: staff all that exist, others those that they host. */
export const eventsCommentedFor = (schoolId: string, viewer: EventViewer): Statement =>
  sql`select ev.id from events ev
    where ev.school_id = ${schoolId} and ev.deleted_at is null and ${managedBy(schoolId, viewer)}`

const ANYBODY: EventViewer = { memberId: undefined, isStaff: false }

const isPublic = (schoolId: string): Statement =>
  sql`ev.school_id = ${schoolId} and ${seenBy(schoolId, ANYBODY)} and ev.status = 'published'`

/** The slugs of the published events that anybody finds, the oldest first. */
export const listPublicEvents = (
  db: Db,
  schoolId: string,
  { from, rows }: { readonly from: number; readonly rows: number },
): Promise<{ slug: string; updated_at: Date }[]> =>
  db.all(sql<{ slug: string; updated_at: Date }>`
    select ev.slug, ev.updated_at from events ev where ${isPublic(schoolId)}
    order by ev.id limit ${rows} offset ${from}`)

/** How many published events anybody finds. */
export const countPublicEvents = async (db: Db, schoolId: string): Promise<number> =>
  (await db.one(sql<{ count: number }>`select count(*)::integer as count from events ev where ${isPublic(schoolId)}`))
    .count

/** Those of some ids that are groups of the school. */
export const listGroups = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select g.id from groups g where g.school_id = ${schoolId} and g.id = any (${ids}::uuid[])`)
  ).map(({ id }) => id)

/** Those of some ids that are profiles of lecturers of the school. */
export const listProfiles = async (db: Db, schoolId: string, ids: readonly string[]): Promise<string[]> =>
  (
    await db.all(sql<{ id: string }>`
      select l.id from lecturers l where l.school_id = ${schoolId} and l.id = any (${ids}::uuid[])
      order by l.id for key share`)
  ).map(({ id }) => id)

/** The members who host an event; a profile without a member counts for nobody. */
export const listHosts = async (db: Db, schoolId: string, eventId: string): Promise<string[]> =>
  (
    await db.all(sql<{ member_id: string }>`
      select distinct l.member_id
      from event_lecturers el join lecturers l on l.school_id = el.school_id and l.id = el.lecturer_id
      where el.school_id = ${schoolId} and el.event_id = ${eventId} and l.member_id is not null order by l.member_id`)
  ).map(({ member_id: id }) => id)
