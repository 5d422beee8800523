import { referenceCallback } from '#src/contract/api-reference.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { isDocumentId } from '../client-metadata/address.ts'
import { isBuiltIn } from './built-in.ts'
import { errorOfRequested } from './own-host.ts'
import type { Client } from './queries.ts'
import { localUri, matchesRedirect } from './redirect-uri.ts'

// The HTTPS callbacks of a document are valid only if the school has pre-registered the client, and then only those it
// named, if it named any.
const listCallbacks = (client: Client): readonly string[] => {
  const { id, is_pre_registered, arranged_redirect_uris: preRegistered, redirect_uris: uris } = client
  if (!isDocumentId(id) || (is_pre_registered && preRegistered === null)) return uris
  return uris.filter(uri => uri.startsWith('http://') || (is_pre_registered && preRegistered?.includes(uri)))
}

/** Whether a client may currently be redirected to this URI. */
export const listsCallback = (school: School, client: Client, redirectUri: string): boolean =>
  // The port of a school on loopback must match: another program on the computer is not the school.
  isBuiltIn(client.id) ? redirectUri === referenceCallback(school) : matchesRedirect(listCallbacks(client), redirectUri)

/** The reason why a callback that the client lists cannot be used at this school; undefined when it can. */
export const errorOfCallback = (school: School, client: Client, redirectUri: string): Phrase | undefined =>
  isBuiltIn(client.id) ? undefined : errorOfRequested(school, redirectUri)

/**
 * The recipient of a redirect URI: its origin (RFC 6454 §4); for an app on this computer without the port,
 * which may change each time (RFC 8252 §7.3); the whole URI where a scheme has no origins.
 */
export const describeRecipient = (redirectUri: string): string => {
  const local = localUri(redirectUri)
  if (local !== undefined) return `http://${local.host}`
  return redirectUri.startsWith('https://') ? new URL(redirectUri).origin : redirectUri
}
