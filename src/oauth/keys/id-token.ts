import { SignJWT } from 'jose'
import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { toId } from '#src/kit/ids.ts'
import { buildClaims, type Claims, type Person } from '../claims.ts'
import { ID_TOKEN_SECONDS } from '../lifetimes.ts'
import type { Keys } from './keys.ts'
import type { SigningKey } from './sealed.ts'

/** The type in the header of an ID token (RFC 7519 §5.1). */
export const ID_TOKEN_TYPE = 'JWT'

/** The values of an ID token. */
export type Authentication = {
  readonly member_id: string
  readonly session_id: string
  readonly amr: readonly string[]
  readonly auth_time: Date
  readonly nonce: string | null
  /** The scopes of the access token it comes with. */
  readonly scopes: readonly string[]
  readonly now: Date
}

/** Signs ID tokens. */
export type IdTokens = {
  /** The keys of a school with which this process can sign at once, by their ids. */
  opened(school: School): ReadonlyMap<string, SigningKey>
  /** Opens the current key of an algorithm. */
  open(school: School, alg: SigningKey['alg']): Promise<SigningKey>
  /** Signs with one of these keys, without the database. */
  sign(
    key: SigningKey,
    about: {
      readonly school: School
      readonly clientId: string
      readonly who: Authentication & Person
      readonly accessToken: string
    },
  ): Promise<string>
}

// OpenID Connect Core §3.1.3.6: the left half of the hash of the token.
const atHash = (accessToken: string): string => sha256(accessToken).subarray(0, 16).toString('base64url')

const seconds = (instant: Date): number => Math.floor(instant.getTime() / 1000)

type Contents = {
  readonly school: School
  readonly clientId: string
  readonly who: Authentication
  readonly claims: Claims
  readonly accessToken: string
}

const write = ({ kid, alg, key }: SigningKey, { school, clientId, who, claims, accessToken }: Contents) => {
  const issuedAt = seconds(who.now)
  const all = {
    ...claims,
    auth_time: seconds(who.auth_time),
    amr: who.amr,
    sid: toId('ses', who.session_id),
    at_hash: atHash(accessToken),
    ...(who.nonce === null ? {} : { nonce: who.nonce }),
  }
  return new SignJWT(all)
    .setProtectedHeader({ alg, kid, typ: ID_TOKEN_TYPE })
    .setIssuer(school.baseUrl)
    .setSubject(toId('mem', who.member_id))
    .setAudience(clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ID_TOKEN_SECONDS)
    .sign(key)
}

/**
 * ID tokens signed with the school's keys (OpenID Connect Core §2). OpenID Connect Core §5.4 puts claims about the person into
 * userinfo when there is an access token; many clients read only the ID token, so it also has them.
 */
export const createIdTokens = (database: Database, keys: Keys): IdTokens => ({
  opened: school => keys.opened(school.id),
  open: (school, alg) => keys.current(database, school.id, alg),
  sign: (key, about) => write(key, { ...about, claims: buildClaims(about.who, new Set(about.who.scopes)) }),
})
