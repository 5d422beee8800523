import Type, { type Static } from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, Id, Instant, Line, Nullable, OneOf, Recorded } from '#src/kit/shapes.ts'

/** The stages of a webhook. */
export const webhookStatuses = ['active', 'failing', 'disabled'] as const

/** Why a webhook is disabled. */
export const disabledReasons = ['by_person', 'gone', 'failing', 'access_ended', 'restored', 'secret_lost'] as const

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Where facts are sent: https, a host name, and port 443 or one from 1024',
  examples: ['https://hooks.example.org/school'],
})

/** A type of fact, as a word. */
export const TypeName = Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z][a-z_.]*$' })

/** What names types of facts: one of them, those of a resource, or all. */
export const TypeEntry = Type.String({ minLength: 1, maxLength: 100, pattern: '^[a-z*][a-z_.*]*$' })

const Types = Type.Array(TypeEntry, {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'Types of facts: `course.published`, `course.*`, or `*` for all that the scopes of the app allow',
})

const settings = {
  url: Url,
  types: Types,
  description: Nullable(Line(200, 'What it is for')),
  ordered: Type.Boolean({
    description: 'Whether a fact is sent only when the one before it was delivered or has failed',
  }),
}

/** A sequence of a fact. */
export const Sequence = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The number of a fact in the school',
})

const App = Closed('WebhookApp', { client_id: Type.String(), name: Type.String() })

const fields = {
  id: Id('whk'),
  ...settings,
  status: OneOf(webhookStatuses, '`failing`: attempts fail, and one delivery at a time is tried'),
  disabled_reason: Nullable(OneOf(disabledReasons, 'Why it is disabled')),
  app: Nullable(App),
  member_id: Id('mem'),
  secret_hint: Type.String({ description: 'The last four characters of its secret' }),
  previous_secret_expires_at: Nullable(Instant),
  failing_since: Nullable(Instant),
  last_delivered_at: Nullable(Instant),
  last_sequence: Nullable(Sequence),
  missed_from: Nullable(
    Type.Integer({ minimum: 1, description: 'The first fact that was not sent since it was disabled: replay from it' }),
  ),
  waiting_count: Type.Integer({ minimum: 0 }),
  ...Recorded,
}

/** A subscription to facts: where they are sent, and which. */
export const Webhook = Closed('Webhook', fields)

/** A webhook as a caller sees it. */
export type WebhookView = Static<typeof Webhook>

/** A webhook with its secret, which is shown this once. */
export const WebhookSecret = Closed('WebhookSecret', {
  ...fields,
  secret: Type.String({ description: 'Signs what is sent (Standard Webhooks); it is never shown again' }),
})

/** A new webhook. */
export const NewWebhook = Closed('NewWebhook', {
  url: Url,
  types: Types,
  description: Type.Optional(settings.description),
  ordered: Type.Optional(settings.ordered),
})

/** A change of a webhook. */
export const WebhookChanges = MergePatch(Type.Object(settings), 'WebhookChanges')

/** One page of the webhooks. */
export const WebhookPage = PageOf(Webhook, 'WebhookPage')

/** The query parameters of the list of webhooks. */
export const WebhookQuery = Type.Object({ ...PageQuery, status: Type.Optional(OneOf(webhookStatuses, 'Only those')) })

/** A webhook in a path. */
export const WebhookRef = Type.Object({ webhook_id: Id('whk') })

/** How a secret is replaced. */
export const NewSecret = Closed('NewWebhookSecret', {
  at_once: Type.Optional(
    Type.Boolean({ description: 'Whether the old secret ends now, as after a leak, and not in 24 hours' }),
  ),
})
