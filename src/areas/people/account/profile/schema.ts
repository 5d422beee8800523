import Type, { type TBoolean } from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { MarketingConsent } from '#src/areas/people/members/index.ts'
import { roles } from '#src/contract/caller.ts'
import { notifications } from '#src/contract/mail.ts'
import { profileLimits } from '#src/identity/index.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { AllowedActions, Closed, Id, Instant, Line, Nullable, OneOf, Personal } from '#src/kit/shapes.ts'

const choices: Record<string, TBoolean> = Object.fromEntries(
  notifications.map(({ key, description }) => [key, Type.Boolean({ description })]),
)

/** The fields a person may change; the address changes on the account pages only. */
const Profile = Type.Object({
  name: Line(profileLimits.name, 'The name of the person'),
  locale: Nullable(Type.String({ pattern: profileLimits.locale, description: 'A language tag' })),
  time_zone: Nullable(
    Type.String({ minLength: 1, maxLength: profileLimits.timeZone, description: 'An IANA time zone' }),
  ),
  notifications: Type.Object(choices, {
    additionalProperties: false,
    description: 'Which e-mails the person receives',
  }),
})

const ConsentChange = Closed('ConsentChange', {
  granted: Type.Boolean({ description: 'Whether the person wants marketing e-mails of the school' }),
})

/** A change of the profile. */
export const ProfileChanges = MergePatch(
  Type.Object({
    ...Profile.properties,
    notifications: Type.Partial(Profile.properties.notifications, { additionalProperties: false }),
    avatar_file_id: Nullable(Id('fil')),
    marketing_consent: ConsentChange,
  }),
  'ProfileChanges',
)

/** The person behind the token. */
export const Account = Closed('Account', {
  id: Id('mem'),
  email: Personal(Type.String({ description: 'The address the person signs in with' })),
  email_verified: Type.Boolean({ description: 'Whether the address was verified' }),
  ...Profile.properties,
  avatar: Nullable(FileView),
  marketing_consent: MarketingConsent,
  role: OneOf(roles, 'The role of the person in the school'),
  revision: Type.Integer({ minimum: 1 }),
  allowed_actions: AllowedActions,
  created_at: Instant,
  updated_at: Instant,
})
