import Type from 'typebox'
import { Instant, Nullable, OneOf } from '#src/kit/shapes.ts'

/** Whether the account is to be deleted, and when. */
export const AccountDeletion = Type.Object(
  {
    status: OneOf(
      ['none', 'begun', 'under_way'],
      'none: nobody asked for it; begun: it can be taken back until due_at; under_way: it cannot any more',
    ),
    begun_at: Nullable(Instant),
    due_at: Nullable(Instant),
  },
  { additionalProperties: false, title: 'AccountDeletion' },
)
