import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Random } from '#src/kit/crypto.ts'
import type { IdTokens } from '../keys/id-token.ts'
import { parametersOf, refuseMisused, required } from '../parameters.ts'
import { authenticateClient, refuseBasic, refuseQuery } from './client-auth.ts'
import { exchange } from './code.ts'
import { tokenParameters } from './parameters.ts'

const noStore = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', pragma: 'no-cache' }

/** POST /api/oauth/token (RFC 6749 §3.2). */
export const tokenEndpoint = (deps: { idTokens: IdTokens; random: Random }): Endpoint =>
  endpoint({
    route: 'POST /api/oauth/token',
    async handle(request) {
      refuseQuery(request)
      refuseBasic(request)
      const parameters = parametersOf(await request.form(), tokenParameters, ['resource'])
      refuseMisused(parameters)
      const grantType = required(parameters, 'grant_type')
      const client = await authenticateClient(request, parameters)
      if (grantType !== 'authorization_code')
        throw new OAuthError('unsupported_grant_type', 'The metadata lists the grant types that are done here.')
      const answer = await exchange(request, client, parameters, deps)
      return { status: 200, headers: noStore, body: JSON.stringify(answer) }
    },
  })
