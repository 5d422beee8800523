import type { Fact } from '#src/contract/fact.ts'
import { hook } from '#src/contract/hook.ts'
import type { Warning } from '#src/contract/warning.ts'

/** Called for the warnings about what a published event lacks. */
export const eventWarnings = hook<{ readonly eventId: string }, readonly Warning[]>('eventWarnings')

/** How many seats of an occurrence are taken, and how many people wait for one. */
export type Seats = { readonly taken: number; readonly waiting: number }

/** Called for the seats of some occurrences, by their ids; those without registrations are left out. */
export const occurrenceSeats = hook<{ readonly occurrenceIds: readonly string[] }, ReadonlyMap<string, Seats>>(
  'occurrenceSeats',
)

/** What is registered for an occurrence. */
export type Registered = {
  /** Registrations that stand: neither cancelled, declined nor expired. */
  readonly active: number
  /** The members who have them. */
  readonly people: number
  /** All registrations that there ever were. */
  readonly ever: number
  /** Whether money was taken for one that stands. */
  readonly isPaid: boolean
}

/** Called for what is registered for some occurrences, by their ids; those without registrations are left out. */
export const occurrenceRegistrations = hook<
  { readonly occurrenceIds: readonly string[] },
  ReadonlyMap<string, Registered>
>('occurrenceRegistrations')

/** Called for those of some occurrences for which a member has a confirmed seat. */
export const attendedOccurrences = hook<
  { readonly memberId: string; readonly occurrenceIds: readonly string[] },
  readonly string[]
>('attendedOccurrences')

/** A date in the calendar of a member; one that they cancelled stays there as cancelled. */
type CalendarDate = { readonly occurrenceId: string; readonly isCancelled: boolean }

/** Called for the dates that a member is or was registered for and that end after an instant, at most 500. */
export const calendarDates = hook<{ readonly memberId: string; readonly endsAfter: Date }, readonly CalendarDate[]>(
  'calendarDates',
)

/** What happens to the registrations of occurrences that are cancelled. */
type CancellationTerms = {
  readonly reason: string
  readonly refund: 'all' | 'none'
  /** What is written to those who are registered; empty: nothing but that it is cancelled. */
  readonly message: string
}

/**
 * Called when locked occurrences are cancelled, in the transaction that does so; returns facts that say what this does to
 * money and mails.
 */
export const occurrencesCancelled = hook<
  CancellationTerms & { readonly occurrenceIds: readonly string[]; readonly now: Date },
  readonly Fact[]
>('occurrencesCancelled')

/** Called when occurrences, which are locked, have more seats than before; returns the facts of what was offered. */
export const seatsAdded = hook<{ readonly occurrenceIds: readonly string[]; readonly now: Date }, readonly Fact[]>(
  'seatsAdded',
)
