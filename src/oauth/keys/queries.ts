import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'
import { ID_TOKEN_SECONDS } from '../lifetimes.ts'

/** The algorithms ID tokens are signed with. */
export const signingAlgs = ['RS256', 'ES256'] as const

/** One of these values. */
export type SigningAlg = (typeof signingAlgs)[number]

/** A stored key; the private half is sealed. */
export type KeyRow = {
  readonly kid: string
  readonly alg: SigningAlg
  readonly public_jwk: Readonly<Record<string, unknown>>
  readonly private_sealed: Buffer
}

// A token is signed shortly after its key was chosen.
const PUBLISHED_AFTER = ID_TOKEN_SECONDS + 60

const columns = sql`kid, alg, public_jwk, private_sealed`
const isCurrent = sql`activates_at <= (select now from clock)
  and (retires_at is null or retires_at > (select now from clock))`

/** Every key that verifiers need: next, current, and retired ones until the last token they signed has expired. */
export const listPublished = (db: Db, schoolId: string) =>
  db.all(sql<KeyRow>`
    select ${columns} from signing_keys
    where school_id = ${schoolId} and withdrawn_at is null
      and (retires_at is null or retires_at + make_interval(secs => ${PUBLISHED_AFTER}) > (select stoa.now()))
    order by activates_at desc, kid`)

/** The current and next keys. */
export const listSigning = (db: Db, schoolId: string) =>
  db.all(sql<KeyRow>`
    select ${columns} from signing_keys
    where school_id = ${schoolId} and (retires_at is null or retires_at > (select stoa.now())) order by kid`)

/** The current signing key. */
export const findCurrentKey = (db: Db, schoolId: string, alg: SigningAlg) =>
  db.first(sql<KeyRow>`
    with clock as materialized (select stoa.now() as now)
    select ${columns} from signing_keys where school_id = ${schoolId} and alg = ${alg} and ${isCurrent}`)

/** Stores a key unless another process stored one first. */
export const insertKey = (db: Db, schoolId: string, key: KeyRow, activatesAt?: Date) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into signing_keys (school_id, kid, alg, public_jwk, private_sealed, created_at, activates_at)
    values (${schoolId}, ${key.kid}, ${key.alg}, ${JSON.stringify(key.public_jwk)}, ${key.private_sealed},
      (select now from clock), coalesce(${activatesAt}, (select now from clock)))
    on conflict (school_id, alg) where retires_at is null do nothing`)

/** The next signing key, if there is one, and when it becomes active. */
export const findNextKey = (
  db: Db,
  schoolId: string,
  alg: SigningAlg,
): Promise<{ kid: string; activates_at: Date } | undefined> =>
  db.first(sql<{ kid: string; activates_at: Date }>`
    select kid, activates_at from signing_keys
    where school_id = ${schoolId} and alg = ${alg} and activates_at > (select stoa.now())`)

/** Sets when the current key ends, unless that is already set; returns 1 if this call set it. */
export const retireKey = (db: Db, schoolId: string, alg: SigningAlg, at: Date) =>
  db.run(sql`
    update signing_keys set retires_at = ${at}
    where school_id = ${schoolId} and alg = ${alg} and retires_at is null and activates_at <= (select stoa.now())`)

/** Withdraws a leaked key: it no longer signs and is no longer published. */
export const withdrawKey = (db: Db, schoolId: string, alg: SigningAlg, at: Date) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    update signing_keys set retires_at = ${at}, withdrawn_at = ${at}
    where school_id = ${schoolId} and alg = ${alg} and ${isCurrent} and activates_at <= ${at}`)

/** Removes the next key before it becomes active. */
export const removeNextKey = (db: Db, schoolId: string, alg: SigningAlg) =>
  db.run(sql`
    delete from signing_keys where school_id = ${schoolId} and alg = ${alg} and activates_at > (select stoa.now())`)
