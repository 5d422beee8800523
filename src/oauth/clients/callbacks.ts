import { referenceCallback } from '#src/contract/api-reference.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { isDocumentId } from '../client-metadata/address.ts'
import { isBuiltIn } from './built-in.ts'
import { faultOfRequested } from './own-host.ts'
import type { Client } from './queries.ts'
import { localUri, matchesRedirect } from './redirect-uri.ts'

// A document's HTTPS callbacks count only once the school has arranged the client, and then those it named, if it named any.
const callbacksOf = (client: Client): readonly string[] => {
  const { id, is_arranged, arranged_redirect_uris: arranged, redirect_uris: uris } = client
  if (!isDocumentId(id) || (is_arranged && arranged === null)) return uris
  return uris.filter(uri => uri.startsWith('http://') || (is_arranged && arranged?.includes(uri)))
}

/** Whether a client may be called back at this URI, as it is registered, arranged and described now. */
export const listsCallback = (school: School, client: Client, redirectUri: string): boolean =>
  // The port of a loopback school counts too: another program on the computer is not the school.
  isBuiltIn(client.id) ? redirectUri === referenceCallback(school) : matchesRedirect(callbacksOf(client), redirectUri)

/** Why a callback cannot be used at this school although the client lists it; undefined when it can. */
export const faultOfCallback = (school: School, client: Client, redirectUri: string): Phrase | undefined =>
  isBuiltIn(client.id) ? undefined : faultOfRequested(school, redirectUri)

/**
 * Who receives what is sent to a redirect URI: its origin (RFC 6454 §4), of an app on this computer without the port,
 * which may be another one each time (RFC 8252 §7.3); the whole URI where a scheme has no origins.
 */
export const recipientOf = (redirectUri: string): string => {
  const local = localUri(redirectUri)
  if (local !== undefined) return `http://${local.host}`
  return redirectUri.startsWith('https://') ? new URL(redirectUri).origin : redirectUri
}
