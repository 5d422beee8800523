import { type Endpoint, type EndpointRequest, endpoint } from '#src/contract/endpoint.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import type { Client } from '../clients/queries.ts'
import { required } from '../parameters.ts'
import { authenticateClient, authenticated } from './client-auth.ts'
import { type ActiveRefresh, findActiveRefresh } from './presented.queries.ts'
import { readPresented } from './presented.ts'
import { findClientAndToken, type TokenRow } from './queries.ts'
import { readTokenForm } from './token-form.ts'

const seconds = (instant: Date): number => Math.floor(instant.getTime() / 1000)

const about = (school: School, row: TokenRow | ActiveRefresh) => ({
  active: true,
  scope: row.scopes.join(' '),
  client_id: row.client_id,
  sub: toId('mem', row.member_id),
  iss: school.baseUrl,
  exp: seconds(row.expires_at),
  iat: seconds(row.issued_at),
})

// A resource server sees the access tokens of its resource, any client its own tokens.
const maySee = (client: Client, row: TokenRow): boolean =>
  row.client_id === client.id || (client.introspects !== null && row.resource === client.introspects)

const INACTIVE = { active: false }

type Form = Awaited<ReturnType<typeof readTokenForm>>

// One statement for the client and the token.
const introspectAccess = async (request: EndpointRequest, { parameters }: Form, tokenHash: Buffer): Promise<object> => {
  const { school, database } = request
  const id = required(parameters, 'client_id')
  const found = await database.statements(school.id, db => findClientAndToken(db, school.id, id, tokenHash))
  const row = authenticated(found, parameters.get('client_secret'))
  if (row.grant_id === null || !maySee(row, row)) return INACTIVE
  return { ...about(school, row), aud: row.resource, token_type: 'Bearer' }
}

const introspect = async (request: EndpointRequest, form: Form): Promise<object> => {
  const { school, database } = request
  const presented = readPresented(form.token)
  if (presented?.kind === 'access') return introspectAccess(request, form, presented.tokenHash)
  const client = await authenticateClient(request, form.parameters)
  if (presented?.kind !== 'refresh') return INACTIVE
  const row = await database.statements(school.id, db => findActiveRefresh(db, school.id, presented))
  if (row === undefined || row.client_id !== client.id) return INACTIVE
  const [only, ...others] = row.resources
  return { ...about(school, row), aud: others.length === 0 ? only : row.resources, token_use: 'refresh_token' }
}

/** POST /api/oauth/introspect (RFC 7662): the claims of an active token, or only that it is not active. */
export const introspectEndpoint: Endpoint = endpoint({
  route: 'POST /api/oauth/introspect',
  async handle(request) {
    const form = await readTokenForm(request)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    }
    return { status: 200, headers, body: JSON.stringify(await introspect(request, form)) }
  },
})
