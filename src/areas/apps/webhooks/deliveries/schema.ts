import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'
import { Sequence, TypeEntry, TypeName } from '../webhook/schema.ts'

/** The stages of a delivery. */
export const deliveryStatuses = ['waiting', 'delivered', 'failed', 'dropped'] as const

/** What apps are told of a fact: what it is about and its payload; the resource is read at `href`. */
export const FactEnvelope = Closed('FactEnvelope', {
  id: Type.String({ description: 'The same each time it is sent; of a test the id of the delivery' }),
  type: Type.String(),
  timestamp: Type.String({ description: 'When it was recorded, RFC 3339 in UTC' }),
  sequence: Sequence,
  previous: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, description: 'The fact before it that was distributed to the same webhook' })),
  ),
  school: Type.String({ description: 'The origin of the school' }),
  subject: Nullable(Closed('FactSubject', { id: Type.String(), href: Nullable(Type.String()) })),
  data: Type.Record(Type.String(), Type.Unknown()),
  test: Type.Optional(Type.Boolean({ description: 'Whether it is an example that somebody had sent' })),
})

/** A fact on its way to a webhook, with how its attempts went. */
export const WebhookDelivery = Closed('WebhookDelivery', {
  id: Id('whd'),
  fact: FactEnvelope,
  status: OneOf(deliveryStatuses, '`dropped`: it is not sent, since the webhook was disabled or lost its access'),
  attempts: Type.Integer({ minimum: 0 }),
  next_attempt_at: Nullable(Instant),
  last_attempt_at: Nullable(Instant),
  last_outcome: Nullable(
    Type.String({
      description:
        'The status of the answer, or `timeout`, `refused`, `tls`, `name`, `redirect`, `address` or `closed`',
    }),
  ),
  duration_ms: Nullable(Type.Integer({ minimum: 0, description: 'How long the last attempt took' })),
  created_at: Instant,
})

/** One page of the deliveries of a webhook. */
export const WebhookDeliveryPage = PageOf(WebhookDelivery, 'WebhookDeliveryPage')

/** The query parameters of the list of deliveries. */
export const DeliveryQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(OneOf(deliveryStatuses, 'Only those')),
  type: Type.Optional(Type.String({ maxLength: 100, description: 'Only facts of this type' })),
  'sequence[gte]': Type.Optional(Sequence),
  'sequence[lte]': Type.Optional(Sequence),
})

/** A delivery in a path. */
export const DeliveryRef = Type.Object({ webhook_id: Id('whk'), delivery_id: Id('whd') })

/** The example to send. */
export const NewTest = Closed('NewWebhookTest', {
  type: TypeName,
})

const Bound = Type.Union([Sequence, Instant], {
  description: 'A sequence, or an instant: facts recorded then',
})

/** Which facts to send again. */
export const NewReplay = Closed('NewWebhookReplay', {
  from: Bound,
  to: Type.Optional(Bound),
  types: Type.Optional(Type.Array(TypeEntry, { minItems: 1, maxItems: 100, uniqueItems: true })),
  only: Type.Optional(OneOf(['failed', 'all'], '`failed`: only those that were not delivered; `all` unless told')),
})

/** What a replay sends. */
export const WebhookReplay = Closed('WebhookReplay', {
  count: Type.Integer({ minimum: 0, description: 'How many facts are sent' }),
})
