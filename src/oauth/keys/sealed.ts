import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { sealContext, sealPurposes } from '#src/db/sealed-keys.ts'
import { opens, purposeKey, seal, unseal } from '#src/kit/crypto.ts'
import type { KeyRow, SigningAlg } from './queries.ts'

/** A key ready to sign. */
export type SigningKey = { readonly kid: string; readonly alg: SigningAlg; readonly key: CryptoKey | Uint8Array }

/** Creates keys whose private half is sealed with the installation's secret, and unseals them. */
export type Sealed = {
  make(schoolId: string, alg: SigningAlg): Promise<KeyRow>
  /** Throws for a key that was sealed with another secret. */
  open(schoolId: string, row: KeyRow): Promise<SigningKey>
  /** Whether the private half of a key can be unsealed. */
  opens(schoolId: string, row: KeyRow): boolean
}

const unsealed = (sealing: Buffer, schoolId: string, row: KeyRow): JWK => {
  try {
    return JSON.parse(unseal(sealing, row.private_sealed, sealContext(schoolId, row.kid))) as JWK
  } catch {
    throw new Error('a signing key cannot be unsealed with STOA_SECRET; run stoa doctor for details')
  }
}

/** Signing keys sealed at rest with the installation's secret. */
export const createSealed = (secret: string): Sealed => {
  const sealing = purposeKey(secret, sealPurposes.signing)
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
        private_sealed: seal(sealing, JSON.stringify(privateJwk), sealContext(schoolId, kid)),
      }
    },
    opens: (schoolId, row) => opens(sealing, row.private_sealed, sealContext(schoolId, row.kid)),
    async open(schoolId, row) {
      return { kid: row.kid, alg: row.alg, key: await importJWK(unsealed(sealing, schoolId, row), row.alg) }
    },
  }
}
