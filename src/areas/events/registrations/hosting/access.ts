import type { Static } from 'typebox'
import { checkManagesEvent, type EventRow, getOccurrence } from '#src/areas/events/events/index.ts'
import type { Caller, SignedIn } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import type { AsCaller, WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { lockSeat } from '../cancellation/writes.ts'
import { noRegistration } from '../registration/access.ts'
import type { RegistrationRow } from '../registration/conditions.ts'
import { findRegistration } from '../registration/queries.ts'
import type { Registration } from '../registration/schema.ts'
import { buildReader, registrationView } from '../registration/views.ts'

/** A registration of that event with a status, for the examples. */
export const exampleWith = (status: string) => ({
  registration_id: exampleFrom('reg', 'listEventRegistrations', { having: { status } }),
})

/** A date of that event, for the examples. */
export const exampleDate = exampleFrom('occ', 'listOccurrences')

/** The write of somebody who manages an event. */
export type Context = WriteContext<SignedIn>

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

/** The view of a registration for whoever manages its event. */
export const renderView = async (context: Context, id: string): Promise<Static<typeof Registration>> => {
  const { row, event } = await getManagedRegistration(context, id)
  return registrationView(row, buildReader(context.caller, event))
}

/** The same after its status was changed, with the audit entry. */
export const changedView = async (context: Context, id: string): Promise<Static<typeof Registration>> => {
  const view = await renderView(context, id)
  context.changed({
    ids: [toId('reg', id)],
    fields: ['status'],
    revision: view.revision,
    ...(view.member_id === null ? {} : { memberId: view.member_id }),
  })
  return view
}

/** The registration in a path for those who manage its event, locked with its order and occurrence. */
export const lockManaged = async (context: Context, id: string) => {
  await getManagedRegistration(context, id)
  const seat = await lockSeat(context, id)
  if (seat === undefined) throw noRegistration()
  return seat
}
