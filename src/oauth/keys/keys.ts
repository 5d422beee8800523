import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Database, Db } from '#src/contract/db.ts'
import { purposeKey, seal, unseal } from '#src/kit/crypto.ts'
import { findCurrentKey, insertKey, type KeyRow, type SigningAlg } from './queries.ts'

/** A key ready to sign. */
export type SigningKey = { readonly kid: string; readonly alg: SigningAlg; readonly key: CryptoKey | Uint8Array }

/** The signing keys of every school, sealed at rest under the installation's secret. */
export type Keys = {
  /** Makes the school's key of this algorithm unless there is one. */
  ensure(db: Db, schoolId: string, alg: SigningAlg): Promise<void>
  /** The key that signs now, made on first use. */
  current(database: Database, schoolId: string, alg: SigningAlg): Promise<SigningKey>
}

const contextOf = (schoolId: string, kid: string): string => `${schoolId}/${kid}`

const make = async (sealing: Buffer, schoolId: string, alg: SigningAlg): Promise<KeyRow> => {
  const pair = await generateKeyPair(alg, { extractable: true, ...(alg === 'RS256' ? { modulusLength: 2048 } : {}) })
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
  const kid = await calculateJwkThumbprint(publicJwk)
  return {
    kid,
    alg,
    public_jwk: { ...publicJwk, kid, alg, use: 'sig' },
    private_sealed: seal(sealing, JSON.stringify(privateJwk), contextOf(schoolId, kid)),
  }
}

/** Opens the key room under the installation's secret. */
export const createKeys = (secret: string): Keys => {
  const sealing = purposeKey(secret, 'signing-keys')
  const open = new Map<string, Promise<SigningKey>>()
  const ensure = async (db: Db, schoolId: string, alg: SigningAlg): Promise<void> => {
    if ((await findCurrentKey(db, schoolId, alg)) === undefined)
      await insertKey(db, schoolId, await make(sealing, schoolId, alg))
  }
  const unsealed = (schoolId: string, row: KeyRow): Promise<SigningKey> => {
    const name = contextOf(schoolId, row.kid)
    const opened =
      open.get(name) ??
      importJWK(JSON.parse(unseal(sealing, row.private_sealed, name)) as JWK, row.alg).then(key => ({
        kid: row.kid,
        alg: row.alg,
        key,
      }))
    if (open.size > 1000) open.clear()
    open.set(name, opened)
    return opened
  }
  return {
    ensure,
    current: (database, schoolId, alg) =>
      database.read(schoolId, async db => {
        const row = await findCurrentKey(db, schoolId, alg)
        if (row !== undefined) return unsealed(schoolId, row)
        await ensure(db, schoolId, alg)
        const made = await findCurrentKey(db, schoolId, alg)
        if (made === undefined) throw new Error('a signing key was not stored')
        return unsealed(schoolId, made)
      }),
  }
}
