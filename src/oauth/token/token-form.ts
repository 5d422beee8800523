import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { type Parameters, parseParameters, refuseDuplicatedOrInvalid, required } from '../parameters.ts'
import { refuseBasic, refuseQuery } from './client-auth.ts'

const names = ['token', 'token_type_hint', 'client_id', 'client_secret'] as const

/** A token in a form of a client that has not been authenticated yet. */
type TokenForm = { readonly parameters: Parameters<(typeof names)[number]>; readonly token: string }

/** Reads the form of revocation and introspection (RFC 7009 §2.1, RFC 7662 §2.1); the hint is not needed. */
export const readTokenForm = async (request: EndpointRequest): Promise<TokenForm> => {
  refuseQuery(request)
  refuseBasic(request)
  const parameters = parseParameters(await request.form(), names)
  refuseDuplicatedOrInvalid(parameters)
  return { parameters, token: required(parameters, 'token') }
}
