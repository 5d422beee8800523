import { Event } from '#src/areas/events/index.ts'
import { Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'
import { perform, type Visit } from '../../visit.ts'
import type { EventShown } from './frame.ts'

/** The event of a page, for those who manage it; others find it on the site. */
export const getManaged = async (visit: Visit): Promise<EventShown> => {
  const params = { event_id: visit.request.params.event ?? '' }
  const event = await perform(visit, { operation: 'getEvent', params, returns: Event })
  if (event.group_ids === undefined)
    throw new Refusal(roleRequired, 'Only staff and the hosts of the event have this page.')
  return event
}
