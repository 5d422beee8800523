import Type, { type Static } from 'typebox'
import { AccessView, accessStates, Note, Notify } from '#src/areas/learning/index.ts'
import { MemberSettings } from '#src/areas/people/index.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, Nullable, OneOf, Person, Ref } from '#src/kit/shapes.ts'

/** A product that the school gave to a member. */
export const Gift = Closed('Gift', {
  id: Id('ent'),
  product_id: Id('dpr'),
  member: Person,
  status: OneOf(['active', 'ended', 'taken_back'], 'Whether the gift gives access now'),
  starts_at: Instant,
  ends_at: Nullable(Instant),
  note: Nullable(Type.String({ description: 'Why, for the staff' })),
  created_at: Instant,
})

/** A page of gifts. */
export const GiftPage = PageOf(Gift, 'GiftPage')

/** The query parameters of the list of gifts. */
export const GiftsQuery = Type.Object({ ...PageQuery, member_id: Type.Optional(Id('mem')) })

/** A gift to a member or to somebody with an e-mail address. */
export const NewGift = Type.Object(
  {
    member_id: Type.Optional(Id('mem')),
    email: Type.Optional(MemberSettings.properties.email),
    name: Type.Optional({ ...MemberSettings.properties.name, description: 'The name of a person without an account' }),
    locale: Type.Optional(MemberSettings.properties.locale),
    ends_at: Type.Optional(Nullable(Instant)),
    note: Type.Optional(Note),
    send_invitation: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether a person without an account is invited by mail' }),
    ),
    notify: Notify,
  },
  {
    additionalProperties: false,
    minProperties: 1,
    title: 'NewGift',
    description: 'Either member_id or email; a person without an account needs a name',
  },
)

/** The input of a gift, as values. */
export type GiftInput = Static<typeof NewGift>

/** A gift, in a path. */
export const GiftRef = Type.Object({ product_id: Ref('dpr', ['external', 'slug']), entitlement_id: Id('ent') })

/** A member and their access to a product. */
const Holder = Closed('Holder', { member: Person, access: AccessView })

/** A page of holders. */
export const HolderPage = PageOf(Holder, 'HolderPage')

/** The query parameters of the list of holders. */
export const HoldersQuery = Type.Object({
  ...PageQuery,
  state: Type.Optional(OneOf(accessStates, 'Only those whose access is in this state; the default is active')),
})
