import Type from 'typebox'
import { Attendee } from '#src/areas/shop/index.ts'
import { Closed, Id, Line, Nullable, OneOf } from '#src/kit/shapes.ts'
import { Registration } from '../registration/schema.ts'

/** Whom a host adds: a member, or a name. */
export const NewHostRegistration = Type.Object(
  {
    member_id: Type.Optional({ ...Id('mem'), description: 'A member of the school: mem_…' }),
    attendee: Type.Optional(Attendee),
    ticket_type_id: Type.Optional({ ...Id('tkt'), description: 'The kind of ticket whose seat it takes: tkt_…' }),
  },
  { additionalProperties: false, minProperties: 1, title: 'NewHostRegistration' },
)

/** Whether what was paid for a seat goes back. */
export const RegistrationCancellation = Closed('RegistrationCancellation', {
  refund: Type.Optional(OneOf(['all', 'none'], 'What is refunded of what was paid for the seat; `all` is for staff')),
})

/** The code that somebody shows at the entrance. */
export const CheckInCode = Closed('CheckInCode', {
  code: Line(40, 'The code as it was typed; case, spaces and hyphens do not matter'),
})

/** To which date a seat moves. */
export const RegistrationMove = Closed('RegistrationMove', {
  occurrence_id: { ...Id('occ'), description: 'Another date of the same event: occ_…' },
})

/** The seats that were offered. */
export const OfferedSeats = Closed('OfferedSeats', {
  data: Type.Array(Registration),
  seats_left: Nullable(Type.Integer({ minimum: 0 })),
})
