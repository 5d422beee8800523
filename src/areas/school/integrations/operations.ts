import type { Static } from 'typebox'
import type { ClientRegistry, RegisteredClient } from '#src/contract/clients.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { clientRegistry } from './hooks.ts'
import { errorOfClient, removalEffect, twoSecrets } from './rules.ts'
import {
  Integration,
  IntegrationRef,
  IntegrationSecret,
  IntegrationSettings,
  Integrations,
  NewIntegration,
  Rotation,
} from './schema.ts'

const registryAt = async ({ db, school }: SchoolContext): Promise<ClientRegistry> => {
  const [registry] = await clientRegistry.call(undefined, { db, school })
  if (registry === undefined) throw new Error('there is no registry of clients')
  return registry
}

const renderView = (client: RegisteredClient): Static<typeof Integration> => ({
  client_id: client.id,
  name: client.name,
  redirect_uris: [...(client.redirectUris ?? [])],
  scopes: [...(client.scopes ?? [])],
  is_confidential: client.isConfidential,
  active_secrets: client.activeSecrets,
  registered_at: client.registeredAt,
  removed_at: client.removedAt,
})

const unknownClient = (): Refusal => new Refusal(notFound, 'There is no such integration.')

const getClient = async (context: SchoolContext, id: string): Promise<RegisteredClient> => {
  const found = (await (await registryAt(context)).list(context)).find(client => client.id === id)
  if (found === undefined) throw unknownClient()
  return found
}

// What the authorization server refuses is an error of the body.
const checked = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof OAuthError) refuseInvalid([errorOfClient(error)], 'The integration is not valid.')
    throw error
  }
}

const buildPlan = ({ name, redirect_uris, scopes }: Static<typeof IntegrationSettings>) => ({
  name,
  redirectUris: redirect_uris,
  scopes,
})

const listIntegrations = operation({
  id: 'listIntegrations',
  summary: 'List integrations',
  description:
    'Lists the apps that the school registered itself, in the order of their registration, removed ones too.',
  who: 'owner',
  mode: 'read',
  returns: Integrations,
  async handle({ db, school }) {
    const place = { db, school }
    return { data: (await (await registryAt(place)).list(place)).map(renderView) }
  },
})

const getIntegration = operation({
  id: 'getIntegration',
  summary: 'Get an integration',
  description: 'Returns an app that the school registered itself, without its secret.',
  who: 'owner',
  mode: 'read',
  params: IntegrationRef,
  returns: Integration,
  example: { params: { client_id: 'c3_unknown' } },
  async handle({ db, school, params }) {
    return renderView(await getClient({ db, school }, params.client_id))
  },
})

const createIntegration = operation({
  id: 'createIntegration',
  summary: 'Create an integration',
  description:
    'Registers an app that people see as verified by the school. The secret of a confidential app is shown this once.',
  who: 'owner',
  mode: 'write',
  proof: 'recent',
  body: NewIntegration,
  returns: IntegrationSecret,
  example: {
    body: {
      name: 'Bakery till',
      redirect_uris: ['https://till.example/callback'],
      scopes: ['school:read'],
      is_confidential: true,
    },
  },
  async handle({ db, school, body, changed, record }) {
    const place = { db, school }
    const plan = { ...buildPlan(body), isConfidential: body.is_confidential }
    const { id, secret = null } = await checked((await registryAt(place)).register(place, plan))
    changed({ ids: [toId('scl', school.id)], fields: Object.keys(body).map(name => `integration.${name}`) })
    record({ type: 'integration.created', payload: { client_id: id } })
    return { client_id: id, client_secret: secret, previous_secret_expires_at: null }
  },
})

const updateIntegration = operation({
  id: 'updateIntegration',
  summary: 'Change an integration',
  description:
    'Replaces name, redirect URIs and scopes of an app. Approvals with more scopes than it may request from then on end, and people approve it again.',
  who: 'owner',
  mode: 'write',
  proof: 'recent',
  params: IntegrationRef,
  body: IntegrationSettings,
  returns: Integration,
  example: {
    params: { client_id: 'c3_unknown' },
    body: { name: 'Bakery till', redirect_uris: ['https://till.example/callback'], scopes: [] },
  },
  async handle({ db, school, params, body, changed, record }) {
    const place = { db, school }
    const { client_id: id } = params
    if ((await checked((await registryAt(place)).change(place, id, buildPlan(body)))) === undefined)
      throw unknownClient()
    changed({ ids: [toId('scl', school.id)], fields: Object.keys(body).map(name => `integration.${name}`) })
    record({ type: 'integration.updated', payload: { client_id: id } })
    return renderView(await getClient(place, id))
  },
})

const rotateIntegrationSecret = operation({
  id: 'rotateIntegrationSecret',
  summary: 'Change the secret of an integration',
  description:
    'Creates another secret, which is shown this once. The previous one is valid for one more day, or ends at once. While two are valid it is refused, unless both are to end.',
  who: 'owner',
  mode: 'write',
  proof: 'recent',
  params: IntegrationRef,
  body: Rotation,
  returns: IntegrationSecret,
  fails: [twoSecrets],
  example: { params: { client_id: 'c3_unknown' }, body: { at_once: false } },
  async handle({ db, school, params, body, now, changed, record }) {
    const place = { db, school }
    const { client_id: id } = params
    await getClient(place, id)
    const rotation = await (await registryAt(place)).rotateSecret(place, id, { atOnce: body.at_once, now })
    if (rotation.kind === 'no_secret') throw unknownClient()
    if (rotation.kind === 'two_live')
      throw new Refusal(twoSecrets, `Two secrets are valid until ${rotation.until.toISOString()}.`)
    changed({ ids: [toId('scl', school.id)], fields: ['integration.secret'] })
    record({ type: 'integration.secret_rotated', payload: { client_id: id } })
    return { client_id: id, client_secret: rotation.secret, previous_secret_expires_at: rotation.previousEnds }
  },
})

const removeIntegration = operation({
  id: 'removeIntegration',
  summary: 'Remove an integration',
  description: 'Removes an app for good: its approvals and secrets end, and its id can never be used again.',
  who: 'owner',
  mode: 'write',
  proof: 'recent',
  params: IntegrationRef,
  returns: undefined,
  example: { params: { client_id: 'c3_unknown' } },
  async handle({ db, school, params, now, changed, record }) {
    const place = { db, school }
    await getClient(place, params.client_id)
    const ended = await (await registryAt(place)).remove(place, params.client_id, now)
    if (ended === undefined) throw unknownClient()
    changed({ ids: [toId('scl', school.id)], fields: ['integration'] })
    const effects = { access: removalEffect(ended) }
    record({ type: 'integration.deleted', payload: { client_id: params.client_id }, effects })
  },
})

/** The operations of integrations; no app can call them. */
export const operations = [
  listIntegrations,
  getIntegration,
  createIntegration,
  updateIntegration,
  rotateIntegrationSecret,
  removeIntegration,
]
