import type { Database, Db } from '#src/contract/db.ts'
import { findCurrentKey, insertKey, type KeyRow, listSigning, type SigningAlg, signingAlgs } from './queries.ts'
import { type Rotated, rotateKey, type When } from './rotate.ts'
import { createSealed, type Sealed, type SigningKey } from './sealed.ts'

/** The signing keys of every school. */
export type Keys = {
  /** Creates a key of every algorithm of which the school has none. */
  ensure(db: Db, schoolId: string): Promise<void>
  /** The current signing key. */
  current(database: Database, schoolId: string, alg: SigningAlg): Promise<SigningKey>
  /** The keys of a school that this process has opened, by their ids. */
  opened(schoolId: string): ReadonlyMap<string, SigningKey>
  /** Creates the key that signs after the current one. */
  rotate(database: Database, schoolId: string, alg: SigningAlg, when: When): Promise<Rotated>
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
  const ensure = async (db: Db, schoolId: string): Promise<void> => {
    const rows = await listSigning(db, schoolId)
    // Sealed with another secret than the school's other keys, a new one could not be opened by the other processes.
    if (rows.some(row => !sealed.opens(schoolId, row))) return
    for (const alg of signingAlgs.filter(one => rows.every(row => row.alg !== one)))
      await insertKey(db, schoolId, await sealed.make(schoolId, alg))
  }
  return {
    opened,
    ensure,
    async current(database, schoolId, alg) {
      const row = await find(database, schoolId, alg)
      if (row !== undefined) return open(schoolId, row)
      await database.statements(schoolId, db => ensure(db, schoolId))
      const stored = await find(database, schoolId, alg)
      if (stored === undefined) throw new Error('a signing key was not stored')
      return open(schoolId, stored)
    },
    async rotate(database, schoolId, alg, when) {
      await database.statements(schoolId, db => ensure(db, schoolId))
      return rotateKey(database, sealed, { schoolId, alg, when })
    },
    async listUnopenable(database, schoolId, alg) {
      const rows = await database.statements(schoolId, db => listSigning(db, schoolId))
      return rows
        .filter(row => (alg === undefined || row.alg === alg) && !sealed.opens(schoolId, row))
        .map(({ kid }) => kid)
    },
  }
}
