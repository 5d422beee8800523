import type { Role } from '#src/contract/caller.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { holdMember, holdSessionPerson, type Session } from '#src/identity/index.ts'
import type { Random } from '#src/kit/crypto.ts'
import { recipientOf } from '../clients/callbacks.ts'
import { type Client, holdClient } from '../clients/queries.ts'
import type { Scopes } from '../scopes.ts'
import { approve } from './approval.ts'
import { grantedScopes, offers } from './choice.ts'
import { isAddressMeant, isHinted } from './hinted.ts'
import { type Consent, findConsent } from './queries.ts'
import { recheck, withinCeiling } from './recheck.ts'
import type { AuthorizationRequest } from './request.ts'

type Wanted = {
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly redirectUri: string
}

const areSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every(item => right.includes(item))

/**
 * The scopes to grant without a page: all that a full approval would give today, if the person's last consent covers
 * them, for the same resources and the same recipient, and still stands; otherwise undefined.
 */
export const coveredScopes = (
  scopes: Scopes,
  wanted: Wanted,
  role: Role,
  consent: Consent | undefined,
): string[] | undefined => {
  if (consent === undefined || !consent.is_standing || !areSame(wanted.resources, consent.resources)) return undefined
  // Nobody has seen on a page that a code goes anywhere else.
  if (recipientOf(wanted.redirectUri) !== recipientOf(consent.redirect_uri)) return undefined
  const granted = grantedScopes(offers(scopes, wanted.scopes, role), wanted.scopes, 'approve', new Set(wanted.scopes))
  return granted.length > 0 && granted.every(name => consent.scopes.includes(name)) ? granted : undefined
}

/**
 * Whether it is certain that the code reaches the client the school vouches for: at its own site, or to be exchanged
 * with its secret. On a person's computer any program can listen (RFC 8252 §8.6).
 */
export const isAssured = (client: Client, redirectUri: string): boolean =>
  client.is_arranged && (client.auth_method !== 'none' || redirectUri.startsWith('https://'))

// Values of prompt that ask for a page before consent comes up at all.
const WITH_PAGE = ['login', 'select_account', 'create']

type Trying = {
  readonly client: Client
  readonly redirectUri: string
  readonly asked: AuthorizationRequest
  readonly session: Session
  readonly hintedMemberId: string | undefined
}

const isSignedInEnough = ({ asked, session, hintedMemberId }: Trying, now: Date): boolean => {
  if (asked.prompt.some(value => WITH_PAGE.includes(value))) return false
  const { maxAge } = asked
  if (maxAge !== undefined && session.authTime.getTime() < now.getTime() - maxAge * 1000) return false
  return isAddressMeant(asked.loginHint, session) && isHinted(hintedMemberId, session)
}

/** A code without any page, or what stands in its way. */
export const trySilently = (
  { database, school }: EndpointRequest,
  scopes: Scopes,
  random: Random,
  trying: Trying,
): Promise<{ readonly code: string } | 'login_required' | 'consent_required'> =>
  database.transaction(school.id, async (db, now) => {
    const { redirectUri, asked, session } = trying
    // The person's withdrawals wait for this, or were there first and are seen below.
    if (!(await holdMember(db, school.id, session.member.id))) return 'login_required'
    // A reset or sign-out that came first has ended the session.
    const person = await holdSessionPerson(db, school.id, session.id)
    if (person === undefined) return 'login_required'
    const client = await holdClient(db, school.id, trying.client.id)
    const listed = recheck(school, client, { redirect_uri: redirectUri, resources: asked.resources })
    if (!isSignedInEnough(trying, now)) return 'login_required'
    if (!isAssured(listed, redirectUri) || asked.prompt.includes('consent')) return 'consent_required'
    const consent = await findConsent(db, school.id, session.member.id, listed.id)
    const wanted = { scopes: withinCeiling(listed, asked.scopes), resources: asked.resources, redirectUri }
    const granted = coveredScopes(scopes, wanted, person.role, consent)
    if (granted === undefined) return 'consent_required'
    const pending = {
      client_id: listed.id,
      grant_types: listed.grant_types,
      redirect_uri: redirectUri,
      resources: asked.resources,
      code_challenge: asked.codeChallenge,
      nonce: asked.nonce ?? null,
    }
    const { code } = await approve(db, school, { pending, session, granted, isSilent: true, now, random })
    return { code }
  })
