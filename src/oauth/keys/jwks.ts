import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { cacheable } from '#src/kit/cacheable.ts'
import { JWKS_SECONDS } from '../lifetimes.ts'
import { listPublished } from './queries.ts'

/** GET /api/oauth/jwks: the public halves of the school's keys (RFC 7517 §5). */
export const jwksEndpoint: Endpoint = endpoint({
  route: 'GET /api/oauth/jwks',
  async handle(request) {
    const { database, school } = request
    const keys = await database.statements(school.id, db => listPublished(db, school.id))
    return cacheable(
      request.header('if-none-match'),
      'application/json; charset=utf-8',
      JSON.stringify({ keys: keys.map(key => key.public_jwk) }),
      JWKS_SECONDS,
    )
  },
})
