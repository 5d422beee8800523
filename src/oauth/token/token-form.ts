import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { Client } from '../clients/queries.ts'
import { type Parameters, parametersOf, refuseDuplicatedOrInvalid, required } from '../parameters.ts'
import { authenticateClient, refuseBasic, refuseQuery } from './client-auth.ts'

const names = ['token', 'token_type_hint', 'client_id', 'client_secret'] as const

/** A token in a form of an authenticated client. */
type TokenForm = { readonly client: Client; readonly token: string }

/** Reads the form of revocation and introspection (RFC 7009 §2.1, RFC 7662 §2.1); the hint is not needed. */
export const readTokenForm = async (request: EndpointRequest): Promise<TokenForm> => {
  refuseQuery(request)
  refuseBasic(request)
  const parameters: Parameters<(typeof names)[number]> = parametersOf(await request.form(), names)
  refuseDuplicatedOrInvalid(parameters)
  const token = required(parameters, 'token')
  return { client: await authenticateClient(request, parameters), token }
}
