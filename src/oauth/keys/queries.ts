import type { Db } from '#src/contract/db.ts'
import { sql } from '#src/db/sql.ts'

/** The algorithms ID tokens are signed with. */
export type SigningAlg = 'RS256' | 'ES256'

/** A key as it is stored; the private half is sealed. */
export type KeyRow = {
  readonly kid: string
  readonly alg: SigningAlg
  readonly public_jwk: Readonly<Record<string, unknown>>
  readonly private_sealed: Buffer
}

/** Every key whose signatures may still be around, the current ones first. */
export const listKeys = (db: Db, schoolId: string): Promise<KeyRow[]> =>
  db.all(sql<KeyRow>`
    select kid, alg, public_jwk, private_sealed from signing_keys
    where school_id = ${schoolId} order by retires_at nulls first, activates_at desc, kid`)

/** The key that signs now. */
export const findCurrentKey = (db: Db, schoolId: string, alg: SigningAlg): Promise<KeyRow | undefined> =>
  db.first(sql<KeyRow>`
    select kid, alg, public_jwk, private_sealed from signing_keys
    where school_id = ${schoolId} and alg = ${alg} and retires_at is null`)

/** Stores a key unless another process stored one first. */
export const insertKey = (db: Db, schoolId: string, key: KeyRow): Promise<number> =>
  db.run(sql`
    insert into signing_keys (school_id, kid, alg, public_jwk, private_sealed, created_at, activates_at)
    values (${schoolId}, ${key.kid}, ${key.alg}, ${JSON.stringify(key.public_jwk)}, ${key.private_sealed}, stoa.now(), stoa.now())
    on conflict (school_id, alg) where retires_at is null do nothing`)
