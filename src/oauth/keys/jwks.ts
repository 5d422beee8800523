import type { Db } from '#src/contract/db.ts'
import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { cacheable } from '#src/kit/cacheable.ts'
import { JWKS_SECONDS } from '../lifetimes.ts'
import type { Keys } from './keys.ts'
import { type KeyRow, listPublished, signingAlgs } from './queries.ts'

const isComplete = (published: readonly KeyRow[]): boolean =>
  signingAlgs.every(alg => published.some(key => key.alg === alg))

// Verifiers keep what they get for JWKS_SECONDS, so a school of an older version gets its missing key before, and nobody gets a
// set without a key of an algorithm that the metadata names.
const listComplete = async (db: Db, schoolId: string, keys: Keys): Promise<KeyRow[]> => {
  const stored = await listPublished(db, schoolId)
  if (isComplete(stored)) return stored
  await keys.ensure(db, schoolId)
  const published = await listPublished(db, schoolId)
  if (isComplete(published)) return published
  throw new Error('a signing key is missing, and STOA_SECRET cannot unseal the others; run stoa doctor for details')
}

/** GET /api/oauth/jwks: the public halves of the school's keys (RFC 7517 §5). */
export const createJwksEndpoint = (keys: Keys): Endpoint =>
  endpoint({
    route: 'GET /api/oauth/jwks',
    async handle(request) {
      const { database, school } = request
      const published = await database.statements(school.id, db => listComplete(db, school.id, keys))
      return cacheable(
        request.header('if-none-match'),
        'application/json; charset=utf-8',
        JSON.stringify({ keys: published.map(key => key.public_jwk) }),
        JWKS_SECONDS,
      )
    },
  })
