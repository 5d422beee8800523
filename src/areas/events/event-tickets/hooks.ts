import { hook } from '#src/contract/hook.ts'

/** Called for how many registrations ever had a kind of ticket. */
export const ticketTypeUses = hook<{ readonly ticketTypeId: string }, number>('ticketTypeUses')

/** Called for the seats that are left of kinds of tickets at an occurrence, by their ids; null: no limit. */
export const ticketSeatsLeft = hook<
  { readonly occurrenceId: string; readonly ticketTypeIds: readonly string[] },
  ReadonlyMap<string, number | null>
>('ticketSeatsLeft')

/** Called when a kind of ticket may have more seats than before; its row is locked. */
export const ticketSeatsAdded = hook<{ readonly eventId: string }, void>('ticketSeatsAdded')
