import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { purposeKey, seal, unseal } from '#src/kit/crypto.ts'
import type { KeyRow, SigningAlg } from './queries.ts'

/** A key ready to sign. */
export type SigningKey = { readonly kid: string; readonly alg: SigningAlg; readonly key: CryptoKey | Uint8Array }

/** The sealed private half of a key. */
export type SealedKey = Pick<KeyRow, 'kid' | 'private_sealed'>

/** Makes keys whose private half only the installation's secret opens, and opens them. */
export type Sealed = {
  make(schoolId: string, alg: SigningAlg): Promise<KeyRow>
  /** Throws for a key that was sealed under another secret. */
  open(schoolId: string, row: KeyRow): Promise<SigningKey>
  /** Whether the private half of a key opens. */
  opens(schoolId: string, row: SealedKey): boolean
}

const contextOf = (schoolId: string, kid: string): string => `${schoolId}/${kid}`

const unsealed = (sealing: Buffer, schoolId: string, row: SealedKey): JWK => {
  try {
    return JSON.parse(unseal(sealing, row.private_sealed, contextOf(schoolId, row.kid))) as JWK
  } catch {
    throw new Error('a signing key does not open under STOA_SECRET; stoa doctor tells more')
  }
}

/** Signing keys sealed at rest under the installation's secret. */
export const createSealed = (secret: string): Sealed => {
  const sealing = purposeKey(secret, 'signing-keys')
  return {
    async make(schoolId, alg) {
      const size = alg === 'RS256' ? { modulusLength: 2048 } : {}
      const pair = await generateKeyPair(alg, { extractable: true, ...size })
      const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
      const kid = await calculateJwkThumbprint(publicJwk)
      return {
        kid,
        alg,
        public_jwk: { ...publicJwk, kid, alg, use: 'sig' },
        private_sealed: seal(sealing, JSON.stringify(privateJwk), contextOf(schoolId, kid)),
      }
    },
    opens(schoolId, row) {
      try {
        unsealed(sealing, schoolId, row)
        return true
      } catch {
        return false
      }
    },
    async open(schoolId, row) {
      return { kid: row.kid, alg: row.alg, key: await importJWK(unsealed(sealing, schoolId, row), row.alg) }
    },
  }
}
