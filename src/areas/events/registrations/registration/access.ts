import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { RegistrationRow } from './conditions.ts'
import { findRegistration } from './queries.ts'

/** The refusal of a registration that does not exist or that the caller may not see. */
export const noRegistration = (): Refusal => new Refusal(notFound, 'There is no such registration.')

/** The caller's own registration; refuses with 404 when there is none. */
export const getOwnRegistration = async ({ db, school, caller }: AsCaller, id: string): Promise<RegistrationRow> => {
  const row = await findRegistration(db, school.id, id)
  if (row === undefined || row.member_id !== caller.member.id) throw noRegistration()
  return row
}
