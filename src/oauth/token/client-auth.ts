import type { EndpointRequest } from '#src/contract/endpoint.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { sameBytes, sha256 } from '#src/kit/crypto.ts'
import { type Client, findClient } from '../clients/queries.ts'
import { type Parameters, required } from '../parameters.ts'

/** Refuses client authentication in a header, before anything is looked up (RFC 6749 §2.3.1, §5.2). */
export const refuseBasic = (request: EndpointRequest): void => {
  if (request.headers('authorization').length === 0) return
  const headers = { 'www-authenticate': `Basic realm="${request.school.baseUrl}"` }
  throw new OAuthError('invalid_client', 'Send client_id and client_secret in the form, not in a header.', { headers })
}

/** Refuses OAuth parameters in the address, where logs and proxies would see them. */
export const refuseQuery = (request: EndpointRequest): void => {
  if (request.query !== '')
    throw new OAuthError('invalid_request', 'Send the parameters in the form, not in the address.')
}

const hasSecret = (client: Client, secret: string | undefined): boolean => {
  if (client.auth_method === 'none') return secret === undefined
  if (secret === undefined) return false
  const presented = sha256(secret)
  // Every valid secret is compared, so that the duration does not reveal which one matched.
  return client.secret_hashes.filter(hash => sameBytes(presented, hash)).length > 0
}

/** A client that was found by its id, unless it is blocked or did not authenticate by its registered method. */
export const authenticated = <Found extends Client>(client: Found | undefined, secret: string | undefined): Found => {
  if (client === undefined || client.is_blocked || !hasSecret(client, secret))
    throw new OAuthError('invalid_client', 'The client is unknown or did not authenticate with its registered method.')
  return client
}

/** The client of a form, authenticated by its registered method. */
export const authenticateClient = async <Name extends string>(
  request: EndpointRequest,
  parameters: Parameters<Name | 'client_id' | 'client_secret'>,
): Promise<Client> => {
  const id = required(parameters, 'client_id')
  const { school, database } = request
  const client = await database.statements(school.id, db => findClient(db, school.id, id))
  return authenticated(client, parameters.get('client_secret'))
}
