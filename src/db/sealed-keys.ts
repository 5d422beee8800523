import pg from 'pg'
import type { Db } from '#src/contract/db.ts'
import { opens, purposeKey } from '#src/kit/crypto.ts'
import { sql } from './sql.ts'

/** The stored row of a private key in use, or of a secret of a payment provider or a webhook, of any school. */
export type SealedKeyRow = {
  readonly school_id: string
  readonly kind: 'signing' | 'credentials' | 'payments' | 'webhooks'
  readonly kid: string
  readonly private_sealed: Buffer
}

/** The purposes for which sealing keys are derived from the secret, by the kind of what is sealed. */
export const sealPurposes = {
  signing: 'signing-keys',
  credentials: 'credential-keys',
  payments: 'payments',
  webhooks: 'webhooks',
} as const

/** The context of a sealed private key, so that it can be unsealed only in its own row. */
export const sealContext = (schoolId: string, kid: string): string => `${schoolId}/${kid}`

/** The keys that cannot be unsealed with a secret. */
export const closedKeys = (keys: readonly SealedKeyRow[], secret: string): SealedKeyRow[] => {
  const sealing = {
    signing: purposeKey(secret, sealPurposes.signing),
    credentials: purposeKey(secret, sealPurposes.credentials),
    payments: purposeKey(secret, sealPurposes.payments),
    webhooks: purposeKey(secret, sealPurposes.webhooks),
  }
  return keys.filter(({ kind, school_id, kid, private_sealed }) => {
    return !opens(sealing[kind], private_sealed, sealContext(school_id, kid))
  })
}

// undefined_function, invalid_schema_name: a database from before this function, or an empty one.
const NOT_THERE = ['42883', '3F000']

/** The private keys of every school that are in use, and the secrets of payment providers and webhooks; none before the database is migrated. */
export const listSealedKeys = async (shared: Db): Promise<SealedKeyRow[]> => {
  try {
    return await shared.all(sql<SealedKeyRow>`
      select school_id, kind, kid, private_sealed from stoa.sealed_keys() order by school_id, kind, kid`)
  } catch (error) {
    if (error instanceof pg.DatabaseError && NOT_THERE.includes(error.code ?? '')) return []
    throw error
  }
}
