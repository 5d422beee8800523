import type { Database, Db } from '#src/contract/db.ts'
import { findCurrentKey, insertKey, type KeyRow, listSigning, type SigningAlg } from './queries.ts'
import { type Rotated, rotateKey, type When } from './rotate.ts'
import { createSealed, type Sealed, type SigningKey } from './sealed.ts'

/** The signing keys of every school. */
export type Keys = {
  /** Creates the school's key of this algorithm unless there is one. */
  ensure(db: Db, schoolId: string, alg: SigningAlg): Promise<void>
  /** The current signing key, created on first use. */
  current(database: Database, schoolId: string, alg: SigningAlg): Promise<SigningKey>
  /** The keys of a school that this process has opened, by their ids. */
  opened(schoolId: string): ReadonlyMap<string, SigningKey>
  /** Creates the key that signs after the current one; undefined when the school has no key of this algorithm yet. */
  rotate(database: Database, schoolId: string, alg: SigningAlg, when: When): Promise<Rotated | undefined>
  /** The ids of the current and next keys that cannot be unsealed with the installation's secret. */
  listUnopenable(database: Database, schoolId: string, alg?: SigningAlg): Promise<string[]>
}

const MOST_SCHOOLS = 500
const NONE: ReadonlyMap<string, SigningKey> = new Map()

// The database decides each time which key signs; only the unsealed keys are cached.
const remember = (sealed: Sealed) => {
  const schools = new Map<string, Map<string, SigningKey>>()
  const keep = (schoolId: string, key: SigningKey): void => {
    if (schools.size > MOST_SCHOOLS) schools.clear()
    schools.set(schoolId, (schools.get(schoolId) ?? new Map()).set(key.kid, key))
  }
  const opened = (schoolId: string): ReadonlyMap<string, SigningKey> => schools.get(schoolId) ?? NONE
  const open = async (schoolId: string, row: KeyRow): Promise<SigningKey> => {
    const cached = opened(schoolId).get(row.kid)
    if (cached !== undefined) return cached
    const key = await sealed.open(schoolId, row)
    keep(schoolId, key)
    return key
  }
  return { open, opened }
}

/** Creates the access to signing keys, which are sealed with the installation's secret. */
export const createKeys = (secret: string): Keys => {
  const sealed = createSealed(secret)
  const { open, opened } = remember(sealed)
  const find = (database: Database, schoolId: string, alg: SigningAlg): Promise<KeyRow | undefined> =>
    database.statements(schoolId, db => findCurrentKey(db, schoolId, alg))
  return {
    opened,
    async ensure(db, schoolId, alg) {
      if ((await findCurrentKey(db, schoolId, alg)) === undefined)
        await insertKey(db, schoolId, await sealed.make(schoolId, alg))
    },
    async current(database, schoolId, alg) {
      const row = await find(database, schoolId, alg)
      if (row !== undefined) return open(schoolId, row)
      const key = await sealed.make(schoolId, alg)
      await database.statements(schoolId, db => insertKey(db, schoolId, key))
      const stored = await find(database, schoolId, alg)
      if (stored === undefined) throw new Error('a signing key was not stored')
      return open(schoolId, stored)
    },
    rotate: (database, schoolId, alg, when) => rotateKey(database, sealed, { schoolId, alg, when }),
    async listUnopenable(database, schoolId, alg) {
      const rows = await database.statements(schoolId, db => listSigning(db, schoolId))
      return rows
        .filter(row => (alg === undefined || row.alg === alg) && !sealed.opens(schoolId, row))
        .map(({ kid }) => kid)
    },
  }
}
