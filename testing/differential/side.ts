import { send, type TestReply, type TestRequest } from '../http.ts'
import { pkce } from '../oauth.ts'

/** A client as a server registered it. */
export type Registered = { readonly id: string; readonly secret: string | undefined }

const PUBLIC = { token_endpoint_auth_method: 'none' }

/** The clients that both servers register before the comparison. */
export const clients = {
  refreshing: { ...PUBLIC, client_name: 'Refreshing', grant_types: ['authorization_code', 'refresh_token'] },
  other: { ...PUBLIC, client_name: 'Other', grant_types: ['authorization_code', 'refresh_token'] },
  codeOnly: { ...PUBLIC, client_name: 'Code only', grant_types: ['authorization_code'] },
  secretive: {
    client_name: 'Secretive',
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_post',
  },
  narrow: { ...PUBLIC, client_name: 'Narrow', grant_types: ['authorization_code'], scope: 'openid profile' },
  elliptic: {
    ...PUBLIC,
    client_name: 'Elliptic',
    grant_types: ['authorization_code'],
    id_token_signed_response_alg: 'ES256',
  },
} as const

/** The name of one of these clients. */
export type ClientName = keyof typeof clients

/** The redirect URIs of each client. */
export const CALLBACKS = ['http://127.0.0.1/callback', 'http://[::1]/back']

/** The cookies of a browser. */
export type Jar = Map<string, string>

/** The last reply that a browser got, and the pages that it saw on the way. */
export type Walked = { readonly reply: TestReply; readonly pages: readonly string[] }

/** One of the two servers, with the values of requests that differ between them. */
export type Side = {
  readonly name: 'stoa' | 'reference'
  readonly issuer: string
  readonly clients: Readonly<Record<ClientName, Registered>>
  /** A browser in which a person is signed in. */
  readonly member: Jar
  send(request: TestRequest): Promise<TestReply>
  /** Opens an address and completes every page until a server or the client gives the final reply. */
  walk(path: string, jar: Jar, person?: 'member' | 'mate'): Promise<Walked>
}

/** A verifier and its challenge, which every case may use. */
export const proof = pkce()

let networks = 0

/** Sends requests to a port, each from another network, so that no rate limit applies. */
export const fromAnywhere =
  (port: number): Side['send'] =>
  request => {
    networks += 1
    const from = `10.${(networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}`
    return send(port, {
      host: `localhost:${port}`,
      ...request,
      headers: { 'x-forwarded-for': from, ...request.headers },
    })
  }
