import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

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

/** The id of the newest order that the member with an address has paid. */
export const findPaidId = async (db: Db, schoolId: string, email: string): Promise<string | undefined> =>
  (
    await db.first(sql<{ id: string }>`
      select o.id from orders o join members m on m.school_id = ${schoolId} and m.id = o.member_id
      where o.school_id = ${schoolId} and m.email_folded = ${email} and o.status = 'paid' order by o.id desc limit 1`)
  )?.id
