import type { CallingMember } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { findMember, type LockedMember, lockNamedMember, type MemberRow } from './queries.ts'

const nobody = (): Refusal => new Refusal(notFound, 'There is no such member.')

/** The member in a path; refuses when there is none. */
export const getNamedMember = async (db: Db, school: School, ref: string): Promise<MemberRow> => {
  const row = await findMember(db, school.id, ref)
  if (row === undefined) throw nobody()
  return row
}

/** The same, locked until the transaction ends; refuses deleted members, who cannot be changed. */
export const lockMemberByRef = async (db: Db, school: School, ref: string): Promise<LockedMember> => {
  const row = await lockNamedMember(db, school.id, ref)
  if (row === undefined || row.status === 'deleted') throw nobody()
  return row
}

/**
 * Refuses admins who change the address of another admin: whoever has the address of an invited one gets the role. Only an
 * owner may.
 */
export const checkMayReaddress = (caller: CallingMember, { id, role }: Pick<MemberRow, 'id' | 'role'>): void => {
  if (role !== 'admin' || caller.role === 'owner' || caller.id === id) return
  throw new Refusal(roleRequired, 'Only an owner can change the address of another admin.')
}

/** Refuses admins who change an owner; only an owner may. */
export const checkMayTouch = (caller: CallingMember, { role }: Pick<MemberRow, 'role'>): void => {
  if (role !== 'owner' || caller.role === 'owner') return
  throw new Refusal(roleRequired, 'Only an owner can change an owner.')
}
