import { JsonRefused, parseJson } from '#src/kit/json.ts'
import { type ClientMetadata, readMetadata } from '../clients/metadata.ts'
import { isHttpsCallback, localUri, withoutPort } from '../clients/redirect-uri.ts'
import type { Scopes } from '../scopes.ts'
import { DocumentRefused } from './fetch.ts'

const SECRETS = ['client_secret', 'client_secret_expires_at']

const parse = (body: Buffer): unknown => {
  try {
    return parseJson(body)
  } catch (error) {
    if (error instanceof JsonRefused) throw new DocumentRefused('The document at this client_id is not valid JSON.')
    throw error
  }
}

// A document is written for all servers: callbacks that we do not support are left out and are no error.
const callbacks = (texts: readonly string[]): string[] =>
  texts.flatMap(text => {
    const local = localUri(text)
    if (local !== undefined) return [withoutPort(local)]
    return isHttpsCallback(text) ? [text] : []
  })

/** Reads a fetched document as the metadata of the client with this id (draft CIMD §4). */
export const readDocument = (body: Buffer, clientId: string, scopes: Scopes): ClientMetadata => {
  const value = parse(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new DocumentRefused('The document at this client_id is not a JSON object.')
  const members = value as Readonly<Record<string, unknown>>
  if (members.client_id !== clientId)
    throw new DocumentRefused('The client_id in the document is not the address of the document.')
  if (SECRETS.some(name => members[name] !== undefined))
    throw new DocumentRefused('The document contains a secret, which anyone could read.')
  if ((members.token_endpoint_auth_method ?? 'none') !== 'none')
    throw new DocumentRefused('The token_endpoint_auth_method of a document must be none.')
  return readMetadata(value, scopes, callbacks)
}
