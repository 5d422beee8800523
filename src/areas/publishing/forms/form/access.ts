import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { type FormRow, findForm, lockFormRow } from './queries.ts'

/** The refusal of a form that does not exist or that the caller may not see. */
export const noForm = (): Refusal => new Refusal(notFound, 'There is no such form.')

/** The form in a path as the caller sees it; refuses with 404 when the caller may not see it. */
export const getForm = async ({ db, school, caller }: AsCaller<Caller>, ref: string): Promise<FormRow> => {
  const row = await findForm(db, school.id, isStaff(caller) ? 'staff' : 'anyone', ref)
  if (row === undefined) throw noForm()
  return row
}

/** The newest version of a form, locked until the transaction ends, for staff; refuses when it is not there. */
export const lockForm = async (
  { db, school }: Pick<AsCaller<Caller>, 'db' | 'school'>,
  ref: string,
): Promise<FormRow> => {
  const id = await lockFormRow(db, school.id, ref)
  const row = id === undefined ? undefined : await findForm(db, school.id, 'staff', id)
  if (row === undefined) throw noForm()
  return row
}
