import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { buildViewer, checkManagesEvent } from '../event/access.ts'
import { type EventRow, findEventRow, lockEventRow } from '../event/queries.ts'
import { findOccurrenceRow, lockOccurrenceRows, type OccurrenceRow } from './queries.ts'

/** An occurrence with its event as the caller sees it. */
export type Dated = { readonly occurrence: OccurrenceRow; readonly event: EventRow }

/** The occurrence in a path with its event; refuses with 404 when the caller may not find the event. */
export const getOccurrence = async ({ db, school, caller }: AsCaller<Caller>, id: string): Promise<Dated> => {
  const occurrence = await findOccurrenceRow(db, school.id, id)
  const event = occurrence && (await findEventRow(db, school.id, buildViewer(caller), occurrence.event_id))
  if (occurrence === undefined || event === undefined) throw new Refusal(notFound, 'There is no such occurrence.')
  return { occurrence, event }
}

/** The same, locked until the transaction ends; its event is not. */
const lockOccurrence = async (context: AsCaller<Caller>, id: string): Promise<Dated> => {
  await lockOccurrenceRows(context.db, context.school.id, [id])
  return getOccurrence(context, id)
}

/** The occurrence in a path, for staff and the hosts of its event only. */
export const getOwnOccurrence = async (context: AsCaller<Caller>, id: string): Promise<Dated> => {
  const dated = await getOccurrence(context, id)
  checkManagesEvent(context, dated.event)
  return dated
}

/** The same, locked after its event. */
export const lockOwnOccurrence = async (context: AsCaller<Caller>, id: string): Promise<Dated> => {
  const { event } = await getOccurrence(context, id)
  await lockEventRow(context.db, context.school.id, event.id)
  const dated = await lockOccurrence(context, id)
  checkManagesEvent(context, dated.event)
  return dated
}
