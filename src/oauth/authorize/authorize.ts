import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { chooseLanguage } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { browserOf, findSession, preSessionCookies, type Session } from '#src/identity/index.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import { parsePairs, writePairs } from '#src/kit/form.ts'
import { isDocumentId } from '../client-metadata/address.ts'
import { addressOf, type ClientMetadataDocuments } from '../client-metadata/client-metadata.ts'
import { builtInClient, storeBuiltIn } from '../clients/built-in.ts'
import { type Client, findClient } from '../clients/queries.ts'
import { memberHinted } from '../keys/hint.ts'
import { isDuplicatedOrInvalid, parametersOf, refuseDuplicatedOrInvalid, required } from '../parameters.ts'
import { redirectToClient, redirectWithin } from '../redirect.ts'
import type { Scopes } from '../scopes.ts'
import { isAddressMeant, isHinted } from './hinted.ts'
import { consumeAuthorization } from './limits.ts'
import { insertPending } from './queries.ts'
import {
  type AuthorizationRequest,
  authorizeParameters,
  certainRedirect,
  type RawAuthorizationRequest,
  readRequest,
} from './request.ts'
import { isAssured, trySilently } from './silent.ts'

// What the redirect's own query may have.
const LONGEST_QUERY = 8192

const readSent = (query: string): RawAuthorizationRequest => {
  try {
    return parametersOf(parsePairs(query), authorizeParameters, ['resource'])
  } catch {
    throw new OAuthError('invalid_request', 'The query has a malformed escape or is not UTF-8.')
  }
}

/** The error an authorization ends with, said to the client by redirect. */
export const redirectError = (
  issuer: string,
  redirectUri: string,
  state: string | undefined,
  error: OAuthError,
): Reply => redirectToClient(redirectUri, { error: error.code, error_description: error.message, state, iss: issuer })

/** Whether nobody looks at the answer: a browser fetches ahead. */
export const isPrefetch = (request: EndpointRequest): boolean =>
  /prefetch|prerender/i.test(request.header('sec-purpose') ?? request.header('purpose') ?? '')

// RFC 6749 §4.1.2.1: the client or its callback changed meanwhile, so that nothing may be sent there.
const isUncertain = ({ code }: OAuthError): boolean => code === 'invalid_client' || code === 'invalid_redirect_uri'

type Lookup = { readonly client: Client | undefined; readonly session: Session | undefined }

const lookUp = (request: EndpointRequest, clientId: string): Promise<Lookup> => {
  const { database, school } = request
  return database.statements(school.id, async db => {
    const [client, session] = await Promise.all([
      findClient(db, school.id, clientId),
      findSession(db, school.id, browserOf(request).session),
    ])
    return { client: client ?? builtInClient(school, clientId), session }
  })
}

// A document is fetched here and nowhere else, and never for a browser that only looks ahead.
const lookUpCertain = async (
  request: EndpointRequest,
  clientId: string,
  documents: ClientMetadataDocuments,
): Promise<Lookup> => {
  if (!isDocumentId(clientId)) return lookUp(request, clientId)
  addressOf(clientId)
  const found = await lookUp(request, clientId)
  const { client } = found
  if (client?.is_blocked || client?.is_kept || request.method === 'HEAD' || isPrefetch(request)) return found
  await documents(request, clientId)
  return lookUp(request, clientId)
}

type Asking = {
  readonly client: Client
  readonly redirectUri: string
  readonly asked: AuthorizationRequest
  readonly session: Session | undefined
  /** Whom the client's ID token names, if it sent one. */
  readonly hintedMemberId: string | undefined
}

// OpenID Connect Core §3.1.2.6. Nobody vouches for an open client, so that it needs consent each time.
const answerSilently = async (
  request: EndpointRequest,
  scopes: Scopes,
  random: Random,
  what: Asking,
): Promise<Reply | undefined> => {
  const { client, asked, session, redirectUri } = what
  const isNone = asked.prompt.includes('none')
  if (!isNone && !(isAssured(client, redirectUri) && session !== undefined)) return undefined
  if (session === undefined) throw new OAuthError('login_required', 'Nobody is signed in.')
  const tried = await trySilently(request, scopes, random, { ...what, session })
  if (typeof tried === 'object')
    return redirectToClient(redirectUri, { code: tried.code, state: asked.state, iss: request.school.baseUrl })
  if (!isNone) return undefined
  if (tried === 'login_required') throw new OAuthError(tried, 'The person has to sign in, or to sign in again.')
  throw new OAuthError(tried, 'The person has to agree on a page.')
}

