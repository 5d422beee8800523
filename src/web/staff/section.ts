import type { Role } from '#src/contract/caller.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { PageDeclaration } from '#src/web/page/index.ts'
import type { StaffPagesParts } from './parts.ts'

/** The roles for which the console has pages. */
export type StaffRole = Exclude<Role, 'member'>

/** A page that the first page of the console links to; one at `/staff/{word}` is in the navigation of all pages as well. */
export type StaffEntry = {
  readonly path: `/staff/${string}`
  /** The text of the link; `{count}` is the number of pending approvals. */
  readonly name: Phrase
  /** What it is for, in a few words. */
  readonly about: Phrase
  /** The role with the fewest rights that can use it; unset: admins. Others do not see the link. */
  readonly least?: StaffRole
}

/** Entries of the navigation that belong together; the first ones have no heading. */
export type NavigationGroup = { readonly name: Phrase | undefined; readonly entries: readonly StaffEntry[] }

/** Staff pages that belong together; their links appear in the order of the sections. */
export type StaffSection = {
  readonly entries: readonly StaffEntry[]
  readonly pages: readonly PageDeclaration<StaffPagesParts>[]
}
