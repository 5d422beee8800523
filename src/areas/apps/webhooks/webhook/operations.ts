import { changeRow } from '#src/contract/change.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { dropJob } from '#src/db/jobs.ts'
import { readList } from '#src/db/list.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { merged } from '#src/kit/patch.ts'
import { cleanLine } from '#src/kit/text.ts'
import { wakeSending } from '../sending/lookups.ts'
import { hastenDeliveries } from '../sending/queries.ts'
import { getLockedWebhook, getOwnWebhook, readOwner, requireTypes } from './access.ts'
import {
  countWebhooks,
  deleteWebhookRow,
  insertWebhook,
  isOwnHost,
  startDistribution,
  storeEnabled,
  storeSecret,
  storeWebhook,
  type WebhookRow,
  type WebhookValues,
  webhookList,
} from './queries.ts'
import {
  errorsOfTypes,
  errorsOfUrl,
  isLocalReceiver,
  MAX_WEBHOOKS,
  neededScopes,
  ownHostError,
  ROTATION_MS,
  tooManyWebhooks,
} from './rules.ts'
import {
  NewSecret,
  NewWebhook,
  Webhook,
  WebhookChanges,
  WebhookPage,
  WebhookQuery,
  WebhookRef,
  WebhookSecret,
} from './schema.ts'
import { webhookView, webhookViews } from './views.ts'
import { createSecret, disableRow, isOpenable, renewMissed, SEALING, WEBHOOK_JOB } from './writes.ts'

const params = { webhook_id: exampleFrom('whk', 'listWebhooks') }

/** A webhook is another way of reading, so that who only listens cannot change the school. */
export const listening = { scope: 'school:read', section: 'school', who: 'staff' } as const

const ACTIONS = [
  'updateWebhook',
  'deleteWebhook',
  'enableWebhook',
  'disableWebhook',
  'rotateWebhookSecret',
  'testWebhook',
  'replayWebhook',
]

// Nothing is sent to one that is disabled.
const listActions = ({ status }: Pick<WebhookRow, 'status'>): string[] =>
  status === 'disabled' ? ACTIONS.filter(id => id !== 'testWebhook' && id !== 'replayWebhook') : ACTIONS

// Where facts are sent is changed only by who may read them.
const checkSettings = async (
  context: Pick<WriteContext, 'db' | 'school' | 'caller' | 'requireScope'>,
  { url, types }: Pick<WebhookValues, 'url' | 'types'>,
): Promise<void> => {
  const { db, school } = context
  refuseInvalid([...errorsOfUrl(school, url), ...errorsOfTypes(types)])
  await requireTypes(context, types)
  if (isLocalReceiver(school, new URL(url))) return
  if (await isOwnHost(db, new URL(url).hostname)) refuseInvalid([ownHostError])
}

const cleanDescription = (text: string | null | undefined): string | null =>
  text === null || text === undefined ? null : cleanLine(text, 200)

const listWebhooks = operation({
  id: 'listWebhooks',
  route: 'GET /webhooks',
  summary: 'List webhooks',
  description: 'Lists the webhooks of the school; an app sees those that it created for the same person.',
  ...listening,
  mode: 'read',
  query: WebhookQuery,
  returns: WebhookPage,
  handle: context =>
    readList(
      context,
      webhookList(context.school.id, { owner: readOwner(context.caller), status: context.query.status }),
      rows => webhookViews(context, rows),
    ),
})

