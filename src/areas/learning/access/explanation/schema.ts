import Type from 'typebox'
import { languages } from '#src/kit/locale.ts'
import { Closed, Id, Instant, Nullable, OneOf, Ref } from '#src/kit/shapes.ts'
import { AccessView, sources } from '../schema.ts'

/** One reason for access. */
export const EntitlementView = Closed('Entitlement', {
  id: Id('ent'),
  item: Type.Object(
    {
      type: OneOf(['course', 'digital_product', 'event', 'group', 'membership_plan'] as const, 'The type of the item'),
      id: Type.String({ description: 'Its id' }),
      name: Nullable(Type.String({ description: 'The name of a group or plan' })),
    },
    { additionalProperties: false },
  ),
  source: OneOf(sources, 'Where it comes from'),
  is_active: Type.Boolean({ description: 'Whether it is valid at the instant, holds aside' }),
  starts_at: Instant,
  ends_at: Nullable(Instant),
  revoked_at: Nullable(Instant),
  reason: Type.Optional(Nullable(Type.String({ description: 'Why, for the staff' }))),
  opened_at: Nullable(Instant),
  closed_at: Nullable(Instant),
  hold_ids: Type.Array(Id('hld'), {
    description: 'The holds on its source at the instant; while there are any, it gives no access',
  }),
})

/** A hold on the access of a member. */
export const HoldView = Closed('AccessHold', {
  id: Id('hld'),
  item: Type.String({ description: 'all, or the id of an item; with a `source`, all that this source gave' }),
  source: Nullable(
    OneOf(sources, 'Only what one source of this kind gave is suspended, such as one order line; null: all access'),
  ),
  reason: OneOf(['past_due', 'dispute', 'staff'] as const, 'Why'),
  note: Type.Optional(Nullable(Type.String({ description: 'Why, in words, for the staff' }))),
  is_active: Type.Boolean({ description: 'Whether it prevents access at the instant' }),
  starts_at: Instant,
  ends_at: Nullable(Instant),
})

/** Whether a member may use a thing at an instant, and why. */
export const Explanation = Closed('AccessExplanation', {
  member_id: Id('mem'),
  item: Type.Object({ type: OneOf(['course'] as const, 'What it is'), id: Id('crs') }, { additionalProperties: false }),
  at: Instant,
  basis: OneOf(
    ['recorded', 'planned'] as const,
    'recorded: for an instant up to now, final; planned: for a later instant, from current data',
  ),
  has_access: Type.Boolean(),
  access: AccessView,
  entitlement_ids: Type.Array(Id('ent'), {
    description: 'The entitlements that are valid at the instant and whose source is not on hold',
  }),
  hold_ids: Type.Array(Id('hld'), { description: 'The holds that prevent access at the instant' }),
  next: Nullable(Type.Object({ at: Instant, has_access: Type.Boolean() }, { additionalProperties: false })),
  entitlements: Type.Array(EntitlementView),
  holds: Type.Array(HoldView),
  explanation: Type.Array(Type.String(), { description: 'The explanation in sentences for people' }),
})

const when = {
  at: Type.Optional(Instant),
  language: Type.Optional(OneOf(languages, 'The language of the sentences; the default is that of the caller')),
}

/** The query about the access of a student. */
export const AccessQuery = Type.Object({ course_id: Id('crs'), ...when })

/** The query about one's own access. */
export const OwnAccessQuery = Type.Object({ item: Id('crs'), ...when })

/** A student in a path. */
export const StudentRef = Type.Object({ student_id: Ref('mem', ['external']) })
