import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { toLanguage } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Session } from '#src/identity/index.ts'
import type { Random } from '#src/kit/crypto.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { texts } from '#src/texts/index.ts'
import { type Client, findClient } from '../clients/queries.ts'
import { grantSeconds } from '../lifetimes.ts'
import { consentPage } from '../pages/consent.ts'
import { redirectToClient, redirectWithin } from '../redirect.ts'
import { requestsAccess, type Scopes } from '../scopes.ts'
import { isPrefetch, redirectError } from './authorize.ts'
import { grantedScopes, offers } from './choice.ts'
import { decide, type LockedAuthorization, lockAuthorization } from './decide.ts'
import { anotherPerson, isHinted, isHintedAddress } from './hinted.ts'
import { type AuthorizationInProgress, getAuthorization, handleIn, isFresh, refuseCrossSite } from './in-progress.ts'
import { type Decision, findConsent, type Pending } from './queries.ts'
import { recheck, withinCeiling } from './recheck.ts'
import { nothingRequested } from './request.ts'
import { type ConsentContent, carries, consentToken } from './shown.ts'
import { coveredScopes, isAssured } from './silent.ts'

/** What the consent page needs: scopes, the installation's secret for the tokens of its forms, and random bytes. */
type ConsentParts = { readonly scopes: Scopes; readonly secret: string; readonly random: Random }

/** An authorization that waits for the signed-in person, with the current state of its client. */
type WaitingAuthorization = {
  readonly authorization: AuthorizationInProgress
  readonly session: Session
  readonly client: Client
}

const toSignIn = (handle: string): Reply => redirectWithin(`/oauth/authorize/sign-in?request=${handle}`)

const toClient = ({ school }: EndpointRequest, pending: Pending, code: string): Reply =>
  redirectToClient(pending.redirect_uri, { code, state: pending.state ?? undefined, iss: school.baseUrl })

const toClientWith = ({ school }: EndpointRequest, pending: Pending, error: OAuthError): Reply =>
  redirectError(school.baseUrl, pending.redirect_uri, pending.state ?? undefined, error)

// Checked before anything is shown, sent or redirected: the client still lists the callback.
const requireWaitingAuthorization = async (
  request: EndpointRequest,
  handle: string,
): Promise<WaitingAuthorization | Reply> => {
  const { school, database } = request
  const authorization = await getAuthorization(request, handle)
  const { pending, session } = authorization
  const found = await database.statements(school.id, db => findClient(db, school.id, pending.client_id))
  const client = recheck(school, found, pending)
  // The school may have changed the scopes of the app meanwhile.
  if (!requestsAccess(withinCeiling(client, pending.scopes))) return toClientWith(request, pending, nothingRequested())
  if (!isFresh(session, pending)) return toSignIn(authorization.handle)
  if (!isHinted(pending.hinted_member_id, session)) return toClientWith(request, pending, anotherPerson())
  return { authorization, session, client }
}

type ConsentSubject = Pick<LockedAuthorization, 'client' | 'pending' | 'session'>

const listOffers = ({ scopes }: ConsentParts, { client, pending, session }: ConsentSubject) =>
  offers(scopes, withinCeiling(client, pending.scopes), session.member.role)

const buildConsentContent = (parts: ConsentParts, handle: string, subject: ConsentSubject): ConsentContent => {
  const { client, pending, session } = subject
  return { handle, session, client, redirectUri: pending.redirect_uri, offers: listOffers(parts, subject) }
}

const renderPage = (
  request: EndpointRequest,
  parts: ConsentParts,
  waiting: WaitingAuthorization,
  isStale = false,
): Reply => {
  const { school } = request
  const { authorization, session, client } = waiting
  const { handle, pending } = authorization
  const content = buildConsentContent(parts, handle, { client, pending, session })
  return consentPage({
    school,
    language: toLanguage(pending.locale),
    handle,
    token: consentToken(parts.secret, school, content),
    isStale,
    client: { id: client.id, name: client.name, isPreRegistered: client.is_pre_registered },
    redirectUri: pending.redirect_uri,
    person: session.member,
    offers: content.offers,
    isSignIn: withinCeiling(client, pending.scopes).includes('openid'),
    lifeSeconds: grantSeconds(school.lifetimes, pending.grant_types),
  })
}

