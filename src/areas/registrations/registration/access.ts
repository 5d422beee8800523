import { checkManagesEvent, type EventRow, getOccurrence } from '#src/areas/events/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { findRegistration, type RegistrationRow } from './queries.ts'

/** The refusal of a registration that does not exist or that the caller may not see. */
export const noRegistration = (): Refusal => new Refusal(notFound, 'There is no such registration.')

/** The caller's own registration; refuses with 404 when there is none. */
export const getOwnRegistration = async ({ db, school, caller }: AsCaller, id: string): Promise<RegistrationRow> => {
  const row = await findRegistration(db, school.id, id)
  if (row === undefined || row.member_id !== caller.member.id) throw noRegistration()
  return row
}

/**
 * A registration with its event, for those who manage the event; others do not learn that it exists, whether or not they see
 * the event.
 */
export const getManagedRegistration = async (
  context: AsCaller<Caller>,
  id: string,
): Promise<{ readonly row: RegistrationRow; readonly event: EventRow }> => {
  const { db, school } = context
  const row = await findRegistration(db, school.id, id)
  if (row === undefined) throw noRegistration()
  const { event } = await getOccurrence(context, row.occurrence_id).catch((error: unknown) => {
    throw error instanceof Refusal && error.problem === notFound ? noRegistration() : error
  })
  try {
    checkManagesEvent(context, event)
  } catch (error) {
    throw error instanceof Refusal ? noRegistration() : error
  }
  return { row, event }
}
