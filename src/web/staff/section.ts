import type { Role } from '#src/contract/caller.ts'
import type { PageDeclaration } from '#src/web/page/index.ts'
import type { StaffPagesParts } from './parts.ts'

/** The roles for which the console has pages. */
export type StaffRole = Exclude<Role, 'member'>

/** Staff pages that belong together; `console/entries.ts` says where in the navigation they are. */
export type StaffSection = { readonly pages: readonly PageDeclaration<StaffPagesParts>[] }
