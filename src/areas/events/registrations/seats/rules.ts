import { chooseLeast, computeLeft } from '../rules.ts'
import type { SeatCount } from './queries.ts'

/** The seats of an occurrence, as counted while it is locked. */
export type Seats = {
  readonly capacity: number | null
  readonly counts: readonly SeatCount[]
  /** The limits of kinds of tickets; null: no limit. */
  readonly limits: ReadonlyMap<string, number | null>
}

const sumOfTaken = (counts: readonly SeatCount[]): number =>
  counts.reduce((sum, { taken, requested }) => sum + taken + requested, 0)

/** How many seats are left for one kind of ticket, or without a ticket; null: no limit. */
export const seatsLeft = ({ capacity, counts, limits }: Seats, ticketTypeId: string | null): number | null => {
  const ofAll = computeLeft(capacity, sumOfTaken(counts))
  if (ticketTypeId === null) return ofAll
  const limit = limits.get(ticketTypeId) ?? null
  return chooseLeast(
    ofAll,
    computeLeft(limit, sumOfTaken(counts.filter(({ ticket_type_id: id }) => id === ticketTypeId))),
  )
}

/** The first of those who wait for whom there is a seat, in their order; a later one passes an earlier one only where the ticket of the earlier one is sold out. */
export const firstWithSeat = (
  seats: Seats,
  waiting: readonly { readonly id: string; readonly ticket_type_id: string | null }[],
): string[] => {
  let { counts } = seats
  return waiting.flatMap(({ id, ticket_type_id: ticketTypeId }) => {
    if (seatsLeft({ ...seats, counts }, ticketTypeId) === 0) return []
    counts = [...counts, { occurrence_id: '', ticket_type_id: ticketTypeId, taken: 1, requested: 0, waiting: 0 }]
    return [id]
  })
}

/** The seats as they are for one of the requests, which takes its own. */
export const withoutRequests = (seats: Seats): Seats => ({
  ...seats,
  counts: seats.counts.map(count => ({ ...count, requested: 0 })),
})
