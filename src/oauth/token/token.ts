import { type Endpoint, type EndpointRequest, endpoint } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { Random } from '#src/kit/crypto.ts'
import { touchClient } from '../clients/queries.ts'
import type { IdTokens } from '../keys/id-token.ts'
import { parametersOf, refuseDuplicatedOrInvalid, required } from '../parameters.ts'
import type { TokenAnswer } from './answer.ts'
import { answerAtOnce, type TokenParts } from './at-once.ts'
import { authenticateClient, refuseBasic, refuseQuery } from './client-auth.ts'
import { exchange, usedMeanwhile } from './code.ts'
import { type TokenParameters, tokenParameters } from './parameters.ts'
import { refresh, refreshLate } from './refresh.ts'

// One function per grant type that the metadata lists.
const grants = { authorization_code: exchange, refresh_token: refresh } as const

// What is done when another request used the code or the refresh token at the same time.
const late = { authorization_code: usedMeanwhile, refresh_token: refreshLate } as const

const isGrant = (name: string): name is keyof typeof grants => Object.hasOwn(grants, name)

// If this cannot be written, the response is still sent.
const recordSeen = async ({ school, database, logWarning }: EndpointRequest, id: string): Promise<void> => {
  await database
    .statements(school.id, db => touchClient(db, school.id, id))
    .catch(() => logWarning('client_seen_not_noted', { client: id }))
}

const noStore = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', pragma: 'no-cache' }

type Answered = { readonly answer: TokenAnswer; readonly isUnseen: boolean }

const answerStepwise = async (
  request: EndpointRequest,
  grantType: string,
  parameters: TokenParameters,
  parts: TokenParts,
  isLate: boolean,
): Promise<Answered> => {
  const client = await authenticateClient(request, parameters)
  if (!isGrant(grantType))
    throw new OAuthError('unsupported_grant_type', 'The metadata lists the supported grant types.')
  if (!client.grant_types.includes(grantType))
    throw new OAuthError('unauthorized_client', 'The client did not register this grant type.')
  const answer = await (isLate ? late : grants)[grantType](request, client, parameters, parts)
  return { answer, isUnseen: client.is_unseen }
}

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
      const atOnce = isGrant(grantType) ? await answerAtOnce(request, grantType, parameters, deps) : undefined
      const { answer, isUnseen } =
        atOnce === undefined || atOnce === 'late'
          ? await answerStepwise(request, grantType, parameters, deps, atOnce === 'late')
          : atOnce
      if (isUnseen) await recordSeen(request, required(parameters, 'client_id'))
      return { status: 200, headers: noStore, body: JSON.stringify(answer) }
    },
  })
