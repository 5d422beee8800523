// One thing: what waits, one statement over the tables of all areas, of which each part is bounded.
import { coursesTaughtBy } from '#src/areas/courses/index.ts'
import type { Db, Statement } from '#src/contract/db.ts'
import type { SubjectSet } from '#src/contract/subject.ts'
import { createdFrom } from '#src/db/created.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'
import { MAX_COUNTED, MAX_NAMED, type TodayValues, type WaitingKind } from './schema.ts'

/** For whom something waits: staff, or those who teach, of whose courses and comments only those are read. */
type WaitingFor = {
  readonly schoolId: string
  readonly taughtBy: string | undefined
  readonly subjects: readonly SubjectSet[]
  /** From when on questions without an answer are counted; what is older is not answered any more. */
  readonly askedFrom: Date
}

type Columns = {
  readonly at: Statement
  /** The number of an order. */
  readonly order?: Statement
  readonly name: Statement
  readonly about?: Statement
  readonly amount?: Statement
  readonly currency?: Statement
  /** Until when it has to be done. */
  readonly until?: Statement
}

const NOTHING = sql`null`

const rows = (
  { at, order = NOTHING, name, about = NOTHING, amount = NOTHING, currency = NOTHING, until = NOTHING }: Columns,
  from: Statement,
  where: Statement,
): Statement => sql`
  select (${at})::timestamptz as at, (${order})::text as "order", (${name})::text as name, (${about})::text as about,
    (${amount})::double precision as amount, (${currency})::text as currency, (${until})::timestamptz as until
  from ${from} where ${where} order by at limit ${MAX_COUNTED}`

const findName = (schoolId: string, id: Statement): Statement =>
  sql`(select m.name from members m where m.school_id = ${schoolId} and m.id = ${id})`

const findLesson = (schoolId: string, id: Statement): Statement =>
  sql`(select l.name from lessons l where l.school_id = ${schoolId} and l.id = ${id})`

const buildShop = (schoolId: string): Partial<Record<WaitingKind, Statement>> => {
  const number = sql`o.number`
  const buyer = findName(schoolId, sql`o.member_id`)
  const currency = sql`o.currency`
  const joinOrders = (table: Statement, alias: Statement): Statement =>
    sql`${table} ${alias} join orders o on o.school_id = ${schoolId} and o.id = ${alias}.order_id`
  const refund = { at: sql`r.created_at`, order: number, name: buyer, amount: sql`r.amount`, currency }
  return {
    transfers: rows(
      { at: sql`o.created_at`, order: number, name: buyer, amount: sql`o.total`, currency },
      sql`orders o`,
      sql`o.school_id = ${schoolId} and o.status = 'pending' and exists (select from payments p
        where p.school_id = ${schoolId} and p.order_id = o.id and p.provider = 'manual')`,
    ),
    disputes: rows(
      { at: sql`d.opened_at`, order: number, name: buyer, amount: sql`d.amount`, currency, until: sql`d.due_at` },
      joinOrders(sql`disputes`, sql`d`),
      sql`d.school_id = ${schoolId} and d.state = 'open'`,
    ),
    // Paid too late to be given and refunded, until a note says what staff did.
    not_given: rows(
      refund,
      joinOrders(sql`refunds`, sql`r`),
      sql`r.school_id = ${schoolId} and r.reason = 'late_payment' and o.note is null`,
    ),
    // A refund is repeated by a later one for the same order.
    failed_refunds: rows(
      refund,
      joinOrders(sql`refunds`, sql`r`),
      sql`r.school_id = ${schoolId} and r.state = 'failed' and not exists (select from refunds n
        where n.school_id = ${schoolId} and n.order_id = r.order_id and n.id > r.id)`,
    ),
  }
}

const buildSubscriptions = (schoolId: string): Partial<Record<WaitingKind, Statement>> => {
  const one = {
    name: findName(schoolId, sql`s.member_id`),
    about: sql`s.name`,
    currency: sql`s.price ->> 'currency'`,
  }
  return {
    credits: rows(
      { ...one, at: sql`coalesce(s.canceled_at, s.ends_at, s.updated_at)`, amount: sql`s.credit` },
      sql`subscriptions s`,
      sql`s.school_id = ${schoolId} and s.credit > 0 and s.status in ('canceled', 'completed', 'expired')`,
    ),
    past_due: rows(
      { ...one, at: sql`coalesce(s.past_due_since, s.updated_at)`, amount: sql`s.price ->> 'amount'` },
      sql`subscriptions s`,
      sql`s.school_id = ${schoolId} and s.status = 'past_due'`,
    ),
  }
}

