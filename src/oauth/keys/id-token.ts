import { SignJWT } from 'jose'
import type { Database } from '#src/contract/db.ts'
import type { School } from '#src/contract/school.ts'
import { getMember } from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { toId } from '#src/kit/ids.ts'
import { type Claims, claimsOf, hasClaims, type Person } from '../claims.ts'
import type { Client } from '../clients/queries.ts'
import { ID_TOKEN_SECONDS } from '../lifetimes.ts'
import type { Keys } from './keys.ts'
import type { SigningKey } from './sealed.ts'

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
  sign(school: School, client: Client, who: Authentication, accessToken: string): Promise<string>
  /** The keys of a school with which this process can sign at once, by their ids. */
  opened(school: School): ReadonlyMap<string, SigningKey>
  /** Signs with one of these keys, without the database. */
  signWith(
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

// OpenID Connect Core §5.4 puts these claims into userinfo when there is an access token; many clients read only the
// ID token, so it also has them.
const readClaims = async (database: Database, school: School, who: Authentication): Promise<Claims> => {
  const scopes = new Set(who.scopes)
  if (!hasClaims(scopes)) return {}
  return claimsOf(await database.statements(school.id, db => getMember(db, school.id, who.member_id)), scopes)
}

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
    .setProtectedHeader({ alg, kid, typ: 'JWT' })
    .setIssuer(school.baseUrl)
    .setSubject(toId('mem', who.member_id))
    .setAudience(clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ID_TOKEN_SECONDS)
    .sign(key)
}

/** ID tokens signed with the school's keys (OpenID Connect Core §2). */
export const createIdTokens = (database: Database, keys: Keys): IdTokens => ({
  async sign(school, client, who, accessToken) {
    const key = await keys.current(database, school.id, client.id_token_alg)
    const claims = await readClaims(database, school, who)
    return write(key, { school, clientId: client.id, who, claims, accessToken })
  },
  opened: school => keys.opened(school.id),
  signWith: (key, about) => write(key, { ...about, claims: claimsOf(about.who, new Set(about.who.scopes)) }),
})
