import type { Db, Statement } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** Who reads a mail, with the locale and the time zone in which they read it. */
export type Reader = { readonly id: string; readonly locale: string; readonly time_zone: string }

const columns = sql`m.id, coalesce(m.locale, s.locale) as locale, coalesce(m.time_zone, s.time_zone) as time_zone`

const readers = (schoolId: string, condition: Statement): Statement<Reader> => sql<Reader>`
  select ${columns} from members m join schools s on s.id = ${schoolId}
  where m.school_id = ${schoolId} and ${condition} order by m.id`

/** A member as a reader; undefined once they were deleted. */
export const findReader = (db: Db, schoolId: string, memberId: string): Promise<Reader | undefined> =>
  db.first(readers(schoolId, sql`m.id = ${memberId} and m.status <> 'deleted'`))

/** The active owners. */
export const listOwnerReaders = (db: Db, schoolId: string): Promise<Reader[]> =>
  db.all(readers(schoolId, sql`m.role = 'owner' and m.status = 'active'`))

/** The active owners and admins. */
export const listStaffReaders = (db: Db, schoolId: string): Promise<Reader[]> =>
  db.all(readers(schoolId, sql`m.role in ('admin', 'owner') and m.status = 'active'`))
