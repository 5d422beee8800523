import type { Role } from '#src/contract/caller.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { lockSessionMember, type Session, shareLockMember } from '#src/identity/index.ts'
import type { Random } from '#src/kit/crypto.ts'
import { describeRecipient } from '../clients/callbacks.ts'
import { type Client, shareLockClient } from '../clients/queries.ts'
import type { Scopes } from '../scopes.ts'
import { approve } from './approval.ts'
import { grantedScopes, offers } from './choice.ts'
import { isHinted, isHintedAddress } from './hinted.ts'
import { type Consent, findConsent } from './queries.ts'
import { recheck, withinCeiling } from './recheck.ts'
import type { AuthorizationRequest } from './request.ts'

type RequestedAccess = {
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly redirectUri: string
}

const areSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every(item => right.includes(item))

/**
 * The scopes to grant without a page: all that a full approval would grant now, if the person's last consent covers
 * them, for the same resources and the same recipient, and is still valid; otherwise undefined.
 */
export const coveredScopes = (
  scopes: Scopes,
  requestedAccess: RequestedAccess,
  role: Role,
  consent: Consent | undefined,
): string[] | undefined => {
  if (consent === undefined || !consent.is_active || !areSame(requestedAccess.resources, consent.resources))
    return undefined
  // The person has not seen any other recipient on a page.
  if (describeRecipient(requestedAccess.redirectUri) !== describeRecipient(consent.redirect_uri)) return undefined
  const granted = grantedScopes(
    offers(scopes, requestedAccess.scopes, role),
    requestedAccess.scopes,
    'approve',
    new Set(requestedAccess.scopes),
  )
  return granted.length > 0 && granted.every(name => consent.scopes.includes(name)) ? granted : undefined
}

/**
 * Whether it is certain that the code reaches the client the school vouches for: at its own site, or to be exchanged
 * with its secret. On a person's computer any program can listen (RFC 8252 §8.6).
 */
export const isAssured = (client: Client, redirectUri: string): boolean =>
  client.is_pre_registered && (client.auth_method !== 'none' || redirectUri.startsWith('https://'))

// Values of prompt that require another page before consent.
const WITH_PAGE = ['login', 'select_account', 'create']

type SilentAuthorization = {
  readonly client: Client
  readonly redirectUri: string
  readonly requested: AuthorizationRequest
  readonly session: Session
  readonly hintedMemberId: string | undefined
}

const isSignedInEnough = ({ requested, session, hintedMemberId }: SilentAuthorization, now: Date): boolean => {
  if (requested.prompt.some(value => WITH_PAGE.includes(value))) return false
  const { maxAge } = requested
  if (maxAge !== undefined && session.authTime.getTime() < now.getTime() - maxAge * 1000) return false
  return isHintedAddress(requested.loginHint, session) && isHinted(hintedMemberId, session)
}

/** A code without a page, or the error that prevents it. */
export const trySilently = (
  { database, school }: EndpointRequest,
  scopes: Scopes,
  random: Random,
  context: SilentAuthorization,
): Promise<{ readonly code: string } | 'login_required' | 'consent_required'> =>
  database.transaction(school.id, async (db, now) => {
    const { redirectUri, requested, session } = context
    // A withdrawal by the person waits for this lock, or was committed before and is seen below.
    if (!(await shareLockMember(db, school.id, session.member.id))) return 'login_required'
    // An earlier reset or sign-out has ended the session.
    const person = await lockSessionMember(db, school.id, session.id)
    if (person === undefined) return 'login_required'
    const client = await shareLockClient(db, school.id, context.client.id)
    const listed = recheck(school, client, { redirect_uri: redirectUri, resources: requested.resources })
    if (!isSignedInEnough(context, now)) return 'login_required'
    if (!isAssured(listed, redirectUri) || requested.prompt.includes('consent')) return 'consent_required'
    const consent = await findConsent(db, school.id, session.member.id, listed.id)
    const requestedAccess = {
      scopes: withinCeiling(listed, requested.scopes),
      resources: requested.resources,
      redirectUri,
    }
    const granted = coveredScopes(scopes, requestedAccess, person.role, consent)
    if (granted === undefined) return 'consent_required'
    const pending = {
      client_id: listed.id,
      grant_types: listed.grant_types,
      redirect_uri: redirectUri,
      resources: requested.resources,
      code_challenge: requested.codeChallenge,
      nonce: requested.nonce ?? null,
    }
    const { code } = await approve(db, school, { pending, session, granted, isSilent: true, now, random })
    return { code }
  })
