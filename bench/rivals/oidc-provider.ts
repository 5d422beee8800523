// One thing: what the token endpoints are compared with; `oidc-provider` on the same PostgreSQL, in a process of its own.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import pg from 'pg'
import { adapterOver } from './oidc-adapter.ts'

/** The client that both servers know, and the address of the server's database. */
export type PeerSettings = {
  readonly databaseUrl: string
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly scope: string
  /** The algorithm of its ID tokens. */
  readonly alg: 'RS256' | 'ES256'
}

const routes = { token: '/api/oauth/token', introspection: '/api/oauth/introspect' }
const off = { enabled: false }

// A client may introspect its own tokens; without this setting the server only warns that somebody must decide.
const allowedPolicy = (_context: unknown, client: { clientId: string }, token: { clientId: string }): boolean =>
  client.clientId === token.clientId

const keys = async (alg: PeerSettings['alg']) => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { keys: [{ ...(await exportJWK(privateKey)), alg, use: 'sig' }] }
}

const configuration = async ({ clientId, redirectUri, scope, alg }: PeerSettings, pool: pg.Pool) => ({
  adapter: adapterOver(pool),
  routes,
  jwks: await keys(alg),
  cookies: { keys: ['not used by these endpoints'] },
  scopes: scope.split(' '),
  features: { devInteractions: off, introspection: { enabled: true, allowedPolicy } },
  clients: [
    {
      client_id: clientId,
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: alg,
    },
  ],
  clientAuthMethods: ['none'],
  pkce: { required: () => true },
  rotateRefreshToken: true,
  expiresWithSession: () => false,
  issueRefreshToken: () => true,
  ttl: { AuthorizationCode: 3600, AccessToken: 3600, IdToken: 600, Grant: 86_400, RefreshToken: 86_400 },
  findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
})

const newCode = async (peer: Provider, { clientId, redirectUri, challenge, scope }: PeerSettings): Promise<string> => {
  const client = await peer.Client.find(clientId)
  const grant = new peer.Grant({ accountId: 'ada', clientId })
  grant.addOIDCScope(scope)
  const code = new peer.AuthorizationCode({
    accountId: 'ada',
    client,
    grantId: await grant.save(),
    redirectUri,
    scope,
    codeChallenge: challenge,
    codeChallengeMethod: 'S256',
    authTime: Math.floor(performance.timeOrigin / 1000),
  })
  return code.save()
}

// One after the other, since each takes a connection.
const newCodes = async (peer: Provider, settings: PeerSettings, count: number): Promise<string[]> => {
  const codes: string[] = []
  while (codes.length < count)
    codes.push(
      ...(await Promise.all(Array.from({ length: Math.min(50, count - codes.length) }, () => newCode(peer, settings)))),
    )
  return codes
}

const serve = async (settings: PeerSettings): Promise<void> => {
  const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 10 })
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const peer = new Provider(`http://127.0.0.1:${port}`, await configuration(settings, pool))
  server.on('request', peer.callback())
  process.once('disconnect', () => process.exit())
  process.on('message', (count: number) => void newCodes(peer, settings, count).then(codes => process.send?.(codes)))
  process.send?.(port)
}

if (import.meta.main) process.once('message', message => void serve(message as PeerSettings))
