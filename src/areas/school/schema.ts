import Type, { type Static } from 'typebox'
import { Changes } from '#src/kit/changes.ts'
import { AllowedActions, Id, Instant, Line, Nullable, OneOf, Text } from '#src/kit/shapes.ts'

const Locale = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
  description: 'A language tag such as pt-PT',
})

/** What staff may change. */
export const SchoolSettings = Type.Object({
  name: Line(120, 'What the school is called'),
  description: Text(10_000, 'What the school is about'),
  contact_email: Nullable(
    Type.String({ minLength: 3, maxLength: 254, description: 'Where people write to; shown to staff' }),
  ),
  locale: Locale,
  supported_locales: Type.Array(Locale, { minItems: 1, maxItems: 20, description: 'Languages the school teaches in' }),
  time_zone: Type.String({ minLength: 1, maxLength: 64, description: 'An IANA time zone' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' }),
  country: Nullable(Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1' })),
  signup_mode: OneOf(['open', 'invite', 'closed'], 'Who may make an account'),
})

const { contact_email, ...open } = SchoolSettings.properties

/** The school as a caller sees it; contact_email only for staff, allowed_actions only when signed in. */
export const School = Type.Object(
  {
    id: Id('scl'),
    base_url: Type.String({ description: 'The address of the school and its OAuth issuer' }),
    ...open,
    contact_email: Type.Optional(contact_email),
    revision: Type.Integer({ minimum: 1 }),
    allowed_actions: Type.Optional(AllowedActions),
    created_at: Instant,
    updated_at: Instant,
  },
  { additionalProperties: false, title: 'School' },
)

/** A change of settings. */
export const SchoolChanges = Changes(SchoolSettings, 'SchoolChanges')

/** The settings as values. */
export type Settings = Static<typeof SchoolSettings>
