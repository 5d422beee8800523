import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { languageFor } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { findSession, preSessionCookies, readBrowser, type Session } from '#src/identity/index.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import { parsePairs, writePairs } from '#src/kit/form.ts'
import { isDocumentId } from '../client-metadata/address.ts'
import { type ClientMetadataDocuments, parseAddress } from '../client-metadata/client-metadata.ts'
import { builtInClient, storeBuiltIn } from '../clients/built-in.ts'
import { type Client, findClient } from '../clients/queries.ts'
import { memberHinted } from '../keys/hint.ts'
import { isDuplicatedOrInvalid, parseParameters, refuseDuplicatedOrInvalid, required } from '../parameters.ts'
import { redirectToClient, redirectWithin } from '../redirect.ts'
import type { Scopes } from '../scopes.ts'
import { isHinted, isHintedAddress } from './hinted.ts'
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

// The maximum length of the query of the redirect.
const LONGEST_QUERY = 8192

const readParameters = (query: string): RawAuthorizationRequest => {
  try {
    return parseParameters(parsePairs(query), authorizeParameters, ['resource'])
  } catch {
    throw new OAuthError('invalid_request', 'The query has a malformed escape or is not UTF-8.')
  }
}

/** The redirect that reports the error of an authorization to the client. */
export const redirectError = (
  issuer: string,
  redirectUri: string,
  state: string | undefined,
  error: OAuthError,
): Reply => redirectToClient(redirectUri, { error: error.code, error_description: error.message, state, iss: issuer })

/** Whether the browser prefetches the page, so nobody sees the response. */
export const isPrefetch = (request: EndpointRequest): boolean =>
  /prefetch|prerender/i.test(request.header('sec-purpose') ?? request.header('purpose') ?? '')

// RFC 6749 §4.1.2.1: the client or its callback changed meanwhile, so nothing may be sent there.
const isUncertain = ({ code }: OAuthError): boolean => code === 'invalid_client' || code === 'invalid_redirect_uri'

type Lookup = { readonly client: Client | undefined; readonly session: Session | undefined }

const lookUp = (request: EndpointRequest, clientId: string): Promise<Lookup> => {
  const { database, school } = request
  return database.statements(school.id, async db => {
    const [client, session] = await Promise.all([
      findClient(db, school.id, clientId),
      findSession(db, school.id, readBrowser(request).session),
    ])
    if (session !== undefined) request.markSeen(session.member.id, session.id)
    return { client: client ?? builtInClient(school, clientId), session }
  })
}

// Client metadata documents are fetched only here, and never for a prefetch.
const lookUpCertain = async (
  request: EndpointRequest,
  clientId: string,
  documents: ClientMetadataDocuments,
): Promise<Lookup> => {
  if (!isDocumentId(clientId)) return lookUp(request, clientId)
  parseAddress(clientId)
  const found = await lookUp(request, clientId)
  const { client } = found
  if (client?.is_blocked || client?.is_kept || request.method === 'HEAD' || isPrefetch(request)) return found
  await documents(request, clientId)
  return lookUp(request, clientId)
}

type AuthorizationContext = {
  readonly client: Client
  readonly redirectUri: string
  readonly requested: AuthorizationRequest
  readonly session: Session | undefined
  /** The member in the id_token_hint, if the client sent one. */
  readonly hintedMemberId: string | undefined
}

// OpenID Connect Core §3.1.2.6. Nobody vouches for a self-registered client, so it needs consent each time.
const answerSilently = async (
  request: EndpointRequest,
  scopes: Scopes,
  random: Random,
  context: AuthorizationContext,
): Promise<Reply | undefined> => {
  const { client, requested, session, redirectUri } = context
  const isNone = requested.prompt.includes('none')
  if (!isNone && !(isAssured(client, redirectUri) && session !== undefined)) return undefined
  if (session === undefined) throw new OAuthError('login_required', 'Nobody is signed in.')
  const result = await trySilently(request, scopes, random, { ...context, session })
  if (typeof result === 'object')
    return redirectToClient(redirectUri, { code: result.code, state: requested.state, iss: request.school.baseUrl })
  if (!isNone) return undefined
  if (result === 'login_required') throw new OAuthError(result, 'The person has to sign in, or sign in again.')
  throw new OAuthError(result, 'The person has to give consent on a page.')
}

