import type { SecretRotation } from '#src/contract/clients.ts'
import type { Database, Db } from '#src/contract/db.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'
import { base32 } from '#src/kit/base.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import { newUuid } from '#src/kit/ids.ts'
import { cleanLine } from '#src/kit/text.ts'
import { newToken } from '#src/kit/token.ts'
import { documentAddress } from '../client-metadata/address.ts'
import { resourceNamed } from '../resources.ts'
import { isKnownScope, requestsAccess, type Scopes } from '../scopes.ts'
import { grantTypesSupported } from './metadata.ts'
import { errorOfRegistered } from './own-host.ts'
import {
  blockClient,
  deleteSecrets,
  endClientGrants,
  insertPreRegistered,
  listPreRegisteredRows,
  lockClient,
  type PreRegisteredClient,
  preRegisterDocument,
  previousSecretEnds,
  recordRemoval,
  retireSecret,
} from './pre-registered.queries.ts'
import { insertSecret } from './queries.ts'
import { isHttpsCallback, localUri, privateUseScheme, withoutPort } from './redirect-uri.ts'

export type { PreRegisteredClient } from './pre-registered.queries.ts'

/** The values with which an operator registers a client. */
export type PreRegistration = {
  readonly name: string
  readonly redirectUris: readonly string[]
  /** The address of its metadata document, if it has one. */
  readonly clientId: string | undefined
  readonly isConfidential: boolean
  /** The resource whose tokens it may introspect. */
  readonly introspects: string | undefined
  /** The scopes it may request at most; empty: all. */
  readonly scopes: readonly string[]
}

const SECRET_DAY = 24 * 3600

const bad = (description: string): OAuthError => new OAuthError('invalid_client_metadata', description)

const readName = ({ name }: PreRegistration): string => {
  const clean = cleanLine(name, 64)
  if (clean === '') throw bad('an integration needs a name, which people see on the consent page')
  return clean
}

const readCallback = (text: string, school: School): string => {
  const error = errorOfRegistered(school, text)
  if (error !== undefined) throw new OAuthError('invalid_redirect_uri', `"${text}" cannot be a callback: ${error.en}`)
  const local = localUri(text)
  if (local !== undefined) return withoutPort(local)
  if (isHttpsCallback(text) || privateUseScheme(text) !== undefined) return text
  const rules =
    'https with a host name; http://127.0.0.1, http://[::1] or http://localhost; or the scheme of an app with a period, such as com.example.app:/callback; no fragment, at most 255 bytes'
  throw new OAuthError('invalid_redirect_uri', `"${text}" cannot be a callback: ${rules}`)
}

const readCallbacks = ({ redirectUris }: PreRegistration, school: School): string[] => {
  if (redirectUris.length > 10) throw bad('an integration has at most 10 callbacks')
  return [...new Set(redirectUris.map(uri => readCallback(uri, school)))].sort()
}

const computeCeiling = (plan: PreRegistration, scopes: Scopes): string[] | undefined => {
  const unknown = plan.scopes.find(name => !isKnownScope(scopes, name))
  if (unknown !== undefined) throw bad(`there is no scope ${unknown}`)
  if (plan.scopes.length > 0 && !requestsAccess(plan.scopes))
    throw bad('the scopes give no access: add openid or a scope of the API')
  return plan.scopes.length === 0 ? undefined : [...new Set(plan.scopes)].sort()
}

const introspectedBy = (plan: PreRegistration, school: School): string | undefined => {
  if (plan.introspects === undefined) return undefined
  if (!plan.isConfidential) throw bad('a client that introspects tokens needs a secret: add --confidential')
  return resourceNamed(school, plan.introspects)
}

type Parts = { readonly database: Database; readonly school: School; readonly scopes: Scopes; readonly random: Random }

const preRegisterWithDocument = async ({ database, school, scopes }: Parts, plan: PreRegistration, id: string) => {
  if (documentAddress(id) === undefined) throw bad(`"${id}" is not the address of a client document`)
  if (plan.isConfidential || plan.introspects !== undefined) throw bad('a client with a document has no secret')
  const callbacks = plan.redirectUris.length === 0 ? undefined : readCallbacks(plan, school)
  if (callbacks?.some(uri => !uri.startsWith('https://')))
    throw bad('only HTTPS callbacks of a document can be named here; those on loopback work without it')
  const [name, scopeCeiling] = [readName(plan), computeCeiling(plan, scopes)]
  const client = { id, name, grantTypes: grantTypesSupported, scopeCeiling, callbacks }
  const stored = await database.statements(school.id, db => preRegisterDocument(db, school.id, client))
  if (stored === 0) throw bad(`${id} was permanently removed from this school`)
  return { id, secret: undefined }
}

