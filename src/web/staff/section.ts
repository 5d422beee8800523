import type { Endpoint } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { StaffPagesParts } from './parts.ts'

/** A line of the home page of the staff. */
export type StaffEntry = {
  readonly path: `/staff/${string}`
  /** The text of the link; `{count}` is the number of pending approvals. */
  readonly name: Phrase
  /** What it is for, in a few words. */
  readonly about: Phrase
  /** Whether only owners can use it; admins do not see the line. */
  readonly isForOwners?: boolean
}

/** Staff pages that belong together; their lines appear on the home page in the order of the sections. */
export type StaffSection = {
  readonly entries: readonly StaffEntry[]
  endpoints(parts: StaffPagesParts): Endpoint[]
}
