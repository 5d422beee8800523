import { compactVerify, createLocalJWKSet, errors, type JWK } from 'jose'
import type { Database } from '#src/contract/db.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'
import { fromId } from '#src/kit/ids.ts'
import { ID_TOKEN_TYPE } from './id-token.ts'
import { listPublished, signingAlgs } from './queries.ts'

const invalid = (): OAuthError =>
  new OAuthError(
    'invalid_request',
    'The id_token_hint is not an ID token that this school gave to this client and that can be verified.',
  )

const readPayload = async (jwks: readonly JWK[], hint: string): Promise<Uint8Array> => {
  try {
    const { payload, protectedHeader } = await compactVerify(hint, createLocalJWKSet({ keys: [...jwks] }), {
      algorithms: [...signingAlgs],
    })
    // RFC 8725 §3.11: other kinds of tokens that the same keys sign are no hints.
    if (protectedHeader.typ !== ID_TOKEN_TYPE) throw invalid()
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) throw invalid()
    throw error
  }
}

/**
 * The member in an ID token that this school gave to this client, expired or not (OpenID Connect Core §3.1.2.1). A token
 * signed by a key that is no longer published cannot be verified.
 */
export const memberHinted = async (
  database: Database,
  school: School,
  clientId: string,
  hint: string,
): Promise<string> => {
  const keys = await database.statements(school.id, db => listPublished(db, school.id))
  const payload = await readPayload(
    keys.map(key => key.public_jwk as JWK),
    hint,
  )
  // We signed it, so it is JSON.
  const { iss, aud, sub } = JSON.parse(Buffer.from(payload).toString('utf8')) as Readonly<Record<string, unknown>>
  const isOurs = iss === school.baseUrl && aud === clientId
  const memberId = typeof sub === 'string' && isOurs ? fromId('mem', sub) : undefined
  if (memberId === undefined) throw invalid()
  return memberId
}
