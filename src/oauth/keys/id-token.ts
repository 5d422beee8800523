import { SignJWT } from 'jose'
import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { toId } from '#src/kit/ids.ts'
import type { Client } from '../clients/queries.ts'
import { ID_TOKEN_SECONDS } from '../lives.ts'
import type { CodeGrant } from '../token/queries.ts'
import type { Keys } from './keys.ts'

/** Signs ID tokens. */
export type IdTokens = { sign(school: School, client: Client, grant: CodeGrant, accessToken: string): Promise<string> }

// OpenID Connect Core §3.1.3.6: the left half of the hash of the token.
const atHash = (accessToken: string): string => sha256(accessToken).subarray(0, 16).toString('base64url')

const seconds = (instant: Date): number => Math.floor(instant.getTime() / 1000)

/** ID tokens signed with the school's keys (OpenID Connect Core §2). */
export const createIdTokens = (database: Database, keys: Keys): IdTokens => ({
  async sign(school, client, grant, accessToken) {
    const { kid, alg, key } = await keys.current(database, school.id, client.id_token_alg)
    const issuedAt = seconds(grant.now)
    const claims = {
      auth_time: seconds(grant.auth_time),
      amr: grant.amr,
      sid: toId('ses', grant.session_id),
      at_hash: atHash(accessToken),
      ...(grant.nonce === null ? {} : { nonce: grant.nonce }),
    }
    return new SignJWT(claims)
      .setProtectedHeader({ alg, kid, typ: 'JWT' })
      .setIssuer(school.baseUrl)
      .setSubject(toId('mem', grant.member_id))
      .setAudience(client.id)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ID_TOKEN_SECONDS)
      .sign(key)
  },
})
