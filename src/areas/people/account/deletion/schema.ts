import { Closed, Instant, Nullable, OneOf } from '#src/kit/shapes.ts'

/** Whether the account is scheduled for deletion, and when. */
export const AccountDeletion = Closed('AccountDeletion', {
  status: OneOf(
    ['none', 'begun', 'under_way'],
    'none: not requested; begun: it can be cancelled until due_at; under_way: it cannot be cancelled any more',
  ),
  begun_at: Nullable(Instant),
  due_at: Nullable(Instant),
})
