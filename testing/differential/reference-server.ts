import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { errors, type InteractionDetails, interactionPolicy } from 'oidc-provider'
import { html } from '#src/kit/html.ts'

/** The server that we compare Stoa with, configured like `docs/oauth.md` as far as it can be. */
type ReferenceServer = { readonly port: number; readonly issuer: string; stop(): Promise<void> }

/** The scopes that both servers have, without those of OpenID Connect. */
type ReferenceScopes = readonly string[]

const routes = {
  authorization: '/oauth/authorize',
  token: '/api/oauth/token',
  revocation: '/api/oauth/revoke',
  introspection: '/api/oauth/introspect',
  registration: '/api/oauth/register',
  jwks: '/api/oauth/jwks',
  userinfo: '/api/oauth/userinfo',
}

const off = { enabled: false }
const features = (issuer: string, scopes: ReferenceScopes) => ({
  devInteractions: off,
  dPoP: off,
  pushedAuthorizationRequests: off,
  rpInitiatedLogout: off,
  requestObjects: off,
  claimsParameter: off,
  clientIdMetadataDocument: off,
  registration: { enabled: true, issueRegistrationAccessToken: false },
  revocation: { enabled: true },
  introspection: { enabled: true },
  resourceIndicators: {
    enabled: true,
    defaultResource: () => issuer,
    useGrantedResource: () => true,
    getResourceServerInfo: (_context: unknown, resource: string) => {
      if (resource.replace(/\/$/, '') !== issuer) throw new errors.InvalidTarget()
      return { scope: scopes.join(' '), audience: issuer, accessTokenFormat: 'opaque', accessTokenTTL: 3600 }
    },
  },
})

// The sign-in page handles prompt=select_account and prompt=create.
const policy = () => {
  const base = interactionPolicy.base()
  for (const name of ['select_account', 'create'])
    base.add(new interactionPolicy.Prompt({ name, requestable: true }), 0)
  return base
}

type Context = { type: string; body: string }

const errorPage = (context: Context, out: { error: string }): void => {
  context.type = 'html'
  context.body = html`<p>Code: <code>${out.error}</code></p>`.html
}

const createKey = async (alg: 'RS256' | 'ES256') => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), alg, use: 'sig' }
}

const configuration = async (issuer: string, scopes: ReferenceScopes) => ({
  routes,
  features: features(issuer, scopes),
  jwks: { keys: [await createKey('RS256'), await createKey('ES256')] },
  enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
  cookies: { keys: ['the reference server is not ours'] },
  scopes: ['openid', 'offline_access', 'profile', 'email'],
  claims: {
    openid: ['sub', 'auth_time', 'sid', 'amr'],
    profile: ['name', 'locale', 'zoneinfo', 'updated_at'],
    email: ['email', 'email_verified'],
  },
  responseTypes: ['code'],
  clientAuthMethods: ['none', 'client_secret_post'],
  clientDefaults: { application_type: 'native', token_endpoint_auth_method: 'none' },
  pkce: { required: () => true },
  allowOmittingSingleRegisteredRedirectUri: false,
  rotateRefreshToken: true,
  expiresWithSession: () => false,
  issueRefreshToken: (_context: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
    client.grantTypeAllowed('refresh_token'),
  ttl: { AuthorizationCode: 120, AccessToken: 3600, IdToken: 600, Grant: 3600, Session: 3600, RefreshToken: 3600 },
  findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
  interactions: { policy: policy(), url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
  renderError: errorPage,
})

const renderPage = ({ uid, prompt }: InteractionDetails): string => {
  const fields =
    prompt.name === 'consent'
      ? html`<button name="decision" value="approve">`
      : html`<input name="email"><input name="password">`
  return html`<form action="/interaction/${uid}">${fields}</form>`.html
}

const allow = async (reference: Provider, issuer: string, details: InteractionDetails, scopes: ReferenceScopes) => {
  const { params, session } = details
  const grant = new reference.Grant({ accountId: session?.accountId ?? '', clientId: String(params.client_id) })
  const scopeNames = String(params.scope ?? '').split(' ')
  grant.addOIDCScope(scopeNames.filter(name => !scopes.includes(name)).join(' '))
  for (const resource of [issuer, `${issuer}/`])
    grant.addResourceScope(resource, scopeNames.filter(name => scopes.includes(name)).join(' '))
  return { consent: { grantId: await grant.save() } }
}

const interact = async (
  { reference, issuer, scopes }: { reference: Provider; issuer: string; scopes: ReferenceScopes },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const details = await reference.interactionDetails(request, response)
  const { name } = details.prompt
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html')
    response.end(renderPage(details))
    return
  }
  const accountId = new URLSearchParams(await text(request)).get('email')
  const result =
    name === 'consent'
      ? await allow(reference, issuer, details, scopes)
      : { login: { accountId }, [name]: { accountId } }
  await reference.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
}

/** Starts `oidc-provider` on a loopback port, with its own pages that accept any sign-in. */
export const startReferenceServer = async (scopes: ReferenceScopes): Promise<ReferenceServer> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `http://localhost:${port}`
  const reference = new Provider(issuer, await configuration(issuer, scopes))
  const answer = reference.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    interact({ reference, issuer, scopes }, request, response).catch(error => {
      response.statusCode = 500
      response.end(`<code>${error}</code>`)
    })
  })
  return {
    port,
    issuer,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
