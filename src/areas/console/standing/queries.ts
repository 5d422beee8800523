import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import type { StandingValues } from './schema.ts'

// So many mails are counted at most.
const MOST = 10_000

type MailTest = NonNullable<StandingValues['mail']['test']>

/** What a school needs before it sells, as far as its rows say. */
type ReadyRow = {
  readonly has_look: boolean
  readonly mail_accepted_at: Date | null
  readonly mail_accepted_from: string | null
  readonly terms: { readonly title: string; readonly is_published: boolean } | null
  readonly is_priced: boolean
  readonly is_on_sale: boolean
}

/** What else a school has. */
type CountsRow = Pick<StandingValues, 'certificates' | 'fields' | 'tags'> &
  StandingValues['staff'] & {
    readonly languages: string[]
    readonly providers: string[]
    readonly last_paid_at: Date | null
  }

type Sold = {
  readonly price: Statement
  readonly item: Statement
  readonly by: Statement
  readonly isPublic: Statement
}

// What has prices. A ticket is of an event, which is what is published.
const sold: readonly Sold[] = [
  {
    price: sql`course_prices`,
    item: sql`courses`,
    by: sql`i.id = p.course_id`,
    isPublic: sql`i.status = 'published'`,
  },
  {
    price: sql`product_prices`,
    item: sql`digital_products`,
    by: sql`i.id = p.product_id`,
    isPublic: sql`i.status = 'published'`,
  },
  {
    price: sql`plan_prices`,
    item: sql`membership_plans`,
    by: sql`i.id = p.plan_id`,
    isPublic: sql`i.status = 'active'`,
  },
  {
    price: sql`ticket_prices p join ticket_types t on t.school_id = p.school_id and t.id = p.ticket_type_id join events`,
    item: sql`i`,
    by: sql`i.id = t.event_id`,
    isPublic: sql`i.status = 'published'`,
  },
]

const anyPriced = (schoolId: string, isOnSale: boolean): Statement =>
  sold
    .map(({ price, item, by, isPublic }, at) => {
      const tables = at === sold.length - 1 ? sql`${price} ${item}` : sql`${price} p join ${item} i`
      return sql`exists (select from ${tables} on i.school_id = ${schoolId} and ${by} and i.deleted_at is null
        where p.school_id = ${schoolId} and p.status = 'active' and p.payment_type <> 'free'
          and ${isOnSale ? isPublic : sql`true`})`
    })
    .reduce((left, right) => sql`${left} or ${right}`)

const countStaff = (schoolId: string, role: string): Statement => sql`(
  select count(*)::integer from members where school_id = ${schoolId} and role = ${role} and status = 'active')`

/** What a school needs before it sells: its look, what a mail server accepted, its terms, and something with a price. */
export const readReadyRow = (db: Db, schoolId: string, termsPageId: string | null) =>
  db.one(sql<ReadyRow>`
    select s.look is not null as has_look, s.mail_accepted_at, s.mail_accepted_from,
      (select jsonb_build_object('title', v.title, 'is_published', p.status = 'published') from pages p
        join page_versions v on v.school_id = p.school_id and v.page_id = p.id and v.number = p.version
        where p.school_id = ${schoolId} and p.id = ${termsPageId}::uuid) as terms,
      ${anyPriced(schoolId, false)} as is_priced, ${anyPriced(schoolId, true)} as is_on_sale
    from schools s where s.id = ${schoolId}`)

/** What else a school has: staff, templates, fields, tags, languages, providers, and when an order was paid last. */
export const countAround = (db: Db, schoolId: string) =>
  db.one(sql<CountsRow>`
    select s.supported_locales as languages,
      array(select name from payment_providers where school_id = ${schoolId} order by name) as providers,
      (select o.paid_at from orders o where o.school_id = ${schoolId} and coalesce(o.paid_at, 'infinity') < 'infinity'
        order by coalesce(o.paid_at, 'infinity') desc limit 1) as last_paid_at,
      (select count(*)::integer from certificate_templates where school_id = ${schoolId}) as certificates,
      (select count(*)::integer from member_fields where school_id = ${schoolId}) as fields,
      (select count(distinct tag)::integer from member_tags where school_id = ${schoolId}) as tags,
      ${countStaff(schoolId, 'owner')} as owners, ${countStaff(schoolId, 'admin')} as admins,
      ${countStaff(schoolId, 'lecturer')} as lecturers
    from schools s where s.id = ${schoolId}`)

type MailRow = Pick<StandingValues['mail'], 'sent' | 'failed' | 'waiting'> & {
  readonly failed_at: Date | null
  readonly failed_for: string | null
}

const counted = (schoolId: string, condition: Statement): Statement => sql`(
  select count(*)::integer from (select from mails where school_id = ${schoolId} and ${condition} limit ${MOST}) as found)`

/** What became of the mails of the last seven days. */
export const countMails = (db: Db, schoolId: string) =>
  db.one(sql<MailRow>`
    with clock as materialized (select stoa.now() as now), failure as (
      select parked_at, last_error from mails where school_id = ${schoolId} and parked_at is not null
      order by parked_at desc limit 1
    )
    select ${counted(schoolId, sql`sent_at > (select now from clock) - interval '7 days'`)} as sent,
      ${counted(schoolId, sql`parked_at > (select now from clock) - interval '7 days'`)} as failed,
      ${counted(schoolId, sql`sent_at is null and parked_at is null`)} as waiting,
      (select parked_at from failure) as failed_at, (select last_error from failure) as failed_for`)

/** What became of the last test message. */
export const findTestMail = (db: Db, schoolId: string) =>
  db.first(sql<MailTest>`
    select recorded_at, last_error as error, case when parked_at is not null then 'failed' when sent_at is null then 'waiting'
      when keeps_text then 'written' else 'sent' end as state
    from mails where school_id = ${schoolId} and kind = 'mail_test' order by id desc limit 1`)
