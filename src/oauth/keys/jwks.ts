import type { Db } from '#src/contract/db.ts'
import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { cacheable } from '#src/kit/cacheable.ts'
import { JWKS_SECONDS } from '../lifetimes.ts'
import type { Keys } from './keys.ts'
import { type KeyRow, listPublished, signingAlgs } from './queries.ts'

// Verifiers keep what they get for JWKS_SECONDS, so a school of an older version gets its missing key before.
const listComplete = async (db: Db, schoolId: string, keys: Keys): Promise<KeyRow[]> => {
  const published = await listPublished(db, schoolId)
  if (signingAlgs.every(alg => published.some(key => key.alg === alg))) return published
  await keys.ensure(db, schoolId)
  return listPublished(db, schoolId)
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
