import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { languageOf } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Session } from '#src/identity/index.ts'
import type { Random } from '#src/kit/crypto.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Client, findClient } from '../clients/queries.ts'
import { grantSeconds } from '../lifetimes.ts'
import { consentPage } from '../pages/consent.ts'
import { redirectToClient, redirectWithin } from '../redirect.ts'
import type { Scopes } from '../scopes.ts'
import { isPrefetch, redirectError } from './authorize.ts'
import { grantedScopes, offers } from './choice.ts'
import { decide, type LockedAuthorization, lockAuthorization } from './decide.ts'
import { anotherPerson, isAddressMeant, isHinted } from './hinted.ts'
import { type AuthorizationInProgress, authorizationOf, handleIn, isFresh, refuseCrossSite } from './in-progress.ts'
import { type Decision, findConsent, type Pending } from './queries.ts'
import { recheck, withinCeiling } from './recheck.ts'
import { carries, consentToken, type Shown } from './shown.ts'
import { coveredScopes, isAssured } from './silent.ts'

/** What consent needs: the scopes, the installation's secret for the tokens of its forms, and random bytes. */
export type ConsentParts = { readonly scopes: Scopes; readonly secret: string; readonly random: Random }

/** A request that waits for who is signed in, with its client as it is now. */
type Waiting = { readonly visit: AuthorizationInProgress; readonly session: Session; readonly client: Client }

const toSignIn = (handle: string): Reply => redirectWithin(`/oauth/authorize/sign-in?request=${handle}`)

const toClient = ({ school }: EndpointRequest, pending: Pending, code: string): Reply =>
  redirectToClient(pending.redirect_uri, { code, state: pending.state ?? undefined, iss: school.baseUrl })

const toClientWith = ({ school }: EndpointRequest, pending: Pending, error: OAuthError): Reply =>
  redirectError(school.baseUrl, pending.redirect_uri, pending.state ?? undefined, error)

// Nothing is shown, sent or redirected before it is certain that the client still lists the callback.
const waitingOf = async (request: EndpointRequest, handle: string): Promise<Waiting | Reply> => {
  const { school, database } = request
  const visit = await authorizationOf(request, handle)
  const { pending, session } = visit
  const found = await database.statements(school.id, db => findClient(db, school.id, pending.client_id))
  const client = recheck(school, found, pending)
  if (!isFresh(session, pending)) return toSignIn(visit.handle)
  if (!isHinted(pending.hinted_member_id, session)) return toClientWith(request, pending, anotherPerson())
  return { visit, session, client }
}

type Asked = Pick<LockedAuthorization, 'client' | 'pending' | 'session'>

const offersOf = ({ scopes }: ConsentParts, { client, pending, session }: Asked) =>
  offers(scopes, withinCeiling(client, pending.scopes), session.member.role)

const shownOf = (parts: ConsentParts, handle: string, asked: Asked): Shown => {
  const { client, pending, session } = asked
  return { handle, session, client, redirectUri: pending.redirect_uri, offers: offersOf(parts, asked) }
}

const pageOf = (request: EndpointRequest, parts: ConsentParts, waiting: Waiting, isStale = false): Reply => {
  const { school } = request
  const { visit, session, client } = waiting
  const { handle, pending } = visit
  const shown = shownOf(parts, handle, { client, pending, session })
  return consentPage({
    school,
    language: languageOf(pending.locale),
    handle,
    token: consentToken(parts.secret, school, shown),
    isStale,
    client: { id: client.id, name: client.name, isArranged: client.is_arranged },
    redirectUri: pending.redirect_uri,
    person: session.member,
    offers: shown.offers,
    lifeSeconds: grantSeconds(school.lives, pending.grant_types),
  })
}

