import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { sealContext, sealPurposes } from '#src/db/sealed-keys.ts'
import { opens, seal, unseal } from '#src/kit/crypto.ts'
import type { CertificateRow } from '../certificates/queries.ts'
import { findKey, insertKey, type KeyRow, listKeys, retireKey } from './queries.ts'
import { buildCredential, credentialAddresses, toSeconds } from './rules.ts'

// Open Badges 3.0 §8.2.4: the algorithm that every verifier supports.
const ALG = 'RS256'
const BITS = 2048

const PURPOSE = sealPurposes.credentials

/** What signing credentials needs. */
export type SigningParts = { keyFor(purpose: string): Buffer }

type SchoolDatabase = { readonly database: Database; readonly school: School }
type Signing = { readonly kid: string; readonly key: CryptoKey | Uint8Array }

const createKey = async ({ keyFor }: SigningParts, schoolId: string): Promise<KeyRow> => {
  const pair = await generateKeyPair(ALG, { extractable: true, modulusLength: BITS })
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
  const kid = await calculateJwkThumbprint(publicJwk)
  const sealed = seal(keyFor(PURPOSE), JSON.stringify(privateJwk), sealContext(schoolId, kid))
  return { kid, public_jwk: { ...publicJwk, alg: ALG, use: 'sig' }, private_sealed: sealed }
}

const openKey = async ({ keyFor }: SigningParts, schoolId: string, row: KeyRow): Promise<Signing> => {
  const jwk = JSON.parse(unseal(keyFor(PURPOSE), row.private_sealed, sealContext(schoolId, row.kid))) as JWK
  return { kid: row.kid, key: await importJWK(jwk, ALG) }
}

const currentKey = ({ database, school }: SchoolDatabase): Promise<KeyRow | undefined> =>
  database.statements(school.id, db => findKey(db, school.id))

// Of two requests that create the first key at once, both use the one that is stored.
const ensureKey = async (parts: SigningParts, context: SchoolDatabase): Promise<Signing> => {
  const { database, school } = context
  const before = await currentKey(context)
  if (before !== undefined) return openKey(parts, school.id, before)
  const created = await createKey(parts, school.id)
  await database.statements(school.id, db => insertKey(db, school.id, created))
  const stored = await currentKey(context)
  if (stored === undefined) throw new Error('a key for credentials was not stored')
  return openKey(parts, school.id, stored)
}

/** Signs credentials with the key of their school, which is created when it is first needed and unsealed once. */
export const createSigner = (parts: SigningParts) => {
  const opened = new Map<string, Promise<Signing>>()
  const openSigningKey = (context: SchoolDatabase): Promise<Signing> => {
    const { id } = context.school
    const cached = opened.get(id)
    if (cached !== undefined) return cached
    if (opened.size >= 1000) opened.clear()
    const opening = ensureKey(parts, context).catch(error => {
      opened.delete(id)
      throw error
    })
    opened.set(id, opening)
    return opening
  }
  /** A valid certificate as a signed Open Badge, the same bytes each time (Open Badges 3.0 §8.2). */
  return async (context: SchoolDatabase, row: CertificateRow & { readonly name: string }): Promise<string> => {
    const { kid, key } = await openSigningKey(context)
    const { baseUrl } = context.school
    const credential = buildCredential(baseUrl, row)
    const claims = {
      ...credential,
      iss: credential.issuer.id,
      jti: credential.id,
      nbf: toSeconds(row.issued_at),
      sub: credential.credentialSubject.id,
    }
    // §8.2.4 allows these header parameters and no others.
    return new SignJWT(claims)
      .setProtectedHeader({ alg: ALG, kid: credentialAddresses(baseUrl).key(kid), typ: 'JWT' })
      .sign(key)
  }
}

/** The id of the key that a school signs with, if it cannot be unsealed with the installation's secret. */
export const listUnopenableKeys = async (parts: SigningParts, context: SchoolDatabase): Promise<string[]> => {
  const row = await currentKey(context)
  const isOpen =
    row === undefined || opens(parts.keyFor(PURPOSE), row.private_sealed, sealContext(context.school.id, row.kid))
  return isOpen ? [] : [row.kid]
}

/** Retires a key that cannot be unsealed: it stays published, and the next credential is signed with a new one. */
export const giveUpLostKey = ({ database, school }: SchoolDatabase, kid: string): Promise<number> =>
  database.statements(school.id, db => retireKey(db, school.id, kid))

/** The public keys of a school, with the addresses by which credentials name them. */
export const publicKeys = async ({ database, school }: SchoolDatabase): Promise<JWK[]> => {
  const rows = await database.statements(school.id, db => listKeys(db, school.id))
  return rows.map(row => ({ ...row.public_jwk, kid: credentialAddresses(school.baseUrl).key(row.kid) }) as JWK)
}
