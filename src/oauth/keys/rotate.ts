import type { Database, Db } from '#src/contract/db.ts'
import { JWKS_SECONDS } from '../lifetimes.ts'
import {
  findCurrentKey,
  findNextKey,
  insertKey,
  type KeyRow,
  removeNextKey,
  retireKey,
  type SigningAlg,
  withdrawKey,
} from './queries.ts'
import type { Sealed } from './sealed.ts'

/** When a new key begins to sign: once every cached key set has expired, or immediately after a leak. */
export type When = 'published' | 'now'

/** The next signing key and when it becomes active; it is not new when an earlier rotation is still pending. */
export type Rotated = { readonly kid: string; readonly activatesAt: Date; readonly isNew: boolean }

type Rotation = { readonly schoolId: string; readonly alg: SigningAlg; readonly when: When }

// A key set fetched a moment before the key was published is kept for JWKS_SECONDS.
const NOTICE_SECONDS = JWKS_SECONDS + 60

const plan = async (db: Db, now: Date, key: KeyRow, { schoolId, alg }: Rotation): Promise<Rotated> => {
  const activatesAt = new Date(now.getTime() + NOTICE_SECONDS * 1000)
  if ((await retireKey(db, schoolId, alg, activatesAt)) === 1) {
    await insertKey(db, schoolId, key, activatesAt)
    return { kid: key.kid, activatesAt, isNew: true }
  }
  const next = await findNextKey(db, schoolId, alg)
  if (next === undefined) throw new Error('another rotation ran at the same time')
  return { kid: next.kid, activatesAt: next.activates_at, isNew: false }
}

// The next key may have leaked with the current one.
const replace = async (db: Db, now: Date, key: KeyRow, { schoolId, alg }: Rotation): Promise<Rotated> => {
  await removeNextKey(db, schoolId, alg)
  const withdrawn = await withdrawKey(db, schoolId, alg, now)
  if (withdrawn !== 1 || (await insertKey(db, schoolId, key, now)) !== 1)
    throw new Error('another rotation ran at the same time')
  return { kid: key.kid, activatesAt: now, isNew: true }
}

/** Creates a school's next key of an algorithm. */
export const rotateKey = async (database: Database, sealed: Sealed, rotation: Rotation): Promise<Rotated> => {
  const { schoolId, alg, when } = rotation
  const current = await database.statements(schoolId, db => findCurrentKey(db, schoolId, alg))
  if (current === undefined) throw new Error(`the school has no current ${alg} key`)
  // A new key sealed with a wrong secret would break every sign-in; if the secret is lost, use `now`.
  if (when === 'published') await sealed.open(schoolId, current)
  const key = await sealed.make(schoolId, alg)
  return database.transaction(schoolId, (db, now) => (when === 'now' ? replace : plan)(db, now, key, rotation))
}
