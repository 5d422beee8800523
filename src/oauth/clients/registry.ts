import type { ClientRegistry, RegisteredClient } from '#src/contract/clients.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { buildScopes } from '../scopes.ts'
import {
  changePreRegistered,
  changePreRegisteredDocument,
  endGrantsBeyond,
  listPreRegisteredRows,
} from './pre-registered.queries.ts'
import {
  checkedClient,
  insertClient,
  type PreRegisteredClient,
  type PreRegistration,
  removeClientIn,
  rotateSecretIn,
} from './pre-registered.ts'

// Which scopes are available does not matter here, and without it the areas are not needed.
const scopes = buildScopes([])
const random = systemRandom

const buildPlan = (plan: Pick<PreRegistration, 'name' | 'redirectUris' | 'scopes'>): PreRegistration => ({
  clientId: undefined,
  isConfidential: false,
  introspects: undefined,
  ...plan,
})

const registered = (client: PreRegisteredClient): RegisteredClient => ({
  id: client.id,
  name: client.name,
  redirectUris: client.redirect_uris,
  isConfidential: client.auth_method !== 'none',
  scopes: client.scope_ceiling,
  activeSecrets: client.active_secrets,
  registeredAt: client.arranged_at,
  removedAt: client.removed_at,
})

const hasDocument = (id: string): boolean => id.startsWith('https://')

/** The clients that schools registered themselves, for the operations of the school. */
export const clientRegistryOfOAuth: ClientRegistry = {
  list: async ({ db, school }) => (await listPreRegisteredRows(db, school.id)).map(registered),
  register: ({ db, school }, plan) => insertClient(db, { school, scopes, random }, { ...buildPlan(plan), ...plan }),
  change: async ({ db, school }, id, plan) => {
    const { name, redirectUris, scopeCeiling } = checkedClient(school, scopes, buildPlan(plan))
    if (redirectUris.length === 0 && !hasDocument(id))
      throw new OAuthError('invalid_redirect_uri', 'an integration needs at least one callback')
    const applicationType = redirectUris.some(uri => uri.startsWith('https://')) ? 'web' : 'native'
    const callbacks = redirectUris.length === 0 ? undefined : redirectUris
    const changed = hasDocument(id)
      ? await changePreRegisteredDocument(db, school.id, { id, name, scopeCeiling, callbacks })
      : await changePreRegistered(db, school.id, { id, name, redirectUris, scopeCeiling, applicationType })
    if (changed === 0) return undefined
    return scopeCeiling === undefined ? 0 : endGrantsBeyond(db, school.id, id, [...scopeCeiling, 'offline_access'])
  },
  rotateSecret: ({ db, school }, id, options) => rotateSecretIn(db, { school, random }, id, options),
  remove: ({ db, school }, id, now) => removeClientIn(db, school, id, now),
}