// The code of an arranged client that the person has agreed to before, asked for by a browser that will follow it.
const skip = async (request: EndpointRequest, parts: ConsentParts, waiting: Waiting): Promise<string | undefined> => {
  const { visit, session } = waiting
  if (!visit.pending.may_skip || request.method === 'HEAD' || isPrefetch(request)) return undefined
  if (!isAddressMeant(visit.pending.login_hint, session)) return undefined
  const { school } = request
  const { scopes, random } = parts
  return request.database.transaction(school.id, async (db, now) => {
    const deciding = { school, visit, session, now, random }
    // Before the consent is read: a withdrawal that comes between would not be seen.
    const held = await lockAuthorization(db, deciding)
    const { client, pending } = held
    if (!isAssured(client, pending.redirect_uri)) return undefined
    const consent = await findConsent(db, school.id, session.member.id, client.id)
    const { redirect_uri: redirectUri, resources } = pending
    const wanted = { scopes: withinCeiling(client, pending.scopes), resources, redirectUri }
    const granted = coveredScopes(scopes, wanted, held.session.member.role, consent)
    if (granted === undefined) return undefined
    return decide(db, deciding, held, { decision: 'approve', granted, isSilent: true })
  })
}

const show = async (request: EndpointRequest, parts: ConsentParts): Promise<Reply> => {
  const waiting = await waitingOf(request, handleIn(request.query))
  if ('status' in waiting) return waiting
  const code = await skip(request, parts, waiting)
  return code === undefined ? pageOf(request, parts, waiting) : toClient(request, waiting.visit.pending, code)
}

const readDecision = (text: string): Decision => {
  if (text === 'approve' || text === 'approve_read' || text === 'deny') return text
  throw new OAuthError('invalid_request', {
    en: 'The form does not say what was decided.',
    pt: 'O formulário não diz o que foi decidido.',
  })
}

const tickedIn = (form: Pairs): Set<string> =>
  new Set(form.filter(([name]) => name === 'scope').map(([, value]) => value))

type Outcome = { readonly kind: 'stale' } | { readonly kind: 'decided'; readonly code: string | undefined }

// What was shown is compared with what is, both held: an approval never means anything else than what was read.
const settle = (
  request: EndpointRequest,
  parts: ConsentParts,
  { visit, session }: Waiting,
  form: Pairs,
): Promise<Outcome> => {
  const { school, database } = request
  const decision = readDecision(formField(form, 'decision'))
  return database.transaction(school.id, async (db, now): Promise<Outcome> => {
    const deciding = { school, visit, session, now, random: parts.random }
    const held = await lockAuthorization(db, deciding)
    const shown = shownOf(parts, visit.handle, held)
    if (!carries(formField(form, 'token'), consentToken(parts.secret, school, shown))) return { kind: 'stale' }
    const requested = withinCeiling(held.client, held.pending.scopes)
    const granted = grantedScopes(shown.offers, requested, decision, tickedIn(form))
    return { kind: 'decided', code: await decide(db, deciding, held, { decision, granted, isSilent: false }) }
  })
}

const denialOf = (form: Pairs): OAuthError =>
  new OAuthError(
    'access_denied',
    formField(form, 'decision') === 'deny'
      ? 'The person did not allow it.'
      : 'Nothing was allowed: no requested scope was ticked, or none can be granted to this person yet.',
  )

const submit = async (request: EndpointRequest, parts: ConsentParts): Promise<Reply> => {
  refuseCrossSite(request)
  const form = await request.form()
  const waiting = await waitingOf(request, formField(form, 'request'))
  if ('status' in waiting) return waiting
  const settled = await settle(request, parts, waiting, form)
  if (settled.kind === 'stale') {
    const now = await waitingOf(request, waiting.visit.handle)
    return 'status' in now ? now : pageOf(request, parts, now, true)
  }
  const { pending } = waiting.visit
  if (settled.code === undefined) return toClientWith(request, pending, denialOf(form))
  return toClient(request, pending, settled.code)
}

/** GET and POST /oauth/authorize/consent. */
export const consentEndpoints = (parts: ConsentParts): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/consent', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /oauth/authorize/consent', handle: request => submit(request, parts) }),
]
