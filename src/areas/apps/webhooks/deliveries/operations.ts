import { exampleFrom } from '#src/contract/example.ts'
import { operation, type ReadContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, notFound, refuseInvalid } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { readPosition } from '../distribution/queries.ts'
import { readPaths } from '../hooks.ts'
import { wakeSending } from '../sending/lookups.ts'
import { getLockedWebhook, getOwnWebhook, listReadable, listSentTypes, mayRead } from '../webhook/access.ts'
import { listening } from '../webhook/operations.ts'
import type { WebhookRow } from '../webhook/queries.ts'
import { errorsOfTypes, isNamed, neededScopes, sentTypes } from '../webhook/rules.ts'
import { WebhookRef } from '../webhook/schema.ts'
import { renewMissed } from '../webhook/writes.ts'
import {
  type DeliveryRow,
  deliveryList,
  findDelivery,
  findPrevious,
  hastenDelivery,
  hastenFailing,
  insertDeliveries,
  insertTest,
  listReplayed,
  storeResent,
} from './queries.ts'
import { MAX_REPLAYED, replayDeliveries, replayTooLarge } from './rules.ts'
import {
  DeliveryQuery,
  DeliveryRef,
  NewReplay,
  NewTest,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookReplay,
} from './schema.ts'
import { deliveryView } from './views.ts'

const webhookExample = { webhook_id: exampleFrom('whk', 'listWebhooks') }
const deliveryExample = {
  ...webhookExample,
  delivery_id: exampleFrom('whd', 'listWebhookDeliveries'),
}

type Place = Pick<ReadContext, 'db' | 'school'>

const findPlace = async ({ db, school }: Place) => {
  const [findPath = () => undefined] = await readPaths.call(undefined, { db, school })
  return { school, findPath }
}

const getDelivery = async (
  { db, school, caller }: Place & Pick<ReadContext, 'caller'>,
  webhookId: string,
  id: string,
): Promise<DeliveryRow> => {
  const row = await findDelivery(db, school.id, webhookId, id)
  const readable = listReadable(caller)
  if (row === undefined || readable?.includes(row.type) === false)
    throw new Refusal(notFound, 'There is no such delivery.')
  return row
}

const refuseDisabled = ({ status }: WebhookRow): void => {
  if (status === 'disabled') throw new Refusal(invalidState, 'The webhook is disabled. Enable it first.')
}

const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  route: 'GET /webhooks/:webhook_id/deliveries',
  summary: "List a webhook's deliveries",
  description:
    'Lists what waits for a webhook and what ended in the last 30 days, newest first, of the types that the scopes of the token allow. What receivers answer is not kept.',
  ...listening,
  mode: 'read',
  params: WebhookRef,
  query: DeliveryQuery,
  returns: WebhookDeliveryPage,
  example: { params: webhookExample },
  async handle(context) {
    const { school, query, params } = context
    const { id } = await getOwnWebhook(context, params.webhook_id)
    const place = await findPlace(context)
    const readable = listReadable(context.caller)
    const filter = {
      readable,
      status: query.status,
      type: query.type,
      from: query['sequence[gte]'],
      to: query['sequence[lte]'],
    }
    return readList(context, deliveryList(school.id, id, filter), rows => rows.map(row => deliveryView(place, row)))
  },
})

const getWebhookDelivery = operation({
  id: 'getWebhookDelivery',
  route: 'GET /webhooks/:webhook_id/deliveries/:delivery_id',
  summary: 'Get a delivery',
  description: 'Returns a fact on its way to a webhook, with what is sent and how the last attempt went.',
  ...listening,
  mode: 'read',
  params: DeliveryRef,
  returns: WebhookDelivery,
  example: { params: deliveryExample },
  async handle(context) {
    const { id } = await getOwnWebhook(context, context.params.webhook_id)
    return deliveryView(await findPlace(context), await getDelivery(context, id, context.params.delivery_id))
  },
})

