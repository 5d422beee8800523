import { eventWarnings } from '#src/areas/events/events/index.ts'
import { countInOtherCurrency, currencyUses, listSaleWarnings } from '#src/areas/school/index.ts'
import { area } from '#src/contract/area.ts'
import { implement } from '#src/contract/hook.ts'
import { ticketPrices } from './types/conditions.ts'
import { ticketTypeOperations } from './types/operations.ts'
import { listTicketPrices } from './types/queries.ts'

export { ticketSeatsAdded, ticketSeatsLeft, ticketTypeUses } from './hooks.ts'
export { lockTicketType } from './types/queries.ts'
export { TicketType, type TicketTypeInput, TicketTypePage } from './types/schema.ts'
export { addTicketType } from './types/writes.ts'

/** The kinds of tickets of events, with their prices. */
export const eventTickets = area({
  name: 'event-tickets',
  operations: ticketTypeOperations,
  hooks: [
    implement(currencyUses, async ({ currency }, { db, school }) => [
      { kind: 'ticket_price', count: await countInOtherCurrency(db, school.id, ticketPrices, currency) },
    ]),
    implement(eventWarnings, async ({ eventId }, { db, school }) =>
      listSaleWarnings({ db, school }, await listTicketPrices(db, school.id, eventId)),
    ),
  ],
})
