import Type from 'typebox'
import { Id, Instant, Nullable, OneOf, Personal, Words } from '#src/kit/shapes.ts'

/** Whether a member may use a thing: now, not now but kept from it, not yet, not any more, or never. */
export const accessStates = ['active', 'held', 'upcoming', 'ended', 'none'] as const

/** The same, as it is told to the person themself: of a course that is not published there is nothing to use. */
export const ownAccessStates = [...accessStates, 'unpublished'] as const

/** Where a reason for access comes from. */
export const sources = ['order_line', 'subscription', 'gift', 'staff', 'group', 'import', 'free'] as const

/** The sources that staff write, and that they and the member may end again. */
export const givenSources = ['staff', 'import', 'gift', 'free'] as const

/** Why access is as it is, in a word. */
export const accessReasons = [
  ...sources,
  ...([
    'past_due',
    'dispute',
    'held_by_staff',
    'expired',
    'revoked',
    'removed_from_group',
    'never_given',
    'not_published',
  ] as const),
] as const

/** Whether a member may use something now, since and until when, and why. */
export const AccessView = Type.Object(
  {
    state: OneOf(
      ownAccessStates,
      'active: usable now; held: kept back for now; upcoming: begins later; ended: is over; none: was never given; unpublished: would be active, but the course is not published now, which is told to the person themself',
    ),
    from: Nullable(Instant),
    until: Nullable(Instant),
    reason: OneOf(accessReasons, 'What it rests on, what keeps it back, or how it ended'),
  },
  { additionalProperties: false, title: 'Access' },
)

/** A student as those who look after them see them. */
export const StudentContact = Type.Object(
  { id: Id('mem'), name: Type.String(), email: Personal(Type.String({ description: 'Where the person is reached' })) },
  { additionalProperties: false, title: 'StudentContact' },
)

/** A note of the staff on why something was done. */
export const Note = Words(500, 'Why, for the staff')

/** Whether a mail tells the person. */
export const Notify = Type.Optional(Type.Boolean({ default: true, description: 'Whether a mail tells the person' }))