const buildTeaching = ({ schoolId, taughtBy }: WaitingFor): Partial<Record<WaitingKind, Statement>> => {
  const taught = (column: Statement) => when(taughtBy, id => sql`${column} in (${coursesTaughtBy(schoolId, id)})`)
  const isAnswered = sql`(a.status in ('submitted', 'timed_out') or a.status = 'started' and a.expires_at <= (select now from clock))`
  return {
    works: rows(
      {
        at: sql`s.submitted_at`,
        name: findName(schoolId, sql`s.member_id`),
        about: findLesson(schoolId, sql`s.lesson_id`),
      },
      sql`submissions s`,
      joinConditions(sql`s.school_id = ${schoolId} and s.status = 'submitted'`, taught(sql`s.course_id`)),
    ),
    answers: rows(
      {
        at: sql`coalesce(a.submitted_at, a.timed_out_at, a.expires_at, a.created_at)`,
        name: findName(schoolId, sql`a.member_id`),
        about: findLesson(schoolId, sql`a.lesson_id`),
      },
      sql`quiz_attempts a`,
      joinConditions(sql`a.school_id = ${schoolId} and ${isAnswered}`, taught(sql`a.course_id`)),
    ),
    reviews: rows(
      { at: sql`r.created_at`, name: findName(schoolId, sql`r.member_id`), about: sql`c.name` },
      sql`reviews r join courses c on c.school_id = ${schoolId} and c.id = r.course_id and c.deleted_at is null`,
      joinConditions(sql`r.school_id = ${schoolId} and r.status = 'pending'`, taught(sql`r.course_id`)),
    ),
  }
}

const buildComments = ({
  schoolId,
  taughtBy,
  subjects,
  askedFrom,
}: WaitingFor): Partial<Record<WaitingKind, Statement>> => {
  const own = subjects
    .map(({ type, ids }) => sql`c.subject_type = ${type} and c.subject_id in (${ids})`)
    .reduce((left, right) => sql`${left} or ${right}`, sql`false`)
  const columns = {
    at: sql`c.created_at`,
    name: findName(schoolId, sql`c.member_id`),
    about: sql`left(c.body, 80)`,
  }
  return {
    comments: rows(columns, sql`comments c`, sql`c.school_id = ${schoolId} and c.status = 'pending' and (${own})`),
    questions: rows(
      columns,
      sql`comments c`,
      sql`c.school_id = ${schoolId} and c.status = 'published' and c.depth = 1 and c.author_role in ('student', 'member')
        and ${createdFrom({ at: sql`c.created_at`, id: sql`c.id` }, askedFrom)} and (${own})
        and not exists (select from comments a where a.school_id = ${schoolId} and a.root_id = c.id
          and a.status = 'published' and a.author_role in ('staff', 'lecturer'))`,
    ),
    ...(taughtBy === undefined && {
      reports: rows(columns, sql`comments c`, sql`c.school_id = ${schoolId} and c.open_reports > 0 and (${own})`),
    }),
  }
}

const buildOthers = (schoolId: string): Partial<Record<WaitingKind, Statement>> => ({
  // Only a date to come can be decided about.
  requests: rows(
    {
      at: sql`r.created_at`,

      name: sql`r.attendee_name`,
      about: sql`(select e.name from events e where e.school_id = ${schoolId} and e.id = r.event_id)`,
    },
    sql`occurrences o join registrations r on r.school_id = ${schoolId} and r.occurrence_id = o.id`,
    sql`o.school_id = ${schoolId} and o.status = 'scheduled' and o.starts_at > (select now from clock)
      and r.status = 'awaiting_approval'`,
  ),
  failed_mails: rows(
    { at: sql`parked_at`, name: sql`recipient`, about: sql`last_error` },
    sql`mails`,
    sql`school_id = ${schoolId} and parked_at is not null`,
  ),
})

/** Something that waits, as it is read. */
type WaitingRow = Omit<TodayValues['waiting'][number], 'examples'> & {
  readonly examples: TodayValues['waiting'][number]['examples']
}

const summed = (kind: string, found: Statement): Statement<WaitingRow> => sql<WaitingRow>`
  select ${kind}::text as kind, count(*)::integer as count, min(at) as since, min(until) as until,
    jsonb_agg(jsonb_build_object('order', "order", 'name', name, 'about', about, 'amount', amount, 'currency', currency) order by n)
      filter (where n <= ${MAX_NAMED}) as examples
  from (select f.*, row_number() over (order by at) as n from (${found}) as f) as numbered having count(*) > 0`

/** What waits for staff, or for somebody who teaches: of each kind how much, since when, and the oldest. */
export const listWaiting = (db: Db, by: WaitingFor) => {
  const { schoolId, taughtBy } = by
  const isStaff = taughtBy === undefined
  const parts = {
    ...(isStaff && { ...buildShop(schoolId), ...buildSubscriptions(schoolId) }),
    ...buildTeaching(by),
    ...buildComments(by),
    ...(isStaff && buildOthers(schoolId)),
  }
  const all = Object.entries(parts).map(([kind, found]) => summed(kind, found))
  const found = all.reduce((left, right) => sql<WaitingRow>`${left} union all ${right}`)
  return db.all(sql<WaitingRow>`with clock as materialized (select stoa.now() as now) ${found}`)
}
