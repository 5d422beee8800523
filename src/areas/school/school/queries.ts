import type { Db, Recorded } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import type { Settings } from './schema.ts'

/** A school as it is stored. */
export type SchoolRow = Recorded<Settings> & {
  readonly id: string
  readonly base_url: string
  readonly pages_url: string | null
}

// The host for static pages has the scheme of the school.
const pagesUrl = sql`(select split_part(base_url, ':', 1) || '://' || h.host from hosts h
    where h.school_id = schools.id and h.purpose = 'pages') as pages_url`

const columns = sql`id, base_url, ${pagesUrl}, name, description, contact_email, locale, supported_locales, time_zone, currency, country,
  signup_mode, review_mode, revision, created_at, updated_at`

/** The school's row. */
export const getSchoolRow = (db: Db, schoolId: string) =>
  db.one(sql<SchoolRow>`select ${columns} from schools where id = ${schoolId}`)

/** The school's row, locked until the transaction ends. */
export const lockSchoolRow = (db: Db, schoolId: string) =>
  db.one(sql<SchoolRow>`select ${columns} from schools where id = ${schoolId} for update`)

/** Stores the settings as the next revision. */
export const storeSettings = (db: Db, schoolId: string, settings: Settings) =>
  db.one(sql<SchoolRow>`
    update schools set
      name = ${settings.name}, description = ${settings.description}, contact_email = ${settings.contact_email},
      locale = ${settings.locale}, supported_locales = ${settings.supported_locales}, time_zone = ${settings.time_zone},
      currency = ${settings.currency}, country = ${settings.country}, signup_mode = ${settings.signup_mode},
      review_mode = ${settings.review_mode},
      revision = revision + 1, updated_at = (select stoa.now())
    where id = ${schoolId}
    returning ${columns}`)

/** A line of the audit log with the name of who did it. */
export type AuditRow = {
  readonly id: string
  readonly recorded_at: Date
  readonly member_id: string | null
  readonly member_name: string | null
  readonly client_id: string | null
  readonly actor: 'anonymous' | 'operator' | null
  readonly operation: string
  readonly resource_ids: string[]
  readonly resource_count: number
  readonly fields: string[]
  readonly revision: number | null
  readonly request_id: string
}

/** Which lines of the audit log are wanted; `from` and `until` are ids, which grow with time. */
export type AuditFilter = {
  readonly memberId: string | undefined
  readonly operation: string | undefined
  readonly from: string | undefined
  readonly until: string | undefined
}

// The statement has only the conditions of the filter, so that the planner finds the index.
const matching = (schoolId: string, { memberId, operation, from, until }: AuditFilter) =>
  joinConditions(
    sql`a.school_id = ${schoolId}`,
    when(memberId, id => sql`a.member_id = ${id}`),
    when(operation, id => sql`a.operation = ${id}`),
    when(from, id => sql`a.id >= ${id}`),
    when(until, id => sql`a.id < ${id}`),
  )

/** The audit log, newest first, before `before`. */
export const listAudit = (db: Db, schoolId: string, filter: AuditFilter, rows: number, before: string | undefined) =>
  db.all(sql<AuditRow>`
    select a.id, a.recorded_at, a.member_id, m.name as member_name, a.client_id, a.actor, a.operation,
      a.resource_ids, a.resource_count, a.fields, a.revision, a.request_id
    from audit_log a left join members m on m.school_id = a.school_id and m.id = a.member_id
    where ${joinConditions(
      matching(schoolId, filter),
      when(before, id => sql`a.id < ${id}`),
    )}
    order by a.id desc limit ${rows}`)

/** How many lines of the audit log a filter has. */
export const countAudit = async (db: Db, schoolId: string, filter: AuditFilter): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from audit_log a where ${matching(schoolId, filter)}`)
  ).count

/** A time zone a school had, since when. */
export type ZonePeriod = { readonly since: Date; readonly time_zone: string }

/** The time zones a school had, the earliest first, which counts for the time before it too. */
export const listTimeZones = (db: Db, schoolId: string) =>
  db.all(sql<ZonePeriod>`
    select since, time_zone from school_time_zones where school_id = ${schoolId} order by since`)
