import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** A certificate in the export of a person's data. */
export type OwnCertificate = {
  readonly id: string
  readonly serial: string
  readonly course_id: string
  readonly course_name: string
  readonly name: string | null
  readonly issued_at: Date
  readonly revoked_at: Date | null
}

/** Every certificate of a member, in the order in which they were issued. */
export const listMemberCertificates = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<OwnCertificate>`
    select id, serial, course_id, course_name, name, issued_at, revoked_at from certificates
    where school_id = ${schoolId} and member_id = ${memberId} order by id`)
