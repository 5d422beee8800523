import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import type { List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** The template of a certificate as it was when it was issued. */
export type Design = {
  /** Unset for those from before there were several. */
  readonly design?: 'frame' | 'band' | 'plain'
  readonly title: string
  readonly body: string
  readonly locale: string
  readonly colors: { readonly accent: string; readonly text: string; readonly background: string }
  readonly orientation: 'portrait' | 'landscape'
  readonly page_size: 'A4' | 'Letter'
  readonly signature_name: string | null
  readonly signature_role: string | null
}

/** A certificate as it is stored. */
export type CertificateRow = Recorded & {
  readonly id: string
  readonly serial: string
  readonly status: 'valid' | 'revoked' | 'replaced' | 'withdrawn'
  readonly course_id: string
  readonly member_id: string
  readonly name: string | null
  readonly course_name: string
  readonly school_name: string
  readonly awarded_on: string
  readonly hours: number | null
  readonly design: Design
  readonly image_file_id: string | null
  readonly source: 'completion' | 'staff'
  readonly issued_at: Date
  readonly replaced_by_id: string | null
  readonly revoked_at: Date | null
  readonly revocation_reason: string | null
}

const status = sql`case when c.withdrawn_at is not null then 'withdrawn' when c.replaced_by_id is not null then 'replaced'
  when c.revoked_at is not null then 'revoked' else 'valid' end`

const columns = sql`c.id, c.serial, ${status} as status, c.course_id, c.member_id, c.name, c.course_name, c.school_name,
  c.awarded_on, c.hours, c.design, c.image_file_id, c.source, c.issued_at, c.replaced_by_id, c.revoked_at,
  c.revocation_reason, c.revision, c.created_at, c.updated_at`

/** The filter of a list of certificates. */
export type CertificateFilter = {
  readonly courseId?: string | undefined
  readonly memberId?: string | undefined
  readonly status?: CertificateRow['status'] | undefined
}

const matching = (schoolId: string, filter: CertificateFilter): Statement =>
  joinConditions(
    sql`c.school_id = ${schoolId}`,
    when(filter.courseId, id => sql`c.course_id = ${id}`),
    when(filter.memberId, id => sql`c.member_id = ${id}`),
    when(filter.status, word => sql`${status} = ${word}`),
  )

/** The certificates of a filter, the newest first. */
export const certificateList = (schoolId: string, filter: CertificateFilter): List<CertificateRow> => ({
  columns,
  from: sql`certificates c`,
  where: matching(schoolId, filter),
  id: sql`c.id`,
  sort: '-created_at',
})

/** The certificate with this id. */
export const findCertificate = (db: Db, schoolId: string, id: string | undefined) =>
  db.first(sql<CertificateRow>`
    select ${columns} from certificates c where c.school_id = ${schoolId} and c.id = ${id}::uuid`)

/** The certificate with this serial. */
export const findBySerial = (db: Db, schoolId: string, serial: string | undefined) =>
  db.first(sql<CertificateRow>`
    select ${columns} from certificates c where c.school_id = ${schoolId} and c.serial = ${serial ?? null}`)

/** Locks a certificate until the transaction ends; it is read after that. */
export const lockCertificate = async (
  db: Db,
  schoolId: string,
  id: string | undefined,
): Promise<CertificateRow | undefined> => {
  await db.first(sql`
    select id from certificates where school_id = ${schoolId} and id = ${id}::uuid for no key update`)
  return findCertificate(db, schoolId, id)
}

/** A person who is awarded something; they are not erased until the transaction ends. */
export const findAwardee = (db: Db, schoolId: string, memberId: string) =>
  db.first(sql<{ name: string }>`
    select name from members where school_id = ${schoolId} and id = ${memberId}::uuid and status <> 'deleted' for share`)

/** The name of a course and its certificate template. */
export const findAwardedCourse = (
  db: Db,
  schoolId: string,
  courseId: string,
): Promise<{ name: string; certificate_template_id: string | null } | undefined> =>
  db.first(sql<{ name: string; certificate_template_id: string | null }>`
    select name, certificate_template_id from courses
    where school_id = ${schoolId} and id = ${courseId}::uuid and deleted_at is null`)

/** The name and time zone of the school now. */
export const schoolNow = (db: Db, schoolId: string): Promise<{ name: string; time_zone: string }> =>
  db.one(sql<{ name: string; time_zone: string }>`select name, time_zone from schools where id = ${schoolId}`)

/** The values of a new certificate. */
type CertificateValues = Pick<
  CertificateRow,
  | 'serial'
  | 'course_id'
  | 'member_id'
  | 'course_name'
  | 'school_name'
  | 'awarded_on'
  | 'hours'
  | 'design'
  | 'image_file_id'
  | 'source'
> & { readonly name: string }

/** Stores a new certificate; undefined when the person has one of the course. */
export const insertCertificate = (db: Db, schoolId: string, id: string, values: CertificateValues) =>
  db.first(sql<CertificateRow>`
    with clock as materialized (select stoa.now() as now)
    insert into certificates as c (school_id, id, serial, course_id, member_id, name, course_name, school_name,
      awarded_on, hours, design, image_file_id, source, issued_at, created_at, updated_at)
    select ${schoolId}, ${id}, ${values.serial}, ${values.course_id}, ${values.member_id}, ${values.name},
      ${values.course_name}, ${values.school_name}, ${values.awarded_on}::date, ${values.hours}::integer,
      ${JSON.stringify(values.design)}::jsonb, ${values.image_file_id}::uuid, ${values.source}, now, now, now
    from clock
    on conflict (school_id, course_id, member_id) where replaced_by_id is null and withdrawn_at is null do nothing
    returning ${columns}`)

/** How many of some members have no certificate of a course, revoked ones too. */
export const countWithoutCertificate = async (
  db: Db,
  schoolId: string,
  courseId: string,
  memberIds: readonly string[],
): Promise<number> => {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*)::integer as count from unnest(${memberIds}::uuid[]) as m (id)
    where not exists (
      select from certificates c where c.school_id = ${schoolId} and c.course_id = ${courseId} and c.member_id = m.id
        and c.replaced_by_id is null and c.withdrawn_at is null)`)
  return count
}

/** Those of some members who have a valid certificate of a course, as the ids of both with a space between them. */
export const listGiven = async (
  db: Db,
  schoolId: string,
  pairs: readonly { readonly memberId: string; readonly courseId: string }[],
): Promise<string[]> => {
  const rows = await db.all(sql<{ member_id: string; course_id: string }>`
    select c.member_id, c.course_id from certificates c
      join unnest(${pairs.map(one => one.memberId)}::uuid[], ${pairs.map(one => one.courseId)}::uuid[])
        as p (member_id, course_id) on p.member_id = c.member_id and p.course_id = c.course_id
    where c.school_id = ${schoolId} and c.replaced_by_id is null and c.withdrawn_at is null and c.revoked_at is null`)
  return rows.map(({ member_id, course_id }) => `${member_id} ${course_id}`)
}

/** Stores that another certificate replaces one; 0 when that is not valid any more. */
export const markReplaced = (db: Db, schoolId: string, id: string, byId: string) =>
  db.run(sql`
    update certificates set replaced_by_id = ${byId}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and id = ${id} and replaced_by_id is null and withdrawn_at is null
      and revoked_at is null`)

/** Revokes a certificate, or gives another reason for it. */
export const storeRevocation = (db: Db, schoolId: string, id: string, reason: string | null) =>
  db.one(sql<CertificateRow>`
    with clock as materialized (select stoa.now() as now)
    update certificates c set revoked_at = coalesce(c.revoked_at, (select now from clock)), revocation_reason = ${reason},
      revision = c.revision + 1, updated_at = (select now from clock)
    where c.school_id = ${schoolId} and c.id = ${id}
    returning ${columns}`)

/** Undoes the revocation of a certificate. */
export const dropRevocation = (db: Db, schoolId: string, id: string) =>
  db.one(sql<CertificateRow>`
    update certificates c set revoked_at = null, revocation_reason = null, revision = c.revision + 1,
      updated_at = (select stoa.now())
    where c.school_id = ${schoolId} and c.id = ${id}
    returning ${columns}`)

/** Removes the name of a person from their certificates, which are withdrawn by that. */
export const withdrawCertificates = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update certificates set name = null, revocation_reason = null, withdrawn_at = (select now from clock),
      revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and member_id = ${memberId} and withdrawn_at is null`)

/** Moves one member's certificates to another; where both have one of a course, the other's stays and replaces it. */
export const moveCertificates = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    update certificates c set replaced_by_id = o.id, revision = c.revision + 1, updated_at = (select stoa.now())
    from certificates o
    where c.school_id = ${schoolId} and c.member_id = ${fromId} and c.replaced_by_id is null and c.withdrawn_at is null
      and o.school_id = c.school_id and o.member_id = ${intoId} and o.course_id = c.course_id
      and o.replaced_by_id is null and o.withdrawn_at is null`)
  await db.run(sql`
    update certificates set member_id = ${intoId}, revision = revision + 1, updated_at = (select stoa.now())
    where school_id = ${schoolId} and member_id = ${fromId}`)
}

/** The certificates that refer to any of these files. */
export const listCertificateImages = (
  db: Db,
  schoolId: string,
  fileIds: readonly string[],
): Promise<{ id: string; image_file_id: string }[]> =>
  db.all(sql<{ id: string; image_file_id: string }>`
    select id, image_file_id from certificates
    where school_id = ${schoolId} and image_file_id = any (${fileIds}::uuid[])`)
