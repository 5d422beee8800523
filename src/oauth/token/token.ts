import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Random } from '#src/kit/crypto.ts'
import { touchClient } from '../clients/queries.ts'
import type { IdTokens } from '../keys/id-token.ts'
import { parseParameters, refuseDuplicatedOrInvalid, required } from '../parameters.ts'
import type { TokenAnswer } from './answer.ts'
import { authenticateClient, refuseBasic, refuseQuery } from './client-auth.ts'
import { exchange, tryExchange } from './code.ts'
import { isLate, mayBePublic } from './issue.ts'
import { tokenParameters } from './parameters.ts'
import { refresh, tryRefresh } from './refresh.ts'

// Two functions per grant type that the metadata lists: the statement alone, for clients without a secret; and what
// authenticates the client first and says why a request is refused.
const grants = {
  authorization_code: { attempt: tryExchange, perform: exchange },
  refresh_token: { attempt: tryRefresh, perform: refresh },
} as const

const isGrant = (name: string): name is keyof typeof grants => Object.hasOwn(grants, name)

// If this cannot be written, the response is still sent.
const recordSeen = async ({ school, database, logWarning }: EndpointRequest, id: string): Promise<void> => {
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
      const parameters = parseParameters(await request.form(), tokenParameters, ['resource'])
      refuseDuplicatedOrInvalid(parameters)
      const grantType = required(parameters, 'grant_type')
      const answer = async (body: TokenAnswer, isUnseen: boolean): Promise<Reply> => {
        if (isUnseen) await recordSeen(request, required(parameters, 'client_id'))
        return { status: 200, headers: noStore, body: JSON.stringify(body) }
      }
      const asked = { ...deps, request, parameters }
      const first =
        isGrant(grantType) && mayBePublic(parameters)
          ? await grants[grantType].attempt({ ...asked, client: undefined })
          : undefined
      if (first?.answer !== undefined) return answer(first.answer, first.found?.is_unseen === true)
      const client = await authenticateClient(request, parameters)
      if (!isGrant(grantType))
        throw new OAuthError('unsupported_grant_type', 'The metadata lists the supported grant types.')
      if (!client.grant_types.includes(grantType))
        throw new OAuthError('unauthorized_client', 'The client did not register this grant type.')
      const wasLate = first !== undefined && isLate(first)
      return answer(await grants[grantType].perform({ ...asked, client }, wasLate), client.is_unseen)
    },
  })
