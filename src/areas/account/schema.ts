import Type from 'typebox'
import { roles } from '#src/contract/caller.ts'
import { AllowedActions, Id, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'

/** The person behind the token. */
export const Account = Type.Object(
  {
    id: Id('mem'),
    email: Type.String({ description: 'The address the person signs in with' }),
    email_verified: Type.Boolean({ description: 'Whether the address was proven' }),
    name: Type.String(),
    locale: Nullable(Type.String({ description: 'A language tag' })),
    time_zone: Nullable(Type.String({ description: 'An IANA time zone' })),
    role: OneOf(roles, 'What the person may do in the school'),
    revision: Type.Integer({ minimum: 1 }),
    allowed_actions: AllowedActions,
    created_at: Instant,
    updated_at: Instant,
  },
  { additionalProperties: false, title: 'Account' },
)
