import type { SchoolContext, TransactionContext } from '#src/contract/context.ts'
import type { Fact } from '#src/contract/fact.ts'
import { restoreMembers } from '#src/identity/index.ts'
import { type Departure, memberDeparture, memberRunning, type Running } from '../hooks.ts'
import { getNamedMember } from '../member/access.ts'
import type { MemberRow } from '../member/queries.ts'
import { backFact } from './rules.ts'

/** How much runs on for a member. */
export const readRunning = async (context: SchoolContext, memberId: string): Promise<Running> => {
  const { db, school } = context
  const parts = await memberRunning.call({ memberId }, { db, school })
  const sum = (kind: keyof Running): number => parts.reduce((total, part) => total + (part[kind] ?? 0), 0)
  return { subscriptions: sum('subscriptions'), orders: sum('orders'), registrations: sum('registrations') }
}

/**
 * Brings a locked member back who was deleted: they are invited, with their history and without the role that they had, and sign
 * in once they have proven the address. Returns the member with the fact.
 */
export const bringBack = async (
  { db, school }: SchoolContext,
  id: string,
): Promise<{ readonly row: MemberRow; readonly fact: Fact }> => {
  await restoreMembers(db, school.id, [id], 'invited')
  const row = await getNamedMember(db, school, id)
  return { row, fact: backFact(id) }
}

/** Ends what runs on for a locked member who goes; returns the facts. */
export const endRunning = async (
  { db, school, now }: TransactionContext,
  memberId: string,
  reason: Departure,
): Promise<readonly Fact[]> => (await memberDeparture.call({ memberId, reason, now }, { db, school })).flat()
