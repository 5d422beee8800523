import { findLecturerByMember, profileRequired } from '#src/areas/courses/index.ts'
import { type Caller, isAtLeast, isStaff } from '#src/contract/caller.ts'
import { guardPassed } from '#src/contract/guard.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, roleRequired } from '#src/contract/problems.ts'
import { type EventRow, type EventViewer, findEventRow, lockEventRow } from './queries.ts'

/** The caller as the viewer of events. */
export const buildViewer = (caller: Caller): EventViewer => ({ memberId: caller.member?.id, isStaff: isStaff(caller) })

/** Whether a caller manages an event: staff and its hosts do. */
export const canManageEvent = (caller: Caller, row: Pick<EventRow, 'is_host'>): boolean =>
  isStaff(caller) || row.is_host

/** Whether a caller may change the settings of an event: staff always, its hosts while it is a draft. */
export const canChangeEvent = (caller: Caller, row: Pick<EventRow, 'is_host' | 'status'>): boolean =>
  isStaff(caller) || (row.is_host && row.status === 'draft')

const noEvent = (): Refusal => new Refusal(notFound, 'There is no such event.')

/** The event in a path as the caller sees it; refuses with 404 when the caller may not find it. */
export const getEvent = async ({ db, school, caller }: AsCaller<Caller>, ref: string): Promise<EventRow> => {
  const row = await findEventRow(db, school.id, buildViewer(caller), ref)
  if (row === undefined) throw noEvent()
  return row
}

/** The same, locked until the transaction ends. */
export const lockEvent = async (context: AsCaller<Caller>, ref: string): Promise<EventRow> => {
  const id = await lockEventRow(context.db, context.school.id, ref)
  if (id === undefined) throw noEvent()
  return getEvent(context, id)
}

/** Refuses with 403 a caller who neither hosts the event nor belongs to the staff. */
export const checkManagesEvent = ({ db, caller }: AsCaller<Caller>, row: Pick<EventRow, 'is_host'>): void => {
  if (!canManageEvent(caller, row))
    throw new Refusal(roleRequired, 'Only staff and the hosts of the event may do this.')
  guardPassed(db)
}

/** The event in a path, for staff and its hosts only. */
export const getOwnEvent = async (context: AsCaller<Caller>, ref: string): Promise<EventRow> => {
  const row = await getEvent(context, ref)
  checkManagesEvent(context, row)
  return row
}

/** The same, locked. */
export const lockOwnEvent = async (context: AsCaller<Caller>, ref: string): Promise<EventRow> => {
  const row = await lockEvent(context, ref)
  checkManagesEvent(context, row)
  return row
}

/** The event in a path, locked, for those who may change its settings. */
export const lockChangeableEvent = async (context: AsCaller<Caller>, ref: string): Promise<EventRow> => {
  const row = await lockOwnEvent(context, ref)
  if (!canChangeEvent(context.caller, row))
    throw new Refusal(roleRequired, 'Only staff may change an event that is not a draft.')
  return row
}

/** Refuses a caller who may not create events; returns the profile with which a lecturer hosts the new event. */
export const checkMayCreateEvent = async ({ db, school, caller }: AsCaller): Promise<string | undefined> => {
  if (!isAtLeast(caller.member.role, 'lecturer'))
    throw new Refusal(roleRequired, 'Only staff and lecturers can create events.')
  guardPassed(db)
  if (isStaff(caller)) return undefined
  const profile = await findLecturerByMember(db, school.id, caller.member.id)
  if (profile === undefined) throw new Refusal(profileRequired, 'You have no lecturer profile.')
  return profile.id
}
