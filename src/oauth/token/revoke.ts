import { type Endpoint, type EndpointRequest, endpoint } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Client } from '../clients/queries.ts'
import { authenticateClient } from './client-auth.ts'
import { endGrant } from './end.ts'
import { revokeAccess } from './presented.queries.ts'
import { findOwner, readPresented } from './presented.ts'
import { readTokenForm } from './token-form.ts'

// RFC 7009 §2.1: another client's token is never revoked; a public client learns nothing about it.
const refuseForeign = (client: Client): void => {
  if (client.auth_method === 'none') return
  throw new OAuthError('invalid_request', 'The token was issued to another client.')
}

const revoke = async (request: EndpointRequest, client: Client, token: string): Promise<void> => {
  const { school, database } = request
  const presented = readPresented(token)
  if (presented === undefined || presented.kind === 'code') return
  const owner = await database.statements(school.id, db => findOwner(db, school.id, presented))
  if (owner === undefined) return
  if (owner.client_id !== client.id) return refuseForeign(client)
  if (presented.kind === 'access')
    await database.statements(school.id, db => revokeAccess(db, school.id, presented.tokenHash))
  else await endGrant(database, school, owner.grant_id, 'client_revoked')
}

const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', pragma: 'no-cache' }

/**
 * POST /api/oauth/revoke (RFC 7009): a refresh token ends its grant and all access tokens, an access token only itself.
 */
export const revokeEndpoint: Endpoint = endpoint({
  route: 'POST /api/oauth/revoke',
  async handle(request) {
    const { parameters, token } = await readTokenForm(request)
    await revoke(request, await authenticateClient(request, parameters), token)
    // RFC 7009 §2.2: clients ignore the body; some refuse one that is not JSON.
    return { status: 200, headers, body: '{}' }
  },
})
