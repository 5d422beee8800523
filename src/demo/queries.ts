import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The values of a new school. */
export type NewSchool = {
  readonly id: string
  readonly baseUrl: string
  readonly host: string
  readonly name: string
  readonly description: string
  readonly locale: string
  readonly timeZone: string
  readonly currency: string
  readonly country: string | undefined
}

/** Stores a school and its host; false when another school has the address or its host. */
export const insertSchool = async (db: Db, school: NewSchool): Promise<boolean> => {
  const written = await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into schools (id, base_url, name, description, locale, supported_locales, time_zone, currency, country, created_at, updated_at)
    select ${school.id}::uuid, ${school.baseUrl}, ${school.name}, ${school.description}, ${school.locale}, ${[school.locale]}::text[],
      ${school.timeZone}, ${school.currency}, ${school.country}, (select now from clock), (select now from clock)
    where not exists (select from hosts where host = ${school.host})
    on conflict (base_url) do nothing`)
  if (written === 0) return false
  await db.run(sql`insert into hosts (host, school_id, purpose) values (${school.host}, ${school.id}, 'school')`)
  return true
}

/** Whether a school has an order. */
export const hasOrders = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql`select id from orders where school_id = ${schoolId} limit 1`)) !== undefined

/** Whether a school has a course. */
export const hasCourses = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql`select id from courses where school_id = ${schoolId} limit 1`)) !== undefined

/** Whether a school has a digital product. */
export const hasProducts = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql`select id from digital_products where school_id = ${schoolId} limit 1`)) !== undefined

/** The id of the product that has a slug. */
export const findProductId = async (db: Db, schoolId: string, slug: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select id from digital_products where school_id = ${schoolId} and slug = ${slug} and deleted_at is null`)
  )?.id

/** Whether a school has a membership plan. */
export const hasPlans = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql`select id from membership_plans where school_id = ${schoolId} limit 1`)) !== undefined

/** Whether a school has a post. */
export const hasPosts = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql`select id from posts where school_id = ${schoolId} limit 1`)) !== undefined

/** Whether a school has an event. */
export const hasEvents = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql`select id from events where school_id = ${schoolId} limit 1`)) !== undefined

/** The id of the course that has a slug. */
export const findCourseId = async (db: Db, schoolId: string, slug: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select id from courses where school_id = ${schoolId} and slug = ${slug} and deleted_at is null`)
  )?.id

/** The id of the member with an address. The owner of a school without Ada stands for her. */
export const findMemberId = async (db: Db, schoolId: string, email: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select id from members
      where school_id = ${schoolId} and (email_folded = ${email} or (${email} = 'ada@crumb.example' and role = 'owner'))
      order by email_folded = ${email} desc, created_at, id limit 1`)
  )?.id

/** Whether a school has a coupon. */
export const hasCoupons = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql`select id from coupons where school_id = ${schoolId} limit 1`)) !== undefined

/** Whether a school has a payment provider. */
export const hasProviders = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql`select name from payment_providers where school_id = ${schoolId} limit 1`)) !== undefined

/** The price at which a course or a digital product, by its slug, is paid once; that of a payment plan or of a plan with `/payment_plan`, `/month` or `/year` behind the slug. */
export const findPriceId = async (db: Db, schoolId: string, slug: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select p.id from course_prices p join courses c on c.school_id = ${schoolId} and c.id = p.course_id
      where p.school_id = ${schoolId} and p.payment_type = 'one_time' and p.status = 'active' and c.slug = ${slug}
      union all
      select p.id from product_prices p join digital_products d on d.school_id = ${schoolId} and d.id = p.product_id
      where p.school_id = ${schoolId} and p.payment_type = 'one_time' and p.status = 'active' and d.slug = ${slug}
      union all
      select p.id from course_prices p join courses c on c.school_id = ${schoolId} and c.id = p.course_id
      where p.school_id = ${schoolId} and p.payment_type = 'payment_plan' and p.status = 'active'
        and c.slug || '/payment_plan' = ${slug}
      union all
      select p.id from plan_prices p join membership_plans m on m.school_id = ${schoolId} and m.id = p.plan_id
      where p.school_id = ${schoolId} and p.payment_type = 'subscription' and p.status = 'active'
        and m.slug || '/' || p."interval" = ${slug}`)
  )?.id

/** Marks every step of the guide for the first run as done. */
export const finishGuide = (db: Db, schoolId: string): Promise<number> =>
  db.run(sql`
    insert into guide_steps (school_id, step, state, recorded_at)
    select ${schoolId}, step, 'done', (select stoa.now())
    from unnest(array['name', 'appearance', 'course', 'invitation']) as step
    on conflict (school_id, step) do nothing`)

/** Whether a school has a kind of ticket. */
export const hasTickets = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql`select id from ticket_types where school_id = ${schoolId} limit 1`)) !== undefined

/** The id of the event that has a slug. */
export const findEventId = async (db: Db, schoolId: string, slug: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select id from events where school_id = ${schoolId} and slug = ${slug} and deleted_at is null`)
  )?.id

/** Moves what a member did into the past: they joined so many days ago, and learned every second day since. */
export const spreadLearning = async (db: Db, schoolId: string, memberId: string, days: number): Promise<void> => {
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update members set created_at = (select now from clock) - make_interval(days => ${days})
    where school_id = ${schoolId} and id = ${memberId}`)
  await db.run(sql`
    with clock as materialized (select stoa.now() as now), placed as (
      select id, row_number() over (order by id)::integer as place from lesson_completions
      where school_id = ${schoolId} and member_id = ${memberId}
    )
    update lesson_completions c set completed_at = least((select now from clock),
      (select now from clock) - make_interval(days => ${days} - 2 * p.place, hours => p.place))
    from placed p where c.school_id = ${schoolId} and c.id = p.id`)
  await db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update enrollments e set created_at = (select now from clock) - make_interval(days => ${days}),
      completed_at = case when e.completed_at is not null then (select now from clock) end
    where e.school_id = ${schoolId} and e.member_id = ${memberId}`)
  await db.run(sql`delete from activity_hours where school_id = ${schoolId} and member_id = ${memberId}`)
  await db.run(sql`
    select stoa.record_activity(school_id, course_id, member_id, completed_at) from lesson_completions
    where school_id = ${schoolId} and member_id = ${memberId}`)
}

/** Whether a school has a subscription. */
export const hasSubscriptions = async (db: Db, schoolId: string): Promise<boolean> =>
  (await db.first(sql`select id from subscriptions where school_id = ${schoolId} limit 1`)) !== undefined

/** The id of the plan that has a slug. */
export const findPlanId = async (db: Db, schoolId: string, slug: string): Promise<string | undefined> =>
  (
    await db.first(
      sql<{ id: string }>`select id from membership_plans where school_id = ${schoolId} and slug = ${slug}`,
    )
  )?.id

/** Adds some views of the posts and forms that are published, for each of the last 30 days. */
export const addViews = (db: Db, schoolId: string): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now), item as (
      select 'post' as type, id from posts where school_id = ${schoolId} and status = 'published'
      union all select 'form', id from forms where school_id = ${schoolId} and status = 'published'
    )
    insert into view_counts (school_id, at, item_type, item_id, views)
    select ${schoolId}, stoa.quarter((select now from clock) - make_interval(days => d.day, hours => 3)), i.type, i.id,
      1 + abs(hashtext(i.id::text || d.day)) % 12
    from item i cross join generate_series(0, 29) as d (day)
    on conflict do nothing`)
