import type { Member } from '#src/identity/index.ts'
import { asciiEmail } from '#src/kit/text.ts'

/** What claims say about a person. */
export type Person = Pick<Member, 'name' | 'locale' | 'time_zone' | 'updated_at' | 'email' | 'email_verified'>

/** The claims about a person besides `sub`, of those in OpenID Connect Core §5.1. */
export type Claims = {
  readonly name?: string
  readonly locale?: string
  readonly zoneinfo?: string
  readonly updated_at?: number
  readonly email?: string
  readonly email_verified?: boolean
}

const profile = (member: Person): Claims => ({
  name: member.name,
  ...(member.locale === null ? {} : { locale: member.locale }),
  ...(member.time_zone === null ? {} : { zoneinfo: member.time_zone }),
  updated_at: Math.floor(member.updated_at.getTime() / 1000),
})

/** The claims about a person that these scopes allow, in userinfo and in ID tokens. */
export const buildClaims = (member: Person, scopes: ReadonlySet<string>): Claims => ({
  ...(scopes.has('profile') ? profile(member) : {}),
  ...(scopes.has('email') ? { email: asciiEmail(member.email), email_verified: member.email_verified } : {}),
})