// Consent is skipped for a pre-registered client that the person consented to before, unless the browser only
// prefetches.
const skip = async (
  request: EndpointRequest,
  parts: ConsentParts,
  waiting: WaitingAuthorization,
): Promise<string | undefined> => {
  const { authorization, session } = waiting
  if (!authorization.pending.may_skip || request.method === 'HEAD' || isPrefetch(request)) return undefined
  if (!isHintedAddress(authorization.pending.login_hint, session)) return undefined
  const { school } = request
  const { scopes, random } = parts
  return request.database.transaction(school.id, async (db, now) => {
    const context = { school, authorization, session, now, random }
    // Locked before the consent is read; otherwise a withdrawal in between would not be seen.
    const locked = await lockAuthorization(db, context)
    const { client, pending } = locked
    if (!isAssured(client, pending.redirect_uri)) return undefined
    const consent = await findConsent(db, school.id, session.member.id, client.id)
    const { redirect_uri: redirectUri, resources } = pending
    const requestedAccess = { scopes: withinCeiling(client, pending.scopes), resources, redirectUri }
    const granted = coveredScopes(scopes, requestedAccess, locked.session.member.role, consent)
    if (granted === undefined) return undefined
    return decide(db, context, locked, { decision: 'approve', granted, isSilent: true })
  })
}

const show = async (request: EndpointRequest, parts: ConsentParts): Promise<Reply> => {
  const waiting = await requireWaitingAuthorization(request, handleIn(request.query))
  if ('status' in waiting) return waiting
  const code = await skip(request, parts, waiting)
  return code === undefined
    ? renderPage(request, parts, waiting)
    : toClient(request, waiting.authorization.pending, code)
}

const readDecision = (text: string): Decision => {
  if (text === 'approve' || text === 'approve_read' || text === 'deny') return text
  throw new OAuthError('invalid_request', texts.oauth.authorize.consent.readDecision.theFormHasNoValid)
}

const tickedIn = (form: Pairs): Set<string> =>
  new Set(form.filter(([name]) => name === 'scope').map(([, value]) => value))

type Outcome = { readonly kind: 'stale' } | { readonly kind: 'decided'; readonly code: string | undefined }

// The content that was shown is compared with the current state, which is locked, so an approval covers exactly what
// the person read.
const settle = (
  request: EndpointRequest,
  parts: ConsentParts,
  { authorization, session }: WaitingAuthorization,
  form: Pairs,
): Promise<Outcome> => {
  const { school, database } = request
  const decision = readDecision(formField(form, 'decision'))
  return database.transaction(school.id, async (db, now): Promise<Outcome> => {
    const context = { school, authorization, session, now, random: parts.random }
    const locked = await lockAuthorization(db, context)
    const content = buildConsentContent(parts, authorization.handle, locked)
    if (!carries(formField(form, 'token'), consentToken(parts.secret, school, content))) return { kind: 'stale' }
    const requested = withinCeiling(locked.client, locked.pending.scopes)
    const granted = grantedScopes(content.offers, requested, decision, tickedIn(form))
    return { kind: 'decided', code: await decide(db, context, locked, { decision, granted, isSilent: false }) }
  })
}

const buildDenial = (form: Pairs): OAuthError =>
  new OAuthError(
    'access_denied',
    formField(form, 'decision') === 'deny'
      ? 'The person denied the request.'
      : 'Nothing was allowed: no requested scope was selected, or none can be granted to this person yet.',
  )

const submit = async (request: EndpointRequest, parts: ConsentParts): Promise<Reply> => {
  refuseCrossSite(request)
  const form = await request.form()
  const waiting = await requireWaitingAuthorization(request, formField(form, 'request'))
  if ('status' in waiting) return waiting
  const settled = await settle(request, parts, waiting, form)
  if (settled.kind === 'stale') {
    const now = await requireWaitingAuthorization(request, waiting.authorization.handle)
    return 'status' in now ? now : renderPage(request, parts, now, true)
  }
  const { pending } = waiting.authorization
  if (settled.code === undefined) return toClientWith(request, pending, buildDenial(form))
  return toClient(request, pending, settled.code)
}

/** GET and POST /oauth/authorize/consent. */
export const consentEndpoints = (parts: ConsentParts): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/consent', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /oauth/authorize/consent', handle: request => submit(request, parts) }),
]
