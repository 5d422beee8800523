import Type from 'typebox'
import { Closed, Id, Instant, Nullable, OneOf, Personal, Words } from '#src/kit/shapes.ts'

/** Whether a member may use an item: now, not because of a hold, not yet, no longer, or never. */
export const accessStates = ['active', 'held', 'upcoming', 'ended', 'none'] as const

/** The same as the person themself sees it: a course that is not published cannot be used. */
export const ownAccessStates = [...accessStates, 'unpublished'] as const

/** Where a reason for access comes from. */
export const sources = ['order_line', 'subscription', 'gift', 'staff', 'group', 'import', 'free'] as const

/** The sources of entitlements that staff create, and that staff and the member may end. */
export const staffSources = ['staff', 'import', 'gift', 'free'] as const

/** Codes for why access is as it is. */
export const accessReasons = [
  ...sources,
  'past_due',
  'dispute',
  'held_by_staff',
  'expired',
  'revoked',
  'removed_from_group',
  'removed_from_plan',
  'never_given',
  'not_published',
] as const

/** Whether a member may use something now, since and until when, and why. */
export const AccessView = Closed('Access', {
  state: OneOf(
    ownAccessStates,
    'active: usable now; held: on hold for now; upcoming: begins later; ended: is over; none: was never given; unpublished: would be active, but the course is not published now; only the person themself sees this',
  ),
  from: Nullable(Instant),
  until: Nullable(Instant),
  reason: OneOf(accessReasons, 'What gives access, what holds it, or how it ended'),
})

/** The name and address of a student, for staff and lecturers. */
export const StudentContact = Closed('StudentContact', {
  id: Id('mem'),
  name: Type.String(),
  email: Personal(Type.String({ description: 'The e-mail address of the person' })),
})

/** A note of the staff on why something was done. */
export const Note = Words(500, 'Why, for the staff')

/** Whether a mail tells the person. */
export const Notify = Type.Optional(Type.Boolean({ default: true, description: 'Whether a mail tells the person' }))
