import type { Offering } from '#src/areas/school/index.ts'
import { isAtLeast, type Role } from '#src/contract/caller.ts'

/** What a reader is told beside prices: only staff read what keeps the school from being paid. */
export const selectOffering = (offering: Offering, member: { readonly role: Role } | undefined): Offering =>
  member !== undefined && isAtLeast(member.role, 'admin') ? offering : { ...offering, missing: [] }
