import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The public half of a key. */
type PublicJwk = Readonly<Record<string, unknown>>

/** A key that credentials are signed with; the private half is sealed. */
export type KeyRow = { readonly kid: string; readonly public_jwk: PublicJwk; readonly private_sealed: Buffer }

/** The key that a school signs credentials with. */
export const findKey = (db: Db, schoolId: string) =>
  db.first(sql<KeyRow>`
    select kid, public_jwk, private_sealed from credential_keys
    where school_id = ${schoolId} and given_up_at is null`)

/** Retires the key of a school; returns 1 when it was in use. */
export const retireKey = (db: Db, schoolId: string, kid: string) =>
  db.run(sql`
    update credential_keys set given_up_at = (select stoa.now())
    where school_id = ${schoolId} and kid = ${kid} and given_up_at is null`)

/** Every key that a school ever signed credentials with. */
export const listKeys = (db: Db, schoolId: string) =>
  db.all(sql<KeyRow>`
    select kid, public_jwk, private_sealed from credential_keys where school_id = ${schoolId} order by created_at, kid`)

/** Stores the key of a school unless it has one. */
export const insertKey = (db: Db, schoolId: string, key: KeyRow) =>
  db.run(sql`
    insert into credential_keys (school_id, kid, public_jwk, private_sealed, created_at)
    values (${schoolId}, ${key.kid}, ${JSON.stringify(key.public_jwk)}, ${key.private_sealed}, (select stoa.now()))
    on conflict do nothing`)

/** The names of course and school on the last certificate of a course, with its language. */
export const findAchievement = (
  db: Db,
  schoolId: string,
  courseId: string | undefined,
): Promise<{ course_name: string; school_name: string; locale: string } | undefined> =>
  db.first(sql<{ course_name: string; school_name: string; locale: string }>`
    select course_name, school_name, design ->> 'locale' as locale from certificates
    where school_id = ${schoolId} and course_id = ${courseId ?? null}::uuid and withdrawn_at is null
    order by id desc limit 1`)
