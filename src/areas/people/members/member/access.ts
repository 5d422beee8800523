import type { CallingMember } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { isErased } from '../erasure/queries.ts'
import { findMember, type LockedMember, lockNamedMember, type MemberRow } from './queries.ts'

const nobody = (): Refusal => new Refusal(notFound, 'There is no such member.')

/** The member in a path; refuses when there is none. */
export const getNamedMember = async (db: Db, school: School, ref: string): Promise<MemberRow> => {
  const row = await findMember(db, school.id, ref)
  if (row === undefined) throw nobody()
  return row
}

/** The address that a member has proven, as addresses are compared: what names it and nobody else belongs to them. */
export const provenAddress = async (db: Db, schoolId: string, id: string): Promise<string | undefined> => {
  const row = await findMember(db, schoolId, id)
  return row?.email_verified === true ? row.email_folded : undefined
}

/** The member in a path, locked until the transaction ends; refuses deleted members, who cannot be changed. */
export const lockMemberByRef = async (db: Db, school: School, ref: string): Promise<LockedMember> => {
  const row = await lockNamedMember(db, school.id, ref)
  if (row === undefined || row.status === 'deleted') throw nobody()
  return row
}

/** The same with deleted members, who come back or are erased; refuses who was erased, since nobody is left. */
export const lockUnerasedMember = async (db: Db, school: School, ref: string): Promise<LockedMember> => {
  const row = await lockNamedMember(db, school.id, ref)
  if (row === undefined || (row.status === 'deleted' && (await isErased(db, school.id, row.id)))) throw nobody()
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

/** Whether a caller may change a member: an owner is changed by owners only. Who was deleted has no role any more. */
export const mayTouch = (caller: CallingMember, { role, status }: Pick<MemberRow, 'role' | 'status'>): boolean =>
  role !== 'owner' || status === 'deleted' || caller.role === 'owner'

/** Refuses admins who change an owner; only an owner may. */
export const checkMayTouch = (caller: CallingMember, row: Pick<MemberRow, 'role' | 'status'>): void => {
  if (mayTouch(caller, row)) return
  throw new Refusal(roleRequired, 'Only an owner can change an owner.')
}
