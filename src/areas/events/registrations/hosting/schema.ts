import Type from 'typebox'
import { Attendee } from '#src/areas/shop/index.ts'
import { Id, Line, Nullable, OneOf } from '#src/kit/shapes.ts'
import { Registration } from '../registration/schema.ts'

const closed = { additionalProperties: false } as const

/** Whom a host adds: a member, or a name. */
export const NewHostRegistration = Type.Object(
  {
    member_id: Type.Optional({ ...Id('mem'), description: 'A member of the school: mem_…' }),
    attendee: Type.Optional(Attendee),
    ticket_type_id: Type.Optional({ ...Id('tkt'), description: 'The kind of ticket whose seat it takes: tkt_…' }),
  },
  { ...closed, minProperties: 1, title: 'NewHostRegistration' },
)

/** Whether what was paid for a seat goes back. */
export const RegistrationCancellation = Type.Object(
  {
    refund: Type.Optional(OneOf(['all', 'none'], 'What is refunded of what was paid for the seat; `all` is for staff')),
  },
  { ...closed, title: 'RegistrationCancellation' },
)

/** The code that somebody shows at the entrance. */
export const CheckInCode = Type.Object(
  { code: Line(40, 'The code as it was typed; case, spaces and hyphens do not matter') },
  { ...closed, title: 'CheckInCode' },
)

/** To which date a seat moves. */
export const RegistrationMove = Type.Object(
  { occurrence_id: { ...Id('occ'), description: 'Another date of the same event: occ_…' } },
  { ...closed, title: 'RegistrationMove' },
)

/** The seats that were offered. */
export const OfferedSeats = Type.Object(
  { data: Type.Array(Registration), seats_left: Nullable(Type.Integer({ minimum: 0 })) },
  { ...closed, title: 'OfferedSeats' },
)
