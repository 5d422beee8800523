import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'
import { texts } from '#src/texts/index.ts'
import { errorOfCallback, listsCallback } from '../clients/callbacks.ts'
import type { Client } from '../clients/queries.ts'
import { listResources } from '../resources.ts'
import type { Pending } from './queries.ts'

/** The refusal of an app that the school removed during the authorization. */
export const removed = (): OAuthError =>
  new OAuthError('invalid_client', texts.oauth.authorize.recheck.removed.theSchoolHasRemovedThis, { status: 400 })

const moved = (): OAuthError =>
  new OAuthError('invalid_redirect_uri', texts.oauth.authorize.recheck.moved.theAppNoLongerLists)

const otherResource = (): OAuthError =>
  new OAuthError('invalid_target', texts.oauth.authorize.recheck.otherResource.theResourceThatTheApp)

type Waiting = Pick<Pending, 'redirect_uri' | 'resources'>

/**
 * Checks the client, redirect URI and resources again; refuses when one of them changed, and then nothing may be
 * redirected.
 */
export const recheck = (school: School, client: Client | undefined, waiting: Waiting): Client => {
  if (client === undefined || client.is_blocked) throw removed()
  const { redirect_uri: redirectUri, resources } = waiting
  if (!listsCallback(school, client, redirectUri) || errorOfCallback(school, client, redirectUri) !== undefined)
    throw moved()
  if (!resources.every(resource => listResources(school).includes(resource))) throw otherResource()
  return client
}

/** The requested scopes that the client may still request. */
export const withinCeiling = ({ scope_ceiling: ceiling }: Client, scopes: readonly string[]): string[] =>
  scopes.filter(name => ceiling === null || ceiling.includes(name))
