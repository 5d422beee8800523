import type { Role } from '#src/contract/caller.ts'
import { fillEach, type Phrase } from '#src/contract/language.ts'
import { problem } from '#src/contract/problem.ts'
import { texts } from '#src/texts/index.ts'

/** The school would be left without an owner. */
export const lastOwner = problem(
  409,
  'last_owner',
  'The school would have no owner',
  'A school must have an active owner, and this member is the only one. Make another member owner first.',
)

/** Whether a school is left without an owner when this member has another role. */
export const leavesNoOwner = (owners: readonly string[], memberId: string, role: Role): boolean =>
  role !== 'owner' && owners.includes(memberId) && owners.length === 1

const roleNames: Readonly<Record<Role, Phrase>> = texts.school.staff.rules.roleNames

/** What another role means, in words that name the person. */
export const roleEffect = (name: string, from: Role, to: Role): Phrase =>
  fillEach(texts.school.staff.rules.roleEffect, { name, from: roleNames[from], to: roleNames[to] })
