import Type, { type Static } from 'typebox'
import { NewCheckout, ticketFields } from '#src/areas/shop/index.ts'
import { PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, OneOf } from '#src/kit/shapes.ts'
import { registrationStatuses } from '../rules.ts'

const { codes, billing, accept_terms } = NewCheckout.properties

/** For what somebody registers. */
export const NewRegistrations = Closed('NewRegistrations', {
  price_id: { ...Id('prc'), description: 'The price of a ticket: prc_…' },
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'How many seats; 1 by default' })),
  ...ticketFields,
  join_waitlist: Type.Optional(
    Type.Boolean({ description: 'Wait for a seat where none is left, if the event has a waiting list' }),
  ),
  codes,
  billing,
  accept_terms,
})

/** For what somebody registers, as values. */
export type RegistrationsInput = Static<typeof NewRegistrations>

/** What is said when seats that were offered are taken. */
export const Acceptance = Closed('RegistrationAcceptance', { codes, billing, accept_terms })

/** The query parameters of the list of one's own registrations. */
export const OwnRegistrationsQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(OneOf(registrationStatuses, 'Only this status')),
  event_id: Type.Optional({ ...Id('evt'), description: 'Only for this event' }),
  occurrence_id: Type.Optional(Id('occ')),
})
