import pg from 'pg'
import type { Db } from '#src/contract/db.ts'
import { sql } from './sql.ts'

/** A private key in use, of any school, as it is stored. */
export type SealedKeyRow = {
  readonly school_id: string
  readonly kind: 'signing' | 'credentials'
  readonly kid: string
  readonly private_sealed: Buffer
}

// undefined_function, invalid_schema_name: a database from before this function, or with nothing in it yet.
const NOT_THERE = ['42883', '3F000']

/** The private keys of every school that are in use; none before the database is migrated. */
export const listSealedKeys = async (shared: Db): Promise<SealedKeyRow[]> => {
  try {
    return await shared.all(sql<SealedKeyRow>`
      select school_id, kind, kid, private_sealed from stoa.sealed_keys() order by school_id, kind, kid`)
  } catch (error) {
    if (error instanceof pg.DatabaseError && NOT_THERE.includes(error.code ?? '')) return []
    throw error
  }
}
