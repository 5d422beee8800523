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

/** The course that a member learned in last. */
type LatestCourse = {
  readonly member_id: string
  readonly id: string
  readonly name: string
  readonly percent_complete: number
  readonly completed_at: Date | null
}

/** Asked which course each of some members learned in last; who never was in one is not among them. */
export const latestCourses = hook<{ readonly memberIds: readonly string[] }, readonly LatestCourse[]>('latestCourses')

/** What a member paid and did not get back, in the smallest unit of a currency. */
type Spent = { readonly member_id: string; readonly currency: string; readonly amount: number }

/** Asked what each of some members paid, in each currency. */
export const memberSpending = hook<{ readonly memberIds: readonly string[] }, readonly Spent[]>('memberSpending')
