import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { cacheable } from '#src/kit/cacheable.ts'
import { listKeys } from './queries.ts'

const SECONDS = 15 * 60

/** GET /api/oauth/jwks: the public halves of the school's keys (RFC 7517 §5). */
export const jwksEndpoint: Endpoint = endpoint({
  route: 'GET /api/oauth/jwks',
  async handle(request) {
    const { database, school } = request
    const keys = await database.read(school.id, db => listKeys(db, school.id))
    return cacheable(
      request.header('if-none-match'),
      'application/json; charset=utf-8',
      JSON.stringify({ keys: keys.map(key => key.public_jwk) }),
      SECONDS,
    )
  },
})
