import Type from 'typebox'
import { roles } from '#src/contract/caller.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, OneOf, Personal } from '#src/kit/shapes.ts'

/** A member with the role that they have: one of the staff, or whose role was just changed. */
export const StaffMember = Closed('StaffMember', {
  id: Id('mem'),
  name: Type.String(),
  email: Type.Optional(
    Personal(Type.String({ description: 'The address the person signs in with; with members:read, or your own' })),
  ),
  role: OneOf(roles, 'What the person may do in the school'),
  created_at: Instant,
  updated_at: Instant,
})

/** One page of the staff. */
export const StaffPage = PageOf(StaffMember, 'StaffPage')

/** The query parameters of the list of staff. */
export const StaffQuery = Type.Object({ ...PageQuery })

/** The member whose role it is. */
export const StaffRef = Type.Object({ member_id: Id('mem') })

/** The role that a member is given. */
export const StaffRole = Closed('StaffRole', {
  role: OneOf(['lecturer', 'admin', 'owner'], 'What the person may do in the school from then on'),
})
