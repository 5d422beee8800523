import type { Role } from '#src/contract/caller.ts'
import type { Phrase } from '#src/contract/language.ts'
import { problem } from '#src/contract/problem.ts'

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

const roleNames: Readonly<Record<Role, Phrase>> = {
  member: { en: 'a plain member', pt: 'simples membro' },
  lecturer: { en: 'a lecturer', pt: 'docente' },
  admin: { en: 'an admin', pt: 'administrador(a)' },
  owner: { en: 'an owner, who may do everything', pt: 'proprietário(a), com todos os poderes' },
}

/** What another role means, in words that name the person. */
export const roleEffect = (name: string, from: Role, to: Role): Phrase => ({
  en: `${name} becomes ${roleNames[to].en}, and is no longer ${roleNames[from].en}.`,
  pt: `${name} passa a ser ${roleNames[to].pt} e deixa de ser ${roleNames[from].pt}.`,
})
