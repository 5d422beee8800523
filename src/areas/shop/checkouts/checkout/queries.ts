import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The school as far as it decides the tax and the currency of an order; locked so that the currency stays. */
export const shareSchool = (db: Db, schoolId: string): Promise<{ currency: string; country: string | null }> =>
  db.one(sql<{ currency: string; country: string | null }>`
    select currency, country from schools where id = ${schoolId} for share`)

/** How many orders of a member wait for payment at an instant. */
export const countPending = async (db: Db, schoolId: string, memberId: string, at: Date): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
      select count(*)::integer as count from orders
      where school_id = ${schoolId} and member_id = ${memberId} and status = 'pending' and expires_at > ${at}`)
  ).count

/** Whether a member ever had what a free price gives by enrolling. */
export const enrolledFree = async (db: Db, schoolId: string, memberId: string, priceId: string): Promise<boolean> =>
  (
    await db.one(sql<{ had: boolean }>`
      select exists (
        select from entitlements e
        where e.school_id = ${schoolId} and e.member_id = ${memberId} and e.source = 'free' and e.source_id = ${priceId}
      ) as had`)
  ).had
