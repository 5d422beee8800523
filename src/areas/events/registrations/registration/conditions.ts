import type { Departure } from '#src/areas/people/index.ts'
import type { StoredAnswer } from '#src/areas/publishing/index.ts'
import type { Recorded, Statement } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { foldCode, type RegistrationStatus } from '../rules.ts'

/** Who ended a registration. */
export type CancelledBy = 'person' | 'host' | 'event' | 'refund' | Departure | 'payment'

/** A registration as stored, with its date. */
export type RegistrationRow = Recorded & {
  readonly id: string
  readonly event_id: string
  readonly event_name: string
  readonly occurrence_id: string
  readonly starts_at: Date
  readonly ends_at: Date
  readonly starts_local: string
  readonly time_zone: string
  readonly is_over: boolean
  readonly ticket_type_id: string | null
  readonly ticket_name: string | null
  readonly price_id: string | null
  readonly member_id: string | null
  readonly order_id: string | null
  readonly line_id: string | null
  readonly status: RegistrationStatus
  readonly amount: number | null
  readonly attendee_name: string
  readonly attendee_email: string | null
  readonly answers: readonly StoredAnswer[]
  readonly code: string
  readonly hold_until: Date | null
  readonly confirmed_at: Date | null
  readonly checked_in_at: Date | null
  readonly cancelled_at: Date | null
  readonly cancelled_by: CancelledBy | null
  readonly changed_in: string
}

const columnsWith = (
  email: Statement,
): Statement => sql`r.id, r.event_id, ev.name as event_name, r.occurrence_id, o.starts_at, o.ends_at, o.starts_local, o.time_zone,
  o.ends_at <= (select now from clock) as is_over, r.ticket_type_id, t.name as ticket_name, r.price_id, r.member_id,
  l.order_id, r.line_id, r.status, r.amount::double precision as amount, r.attendee_name, ${email} as attendee_email, r.answers,
  r.code, r.hold_until, r.confirmed_at, r.checked_in_at, r.cancelled_at, r.cancelled_by, r.revision, r.changed_in,
  r.created_at, r.updated_at`

/** The columns of a registration `r` with its date, in a statement that begins with the clock. */
export const registrationColumns = columnsWith(sql`r.attendee_email`)

/** A registration `r` with its date, its event, its ticket and the line that pays for it. */
export const registrationTables = (schoolId: string): Statement => sql`registrations r
  join occurrences o on o.school_id = ${schoolId} and o.id = r.occurrence_id
  join events ev on ev.school_id = ${schoolId} and ev.id = r.event_id
  left join ticket_types t on t.school_id = ${schoolId} and t.id = r.ticket_type_id
  left join order_lines l on l.school_id = ${schoolId} and l.id = r.line_id`

/** Which registrations are meant; what is undefined does not matter. */
export type RegistrationFilter = {
  readonly eventId?: string | undefined
  readonly occurrenceId?: string | undefined
  readonly ticketTypeId?: string | undefined
  readonly memberId?: string | undefined
  readonly status?: RegistrationStatus | undefined
  readonly isCheckedIn?: boolean | undefined
  /** Part of the name, the address or the code, folded. */
  readonly q?: string | undefined
  /** Whether the reader may not have addresses: then nobody is found by them. */
  readonly hidesEmail?: boolean | undefined
}

const buildWords = ({ hidesEmail }: RegistrationFilter): Statement =>
  hidesEmail === true ? sql`r.name_folded` : sql`r.words_folded`

const matching = (schoolId: string, filter: RegistrationFilter): Statement =>
  joinConditions(
    sql`r.school_id = ${schoolId}`,
    when(filter.eventId, id => sql`r.event_id = ${id}`),
    when(filter.occurrenceId, id => sql`r.occurrence_id = ${id}`),
    when(filter.ticketTypeId, id => sql`r.ticket_type_id = ${id}`),
    when(filter.memberId, id => sql`r.member_id = ${id}`),
    when(filter.status, status => sql`r.status = ${status}`),
    when(filter.isCheckedIn, is => sql`(r.status = 'checked_in') = ${is}::boolean`),
    when(
      filter.q,
      q =>
        sql`(strpos(${buildWords(filter)}, ${q}) > 0 or stoa.has_words(${buildWords(filter)}, (select stoa.searched_parts(${q}))) or r.code = ${foldCode(q)})`,
    ),
  )

/** The registrations of a filter. */
export const registrationList = (
  schoolId: string,
  filter: RegistrationFilter,
  sort = 'created_at',
): List<RegistrationRow> => ({
  columns: filter.hidesEmail === true ? columnsWith(sql`null::text`) : registrationColumns,
  from: registrationTables(schoolId),
  where: matching(schoolId, filter),
  id: sql`r.id`,
  sort,
  changedIn: sql`r.changed_in`,
  hasClock: true,
  counted: { from: sql`registrations r`, where: matching(schoolId, filter) },
})
