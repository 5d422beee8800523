import { type Endpoint, type EndpointRequest, endpoint } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Random } from '#src/kit/crypto.ts'
import { type Client, touchClient } from '../clients/queries.ts'
import type { IdTokens } from '../keys/id-token.ts'
import { parametersOf, refuseDuplicatedOrInvalid, required } from '../parameters.ts'
import { authenticateClient, refuseBasic, refuseQuery } from './client-auth.ts'
import { exchange } from './code.ts'
import { tokenParameters } from './parameters.ts'
import { refresh } from './refresh.ts'

// One function per grant type that the metadata lists.
const grants = { authorization_code: exchange, refresh_token: refresh } as const

const isGrant = (name: string): name is keyof typeof grants => Object.hasOwn(grants, name)

// If this cannot be written, the response is still sent.
const recordSeen = async ({ school, database, logWarning }: EndpointRequest, { id }: Client): Promise<void> => {
  await database
    .statements(school.id, db => touchClient(db, school.id, id))
    .catch(() => logWarning('client_seen_not_noted', { client: id }))
}

const noStore = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', pragma: 'no-cache' }

/** POST /api/oauth/token (RFC 6749 §3.2). */
export const tokenEndpoint = (deps: { idTokens: IdTokens; random: Random }): Endpoint =>
  endpoint({
    route: 'POST /api/oauth/token',
    async handle(request) {
      refuseQuery(request)
      refuseBasic(request)
      const parameters = parametersOf(await request.form(), tokenParameters, ['resource'])
      refuseDuplicatedOrInvalid(parameters)
      const grantType = required(parameters, 'grant_type')
      const client = await authenticateClient(request, parameters)
      if (!isGrant(grantType))
        throw new OAuthError('unsupported_grant_type', 'The metadata lists the supported grant types.')
      if (!client.grant_types.includes(grantType))
        throw new OAuthError('unauthorized_client', 'The client did not register this grant type.')
      const answer = await grants[grantType](request, client, parameters, deps)
      if (client.is_unseen) await recordSeen(request, client)
      return { status: 200, headers: noStore, body: JSON.stringify(answer) }
    },
  })