const createWebhook = operation({
  id: 'createWebhook',
  route: 'POST /webhooks',
  summary: 'Create a webhook',
  description:
    'Has facts of these types sent to an address, from the next one on. Each type needs the scope that /facts.json names. The secret is shown this once. What an app creates is sent as long as the app has access and the person is staff.',
  ...listening,
  mode: 'write',
  storedReply: 'sealed',
  body: NewWebhook,
  returns: WebhookSecret,
  status: 201,
  fails: [tooManyWebhooks],
  example: { body: { url: 'https://hooks.example.org/school', types: ['school.updated'], description: 'Bakery till' } },
  async handle(context) {
    const { db, school, caller, body, now, keyFor, changed, record } = context
    await checkSettings(context, body)
    const owner = readOwner(caller)
    await startDistribution(db, school.id)
    const { all, own } = await countWebhooks(db, school.id, owner)
    if (all >= MAX_WEBHOOKS.school)
      throw new Refusal(tooManyWebhooks, `The school has ${MAX_WEBHOOKS.school} webhooks.`)
    if (owner !== undefined && own >= MAX_WEBHOOKS.app)
      throw new Refusal(tooManyWebhooks, `The app has ${MAX_WEBHOOKS.app} webhooks for this person.`)
    const id = newUuid(now.getTime())
    const { secret, sealed, hint } = createSecret(
      { schoolId: school.id, webhookId: id, key: keyFor(SEALING) },
      systemRandom,
    )
    const row = await insertWebhook(db, school.id, {
      id,
      url: body.url,
      types: body.types,
      description: cleanDescription(body.description),
      ordered: body.ordered ?? false,
      client_id: owner?.clientId ?? null,
      member_id: caller.member.id,
      secret_sealed: sealed,
      secret_hint: hint,
    })
    changed({ ids: [toId('whk', id)], fields: Object.keys(body), revision: row.revision })
    record({ type: 'webhook.created', payload: { webhook_id: toId('whk', id) } })
    return { ...(await webhookView(context, row)), secret }
  },
})

const getWebhook = operation({
  id: 'getWebhook',
  route: 'GET /webhooks/:webhook_id',
  summary: 'Get a webhook',
  description: 'Returns a webhook with its state, without its secret.',
  ...listening,
  mode: 'read',
  params: WebhookRef,
  returns: Webhook,
  example: { params },
  async handle(context) {
    const row = await getOwnWebhook(context, context.params.webhook_id)
    return { ...(await webhookView(context, row)), allowed_actions: context.allowedActions(listActions(row)) }
  },
})

const updateWebhook = operation({
  id: 'updateWebhook',
  route: 'PATCH /webhooks/:webhook_id',
  summary: 'Update a webhook',
  description: 'Changes where facts are sent, which, or in what order; it applies to what was not sent yet.',
  ...listening,
  mode: 'write',
  ifMatch: 'honoured',
  params: WebhookRef,
  body: WebhookChanges,
  returns: Webhook,
  example: { params, body: { description: 'Bakery till, second floor' } },
  async handle(context) {
    const { db, school, body } = context
    const row = await getLockedWebhook(context, context.params.webhook_id)
    const { url, types, description, ordered } = row
    return changeRow(context, row, {
      id: toId('whk', row.id),
      fact: 'webhook.updated',
      values: (): WebhookValues => {
        const values = merged<WebhookValues>({ url, types, description, ordered }, body)
        return { ...values, description: cleanDescription(values.description) }
      },
      check: async (values, fields) => {
        if (fields.includes('url') || fields.includes('types')) await checkSettings(context, values)
      },
      store: values => storeWebhook(db, school.id, row.id, values),
      view: stored => webhookView(context, stored),
    })
  },
})

const deleteWebhook = operation({
  id: 'deleteWebhook',
  route: 'DELETE /webhooks/:webhook_id',
  summary: 'Delete a webhook',
  description: 'Deletes a webhook with the log of its deliveries; what waits is not sent.',
  ...listening,
  mode: 'write',
  ifMatch: 'honoured',
  params: WebhookRef,
  returns: undefined,
  example: { params: { webhook_id: exampleFrom('whk', 'listWebhooks', { having: { description: 'Bakery till' } }) } },
  async handle(context) {
    const { db, school, requireMatch, changed, record } = context
    const row = await getLockedWebhook(context, context.params.webhook_id)
    await requireMatch(row.revision, () => webhookView(context, row))
    await deleteWebhookRow(db, school.id, row.id)
    await dropJob(db, school.id, WEBHOOK_JOB, row.id)
    changed({ ids: [toId('whk', row.id)], fields: [] })
    record({ type: 'webhook.deleted', payload: { webhook_id: toId('whk', row.id) } })
  },
})

