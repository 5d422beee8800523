import Type, { type Static } from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { AllowedActions, Closed, Email, Id, Instant, Line, Nullable, OneOf, Person, Text } from '#src/kit/shapes.ts'

const Locale = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
  description: 'A language tag such as pt-PT',
})

/** What staff may change. */
export const SchoolSettings = Type.Object({
  name: Line(120, 'What the school is called'),
  description: Text(10_000, 'What the school is about, as plain text of one or more lines'),
  contact_email: Nullable(Email('Where people write to; shown to staff')),
  locale: Locale,
  supported_locales: Type.Array(Locale, { minItems: 1, maxItems: 20, description: 'Languages the school teaches in' }),
  time_zone: Type.String({ minLength: 1, maxLength: 64, description: 'An IANA time zone' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' }),
  country: Nullable(Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1' })),
  signup_mode: OneOf(['open', 'invite', 'closed'], 'Who may create an account'),
  review_mode: OneOf(['approval', 'direct'], 'Whether reviews of courses wait until staff approve them'),
})

const { contact_email, ...open } = SchoolSettings.properties

/** The school as a caller sees it; contact_email only for staff, allowed_actions only when signed in. */
export const School = Closed('School', {
  id: Id('scl'),
  base_url: Type.String({ description: 'The address of the school and its OAuth issuer' }),
  pages_url: Nullable(
    Type.String({ description: 'The address of the host for static pages; null where the school has none' }),
  ),
  ...open,
  contact_email: Type.Optional(contact_email),
  revision: Type.Integer({ minimum: 1 }),
  allowed_actions: Type.Optional(AllowedActions),
  created_at: Instant,
  updated_at: Instant,
})

/** A change of settings. */
export const SchoolChanges = MergePatch(SchoolSettings, 'SchoolChanges')

/** The settings as values. */
export type Settings = Static<typeof SchoolSettings>

/** Who did something: a person, through an app or on a page, or somebody without an account. */
const Actor = Closed('Actor', {
  kind: OneOf(
    ['member', 'anonymous', 'operator', 'worker'],
    'anonymous for a caller without a token, operator for a command, and worker for work that was due',
  ),
  member: Type.Optional(Person),
  client_id: Type.Optional(Type.String()),
})

/** One line of the audit log: who did what to which resources; values are never kept. */
export const AuditEntry = Closed('AuditEntry', {
  id: Id('aud'),
  created_at: Instant,
  actor: Actor,
  operation: Type.String({ description: 'The id of the operation' }),
  resource_ids: Type.Array(Type.String(), { description: 'The first hundred ids it touched' }),
  resource_count: Type.Integer({ minimum: 0 }),
  fields: Type.Array(Type.String(), { description: 'The names of the fields that changed' }),
  revision: Nullable(Type.Integer({ minimum: 1 })),
  request_id: Type.String(),
})

/** One page of the audit log, newest first. */
export const AuditPage = PageOf(AuditEntry, 'AuditPage')

/** The query parameters of the audit log. */
export const AuditQuery = Type.Object({
  ...PageQuery,
  member_id: Type.Optional(Id('mem')),
  operation: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The id of an operation' })),
  'created_at[gte]': Type.Optional(Instant),
  'created_at[lt]': Type.Optional(Instant),
})
