import { compactVerify, createLocalJWKSet, errors, type JWK } from 'jose'
import type { Database } from '#src/contract/db.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'
import { fromId } from '#src/kit/ids.ts'
import { listPublished, signingAlgs } from './queries.ts'

const invalid = (): OAuthError =>
  new OAuthError('invalid_request', 'The id_token_hint is not an ID token of this school that can be verified.')

const payloadOf = async (jwks: readonly JWK[], hint: string): Promise<Uint8Array> => {
  try {
    const { payload } = await compactVerify(hint, createLocalJWKSet({ keys: [...jwks] }), {
      algorithms: [...signingAlgs],
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) throw invalid()
    throw error
  }
}

/**
 * The member in an ID token of this school, expired or not, for any client (OpenID Connect Core
 * §3.1.2.1). A token signed by a key that is no longer published cannot be verified.
 */
export const memberHinted = async (database: Database, school: School, hint: string): Promise<string> => {
  const keys = await database.statements(school.id, db => listPublished(db, school.id))
  const payload = await payloadOf(
    keys.map(key => key.public_jwk as JWK),
    hint,
  )
  // We signed it, so it is JSON.
  const { iss, sub } = JSON.parse(Buffer.from(payload).toString('utf8')) as { iss?: unknown; sub?: unknown }
  const memberId = typeof sub === 'string' && iss === school.baseUrl ? fromId('mem', sub) : undefined
  if (memberId === undefined) throw invalid()
  return memberId
}