const enableWebhook = operation({
  id: 'enableWebhook',
  route: 'PUT /webhooks/:webhook_id/activation',
  summary: 'Enable a webhook',
  description:
    'Has facts be sent again, from the next one on; for one that is failing, everything that waits is tried at once. What was missed is not sent by itself: `missed_from` says from where to replay.',
  ...listening,
  mode: 'write',
  params: WebhookRef,
  returns: Webhook,
  example: { params },
  fails: [invalidState],
  async handle(context) {
    const { db, school, params, keyFor, changed, record } = context
    const { position } = await startDistribution(db, school.id)
    const row = await getLockedWebhook(context, params.webhook_id)
    if (row.status === 'active') return webhookView(context, row)
    if (!isOpenable(school.id, row, keyFor(SEALING)))
      throw new Refusal(invalidState, 'The secret of the webhook was lost. Change it first.')
    for (const [scope, entry] of neededScopes(row.types)) context.requireScope(scope, `The type ${entry}`)
    await renewMissed(db, school.id, row, position)
    const stored = await storeEnabled(db, school.id, row.id)
    await hastenDeliveries(db, school.id, row.id)
    await wakeSending(db, school.id, row.id)
    changed({ ids: [toId('whk', row.id)], fields: ['status'], revision: stored.revision })
    if (row.status === 'disabled') record({ type: 'webhook.enabled', payload: { webhook_id: toId('whk', row.id) } })
    return webhookView(context, stored)
  },
})

const disableWebhook = operation({
  id: 'disableWebhook',
  route: 'DELETE /webhooks/:webhook_id/activation',
  summary: 'Disable a webhook',
  description: 'Has no more facts be sent, and drops what waits.',
  ...listening,
  mode: 'write',
  params: WebhookRef,
  returns: Webhook,
  example: { params },
  async handle(context) {
    const { db, school, params, changed, record } = context
    const row = await getLockedWebhook(context, params.webhook_id)
    if (row.status === 'disabled') return webhookView(context, row)
    const stored = await disableRow(db, school.id, row.id, 'by_person')
    changed({ ids: [toId('whk', row.id)], fields: ['status'], revision: stored.revision })
    record({ type: 'webhook.disabled', payload: { webhook_id: toId('whk', row.id), reason: 'by_person' } })
    return webhookView(context, stored)
  },
})

const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  route: 'PUT /webhooks/:webhook_id/secret',
  summary: 'Change the secret of a webhook',
  description:
    'Creates another secret, which is shown this once. The one before signs as well for 24 hours, or ends at once.',
  ...listening,
  mode: 'write',
  storedReply: 'sealed',
  params: WebhookRef,
  body: NewSecret,
  returns: WebhookSecret,
  example: { params, body: { at_once: false } },
  async handle(context) {
    const { db, school, params, body, now, keyFor, changed, record } = context
    const row = await getLockedWebhook(context, params.webhook_id)
    const place = { schoolId: school.id, webhookId: row.id, key: keyFor(SEALING) }
    const { secret, sealed, hint } = createSecret(place, systemRandom)
    const ends = body.at_once === true || !isOpenable(school.id, row, place.key)
    const until = ends ? null : new Date(now.getTime() + ROTATION_MS)
    const stored = await storeSecret(db, school.id, row.id, { sealed, hint, until })
    changed({ ids: [toId('whk', row.id)], fields: ['secret'], revision: stored.revision })
    record({ type: 'webhook.secret_rotated', payload: { webhook_id: toId('whk', row.id) } })
    return { ...(await webhookView(context, stored)), secret }
  },
})

/** Webhooks themselves, in the order of the documentation. */
export const webhookOperations = [listWebhooks, createWebhook, getWebhook, updateWebhook, rotateWebhookSecret]

/** What ends webhooks and begins them again. */
export const webhookEndings = [disableWebhook, enableWebhook, deleteWebhook]