/** The fields of a client that can change, checked; throws an OAuthError. */
export const checkedClient = (school: School, scopes: Scopes, plan: PreRegistration) => ({
  name: readName(plan),
  redirectUris: readCallbacks(plan, school),
  scopeCeiling: computeCeiling(plan, scopes),
})

/** Registers a client without a document in the transaction of the caller; as `preRegisterClient`. */
export const insertClient = async (
  db: Db,
  { school, scopes, random }: Omit<Parts, 'database'>,
  plan: PreRegistration,
): Promise<{ id: string; secret: string | undefined }> => {
  const { redirectUris, ...fields } = checkedClient(school, scopes, plan)
  const introspects = introspectedBy(plan, school)
  if (redirectUris.length === 0 && introspects === undefined) throw bad('an integration needs at least one callback')
  const id = `c3_${base32(random(32), 52)}`
  const secret = plan.isConfidential ? newToken('stoa_cs_', random) : undefined
  const client = {
    ...fields,
    id,
    redirectUris,
    authMethod: plan.isConfidential ? 'client_secret_post' : 'none',
    grantTypes: grantTypesSupported,
    applicationType: redirectUris.some(uri => uri.startsWith('https://')) ? 'web' : 'native',
    introspects,
  } as const
  await insertPreRegistered(db, school.id, client)
  if (secret !== undefined) await insertSecret(db, school.id, id, sha256(secret))
  return { id, secret }
}

/** Pre-registers a client; returns its id and, once, its secret. Throws an OAuthError for invalid values. */
export const preRegisterClient = async (
  parts: Parts,
  plan: PreRegistration,
): Promise<{ id: string; secret: string | undefined }> =>
  plan.clientId === undefined
    ? parts.database.transaction(parts.school.id, db => insertClient(db, parts, plan))
    : preRegisterWithDocument(parts, plan, plan.clientId)

/** Every pre-registered client of a school, removed ones too. */
export const listPreRegistered = (database: Database, school: School): Promise<PreRegisteredClient[]> =>
  database.statements(school.id, db => listPreRegisteredRows(db, school.id))

/**
 * Permanently removes a client of any kind and ends its grants, in the transaction of the caller; returns their number,
 * undefined when there is no such client.
 */
export const removeClientIn = async (db: Db, school: School, id: string, now: Date): Promise<number | undefined> => {
  if ((await blockClient(db, school.id, id)) === 0) return undefined
  await deleteSecrets(db, school.id, id)
  await recordRemoval(db, school.id, id, newUuid(now.getTime()))
  return endClientGrants(db, school.id, id)
}

/** The same in a transaction of its own. */
export const removeClient = (database: Database, school: School, id: string): Promise<number | undefined> =>
  database.transaction(school.id, (db, now) => removeClientIn(db, school, id, now))

/**
 * Gives a confidential client a new secret; the previous one is valid for one more day, or ends `atOnce`. While two are
 * valid it is refused, so that a repeated command does not end the secret that is still in use.
 */
export const rotateSecretIn = async (
  db: Db,
  { school, random }: Pick<Parts, 'school' | 'random'>,
  id: string,
  { atOnce, now }: { readonly atOnce: boolean; readonly now: Date },
): Promise<SecretRotation> => {
  const client = await lockClient(db, school.id, id)
  if (client === undefined || client.is_blocked || client.auth_method === 'none') return { kind: 'no_secret' }
  const until = await previousSecretEnds(db, school.id, id)
  if (until !== null && !atOnce) return { kind: 'two_live', until }
  if (atOnce) await deleteSecrets(db, school.id, id)
  else await retireSecret(db, school.id, id, SECRET_DAY)
  const secret = newToken('stoa_cs_', random)
  await insertSecret(db, school.id, id, sha256(secret))
  const previousEnds = atOnce ? now : new Date(now.getTime() + SECRET_DAY * 1000)
  return { kind: 'rotated', secret, previousEnds }
}

/** The same in a transaction of its own. */
export const rotateSecret = (
  { database, school, random }: Omit<Parts, 'scopes'>,
  id: string,
  atOnce: boolean,
): Promise<SecretRotation> =>
  database.transaction(school.id, (db, now) => rotateSecretIn(db, { school, random }, id, { atOnce, now }))
