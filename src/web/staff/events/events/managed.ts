import { Event } from '#src/areas/events/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'
import type { StaffContext } from '../../audience.ts'
import type { EventShown } from './frame.ts'

/** The event of a page, for those who manage it; others find it on the site. */
export const getManaged = async (context: StaffContext): Promise<EventShown> => {
  const params = { event_id: context.request.params.event ?? '' }
  const event = await context.call({ operation: 'getEvent', params, returns: Event })
  if (event.group_ids === undefined)
    throw new Refusal(roleRequired, 'Only staff and the hosts of the event have this page.')
  return event
}
