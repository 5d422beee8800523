import type { Area } from '#src/contract/area.ts'
import type { Database } from '#src/contract/db.ts'
import type { Endpoint } from '#src/contract/endpoint.ts'
import type { Outside } from '#src/contract/outside.ts'
import type { Invalidation } from '#src/db/invalidation.ts'
import { parkCookies } from '#src/identity/index.ts'
import type { Random } from '#src/kit/crypto.ts'
import { internet } from '#src/outbound/index.ts'
import { authMdEndpoint } from './auth-md/index.ts'
import { authorizeEndpoints } from './authorize/authorize.ts'
import { consentEndpoints } from './authorize/consent.ts'
import { invitationEndpoints } from './authorize/invitation.ts'
import { resetEndpoints } from './authorize/reset.ts'
import { signInEndpoints } from './authorize/sign-in.ts'
import { signInCodeEndpoints } from './authorize/sign-in-code.ts'
import { signUpEndpoints } from './authorize/sign-up.ts'
import { verifyEndpoints } from './authorize/verify.ts'
import { createAuthenticate, createBearers, lockCaller } from './bearer.ts'
import { createClientMetadataDocuments } from './client-metadata/client-metadata.ts'
import { registerEndpoint } from './clients/register.ts'
import { createIdTokens } from './keys/id-token.ts'
import { createJwksEndpoint } from './keys/jwks.ts'
import { createKeys } from './keys/keys.ts'
import { metadataEndpoints } from './metadata.ts'
import { buildScopes } from './scopes.ts'
import { introspectEndpoint } from './token/introspect.ts'
import { revokeEndpoint } from './token/revoke.ts'
import { tokenEndpoint } from './token/token.ts'
import { userinfoEndpoints } from './userinfo.ts'

export {
  listPreRegistered,
  type PreRegisteredClient,
  preRegisterClient,
  removeClient,
  rotateSecret,
} from './clients/pre-registered.ts'
export { clientRegistryOfOAuth } from './clients/registry.ts'
export { createKeys, type Keys } from './keys/keys.ts'
export { type SigningAlg, signingAlgs } from './keys/queries.ts'
export { lifetimeBounds } from './lifetimes.ts'
export { oauthMails } from './mails.ts'
export { buildScopes } from './scopes.ts'
export { oauthSweeps } from './sweep.queries.ts'
export { expireTokens, type RevokedToken, revokeLeaked } from './token/leaked.ts'
export { readPresented } from './token/presented.ts'
export { endRestored } from './token/restored.ts'

// An app on another port of the host of the school gets no cookie of it.
const parking = ({ route, handle }: Endpoint): Endpoint => ({
  route,
  handle: async request => parkCookies(request, await handle(request)),
})

/** What the authorization server needs. */
type OAuthParts = {
  readonly database: Database
  /** The changes that invalidate cached token decisions. */
  readonly changes: Invalidation
  readonly areas: readonly Area[]
  /** The installation's secret, under which private keys are sealed. */
  readonly secret: string
  readonly random: Random
  /** How client metadata documents are fetched; unset: from the public Internet only. */
  readonly outside?: Outside | undefined
}

/** The authorization server of every school: its endpoints, and the lookup of callers by token. */
export const createOAuth = ({ database, changes, areas, secret, random, outside = internet }: OAuthParts) => {
  const scopes = buildScopes(areas)
  const documents = createClientMetadataDocuments(outside, scopes)
  const findBearer = createBearers(database, changes)
  const keys = createKeys(secret)
  const idTokens = createIdTokens(database, keys)
  const endpoints: Endpoint[] = [
    ...metadataEndpoints(scopes),
    registerEndpoint(scopes, random),
    ...[...authorizeEndpoints({ scopes, random, documents }), ...consentEndpoints({ scopes, secret, random })].map(
      parking,
    ),
    ...signInEndpoints({ secret, random }),
    ...signInCodeEndpoints({ secret }),
    ...signUpEndpoints({ secret, random }),
    ...resetEndpoints({ secret, random }),
    ...verifyEndpoints({ secret, random }),
    ...invitationEndpoints({ secret, random }),
    tokenEndpoint({ idTokens, random }),
    revokeEndpoint,
    introspectEndpoint,
    ...userinfoEndpoints(findBearer),
    createJwksEndpoint(keys),
    authMdEndpoint(scopes),
  ]
  return { endpoints, authenticate: createAuthenticate(findBearer), lockCaller }
}