const testWebhook = operation({
  id: 'testWebhook',
  route: 'POST /webhooks/:webhook_id/tests',
  summary: 'Send a test to a webhook',
  description:
    'Sends the example of a type, marked as a test, once. It has no number, and the id of its delivery as `webhook-id`.',
  ...listening,
  mode: 'write',
  params: WebhookRef,
  body: NewTest,
  returns: WebhookDelivery,
  status: 201,
  locationPath: '/webhooks',
  fails: [invalidState],
  rateLimit: { times: 10, seconds: 60, by: 'member' },
  example: { params: webhookExample, body: { type: 'school.updated' } },
  async handle(context) {
    const { db, school, params, body, now, changed, record, requireScope } = context
    const row = await getLockedWebhook(context, params.webhook_id)
    const scope = sentTypes.get(body.type)
    if (scope === undefined)
      refuseInvalid([
        { pointer: '/type', code: 'unknown_type', message: 'is no type of fact that is sent; see /facts.json' },
      ])
    else requireScope(scope, `The type ${body.type}`)
    refuseDisabled(row)
    const id = newUuid(now.getTime())
    await insertTest(db, school.id, { id, webhookId: row.id, type: body.type })
    await hastenFailing(db, school.id, row.id)
    await wakeSending(db, school.id, row.id)
    changed({ ids: [toId('whd', id)], fields: ['status'] })
    record({ type: 'webhook.updated', payload: { webhook_id: toId('whk', row.id), fields: ['deliveries'] } })
    return deliveryView(await findPlace(context), await getDelivery(context, row.id, id))
  },
})

const resendWebhookDelivery = operation({
  id: 'resendWebhookDelivery',
  route: 'POST /webhooks/:webhook_id/deliveries/:delivery_id/attempts',
  summary: 'Send a delivery again',
  description: 'Sends a fact again, with the same id and body; one that waits is sent now.',
  ...listening,
  mode: 'write',
  params: DeliveryRef,
  returns: WebhookDelivery,
  fails: [invalidState],
  example: { params: deliveryExample },
  async handle(context) {
    const { db, school, params, changed, record } = context
    const row = await getLockedWebhook(context, params.webhook_id)
    const delivery = await getDelivery(context, row.id, params.delivery_id)
    refuseDisabled(row)
    const isWaiting = delivery.status === 'waiting'
    await (isWaiting ? hastenDelivery : storeResent)(db, school.id, delivery.id)
    await hastenFailing(db, school.id, row.id)
    await wakeSending(db, school.id, row.id)
    changed({ ids: [toId('whd', delivery.id)], fields: ['status'] })
    record({ type: 'webhook.updated', payload: { webhook_id: toId('whk', row.id), fields: ['deliveries'] } })
    return deliveryView(await findPlace(context), await getDelivery(context, row.id, delivery.id))
  },
})

const replayWebhook = operation({
  id: 'replayWebhook',
  route: 'POST /webhooks/:webhook_id/replays',
  summary: 'Send facts again',
  description:
    'Sends the facts of a range again, in number and with the same ids, at most 10,000; a dry run counts them. New facts go before them.',
  ...listening,
  mode: 'write',
  params: WebhookRef,
  body: NewReplay,
  returns: WebhookReplay,
  fails: [invalidState, replayTooLarge],
  example: { params: webhookExample, body: { from: 1 } },
  async handle(context) {
    const { db, school, caller, params, body, now, changed, record, requireScope } = context
    const row = await getLockedWebhook(context, params.webhook_id)
    refuseInvalid(errorsOfTypes(body.types ?? []))
    for (const [scope, entry] of neededScopes(body.types ?? [])) requireScope(scope, `The type ${entry}`)
    refuseDisabled(row)
    const types = (await listSentTypes(db, school.id, row)).filter(
      type => mayRead(caller, type) && isNamed(body.types ?? ['*'], type),
    )
    const position = await readPosition(db, school.id)
    const range = { from: body.from, to: body.to, types, position }
    const found = await listReplayed(db, school.id, row.id, range, MAX_REPLAYED + 1)
    if (found.length > MAX_REPLAYED) throw new Refusal(replayTooLarge, `The range has more than ${MAX_REPLAYED} facts.`)
    const [first] = found
    const before = first && (await findPrevious(db, school.id, row.id, first.sequence))
    const all = replayDeliveries(found, { webhookId: row.id, before: before ?? null, at: now.getTime() })
    const isDelivered = new Set(found.filter(({ status }) => status === 'delivered').map(({ sequence }) => sequence))
    const sent = body.only === 'failed' ? all.filter(({ sequence }) => !isDelivered.has(sequence)) : all
    await insertDeliveries(db, school.id, sent, true)
    const isRenewed = await renewMissed(db, school.id, row, position)
    if (sent.length === 0 && !isRenewed) return { count: 0 }
    await wakeSending(db, school.id, row.id)
    changed({ ids: [toId('whk', row.id)], fields: ['deliveries'] })
    record({ type: 'webhook.updated', payload: { webhook_id: toId('whk', row.id), fields: ['deliveries'] } })
    return { count: sent.length }
  },
})

/** What was sent to webhooks, in the order of the documentation. */
export const deliveryOperations = [
  testWebhook,
  listWebhookDeliveries,
  getWebhookDelivery,
  resendWebhookDelivery,
  replayWebhook,
]