// OpenID Connect Core §3.1.2.1: the first of the listed languages that we have, before any other wish.
const localeOf = (request: EndpointRequest, { asked, session }: Asking): string =>
  chooseLanguage({
    asked: asked.uiLocales,
    member: session?.member.locale,
    browser: request.header('accept-language'),
    school: request.school.locale,
  })

const maySkip = ({ client, redirectUri, asked, session }: Asking): boolean =>
  isAssured(client, redirectUri) &&
  !asked.prompt.includes('consent') &&
  (session === undefined || isAddressMeant(asked.loginHint, session))

const begin = async (request: EndpointRequest, random: Random, what: Asking): Promise<Reply> => {
  const { school, database } = request
  await consumeAuthorization(request, what.session?.member.id)
  const handle = random(32).toString('base64url')
  const { preSession } = browserOf(request)
  const mark =
    preSession !== undefined && /^[\w-]{43}$/.test(preSession) ? preSession : random(32).toString('base64url')
  await database.statements(school.id, async db => {
    await storeBuiltIn(db, school, what.client.id)
    await insertPending(db, school.id, {
      handleHash: sha256(handle),
      browserHash: sha256(mark),
      clientId: what.client.id,
      redirectUri: what.redirectUri,
      locale: localeOf(request, what),
      memberId: what.session?.member.id,
      maySkip: maySkip(what),
      hintedMemberId: what.hintedMemberId,
      request: what.asked,
    })
  })
  const isSignedIn = what.session !== undefined && isHinted(what.hintedMemberId, what.session)
  const signIn = isSignedIn ? 'consent' : 'sign-in'
  const page = what.asked.prompt.includes('create') ? 'sign-up' : signIn
  return redirectWithin(
    `/oauth/authorize/${page}?request=${handle}`,
    mark === preSession ? [] : preSessionCookies(request, mark),
  )
}

/** What an authorization needs besides its request. */
export type Authorizing = {
  readonly scopes: Scopes
  readonly random: Random
  readonly documents: ClientMetadataDocuments
}

const authorize = async (request: EndpointRequest, { scopes, random, documents }: Authorizing): Promise<Reply> => {
  const { school } = request
  const sent = readSent(request.query)
  if (isDuplicatedOrInvalid(sent, 'client_id')) refuseDuplicatedOrInvalid(sent)
  const { client, session } = await lookUpCertain(request, required(sent, 'client_id'), documents)
  const redirectUri = certainRedirect(sent, client, school)
  if (client === undefined) throw new OAuthError('invalid_client', 'The app is not registered here.', { status: 400 })
  try {
    const asked = readRequest(sent, client, school, scopes)
    if (request.method === 'HEAD') return { status: 200, headers: { 'cache-control': 'no-store' } }
    if (isPrefetch(request)) return { status: 400, headers: { 'cache-control': 'no-store' } }
    const { idTokenHint } = asked
    const hintedMemberId = idTokenHint && (await memberHinted(request.database, school, idTokenHint))
    const what = { client, redirectUri, asked, session, hintedMemberId }
    return (await answerSilently(request, scopes, random, what)) ?? (await begin(request, random, what))
  } catch (error) {
    if (!(error instanceof OAuthError) || error.status === 429 || isUncertain(error)) throw error
    return redirectError(
      school.baseUrl,
      redirectUri,
      isDuplicatedOrInvalid(sent, 'state') ? undefined : sent.get('state'),
      error,
    )
  }
}

/** GET and POST /oauth/authorize (RFC 6749 §4.1.1). */
export const authorizeEndpoints = (authorizing: Authorizing): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize', handle: request => authorize(request, authorizing) }),
  endpoint({
    route: 'POST /oauth/authorize',
    async handle(request) {
      const query = writePairs(await request.form())
      if (query.length > LONGEST_QUERY) throw new OAuthError('invalid_request', 'The request is too long.')
      return redirectWithin(`/oauth/authorize?${query}`)
    },
  }),
]
