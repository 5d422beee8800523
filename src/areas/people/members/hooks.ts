import type { Fact } from '#src/contract/fact.ts'
import { hook } from '#src/contract/hook.ts'

/** How much runs on for a member: what is charged again, waits for payment, or takes or waits for a seat at a coming date. */
export type Running = { readonly subscriptions: number; readonly orders: number; readonly registrations: number }

/** Asked how much runs on for a member, before it ends, waits or moves. */
export const memberRunning = hook<{ readonly memberId: string }, Partial<Running>>('memberRunning')

/** Why what runs on for a member ends. */
export type Departure = 'deletion' | 'erasure'

/** Called when a member is deleted or erased: what runs on for them ends. Returns the facts. */
export const memberDeparture = hook<
  { readonly memberId: string; readonly reason: Departure; readonly now: Date },
  readonly Fact[]
>('memberDeparture')