// OpenID Connect Core §3.1.2.1: the first supported language of ui_locales precedes any other preference.
const chooseLocale = (request: EndpointRequest, { requested, session }: AuthorizationContext): string =>
  languageFor(request, { uiLocales: requested.uiLocales, member: session?.member.locale })

const maySkip = ({ client, redirectUri, requested, session }: AuthorizationContext): boolean =>
  isAssured(client, redirectUri) &&
  !requested.prompt.includes('consent') &&
  (session === undefined || isHintedAddress(requested.loginHint, session))

const begin = async (request: EndpointRequest, random: Random, context: AuthorizationContext): Promise<Reply> => {
  const { school, database } = request
  await consumeAuthorization(request, context.session?.member.id)
  const handle = random(32).toString('base64url')
  const { preSession } = readBrowser(request)
  const browserBinding =
    preSession !== undefined && /^[\w-]{43}$/.test(preSession) ? preSession : random(32).toString('base64url')
  await database.statements(school.id, async db => {
    await storeBuiltIn(db, school, context.client.id)
    await insertPending(db, school.id, {
      handleHash: sha256(handle),
      browserHash: sha256(browserBinding),
      clientId: context.client.id,
      redirectUri: context.redirectUri,
      locale: chooseLocale(request, context),
      memberId: context.session?.member.id,
      maySkip: maySkip(context),
      hintedMemberId: context.hintedMemberId,
      request: context.requested,
    })
  })
  const isSignedIn = context.session !== undefined && isHinted(context.hintedMemberId, context.session)
  const signIn = isSignedIn ? 'consent' : 'sign-in'
  const page = context.requested.prompt.includes('create') ? 'sign-up' : signIn
  return redirectWithin(
    `/oauth/authorize/${page}?request=${handle}`,
    browserBinding === preSession ? [] : preSessionCookies(request, browserBinding),
  )
}

/** What the authorization endpoint needs. */
type AuthorizeParts = {
  readonly scopes: Scopes
  readonly random: Random
  readonly documents: ClientMetadataDocuments
}

const authorize = async (request: EndpointRequest, { scopes, random, documents }: AuthorizeParts): Promise<Reply> => {
  const { school } = request
  const parameters = readParameters(request.query)
  if (isDuplicatedOrInvalid(parameters, 'client_id')) refuseDuplicatedOrInvalid(parameters)
  const { client, session } = await lookUpCertain(request, required(parameters, 'client_id'), documents)
  const redirectUri = certainRedirect(parameters, client, school)
  if (client === undefined) throw new OAuthError('invalid_client', 'The app is not registered here.', { status: 400 })
  try {
    const requested = readRequest(parameters, client, school, scopes)
    if (request.method === 'HEAD') return { status: 200, headers: { 'cache-control': 'no-store' } }
    if (isPrefetch(request)) return { status: 400, headers: { 'cache-control': 'no-store' } }
    const { idTokenHint } = requested
    const hintedMemberId = idTokenHint && (await memberHinted(request.database, school, client.id, idTokenHint))
    const context = { client, redirectUri, requested, session, hintedMemberId }
    return (await answerSilently(request, scopes, random, context)) ?? (await begin(request, random, context))
  } catch (error) {
    if (!(error instanceof OAuthError) || error.status === 429 || isUncertain(error)) throw error
    return redirectError(
      school.baseUrl,
      redirectUri,
      isDuplicatedOrInvalid(parameters, 'state') ? undefined : parameters.get('state'),
      error,
    )
  }
}

/** GET and POST /oauth/authorize (RFC 6749 §4.1.1). */
export const authorizeEndpoints = (parts: AuthorizeParts): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize', handle: request => authorize(request, parts) }),
  endpoint({
    route: 'POST /oauth/authorize',
    async handle(request) {
      const query = writePairs(await request.form())
      if (query.length > LONGEST_QUERY) throw new OAuthError('invalid_request', 'The request is too long.')
      return redirectWithin(`/oauth/authorize?${query}`)
    },
  }),
]
