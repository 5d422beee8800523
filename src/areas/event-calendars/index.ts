import { memberErasure, memberMerge } from '#src/areas/members/index.ts'
import { area } from '#src/contract/area.ts'
import { implement } from '#src/contract/hook.ts'
import { feedEndpoints } from './feeds.operations.ts'
import { calendarOperations } from './operations.ts'
import { deleteFeed } from './queries.ts'

export { listDatesById } from './queries.ts'
export { calendarEvent } from './rules.ts'
export { AccountCalendar } from './schema.ts'

/** Calendars of events for other programs: that of the school, and one for each member. */
export const eventCalendars = area({
  name: 'event-calendars',
  operations: calendarOperations,
  endpoints: ({ keyFor }) => feedEndpoints(keyFor),
  hooks: [
    implement(memberErasure, async ({ memberId }, { db, school }) => {
      await deleteFeed(db, school.id, memberId)
    }),
    implement(memberMerge, async ({ fromId }, { db, school }) => {
      await deleteFeed(db, school.id, fromId)
    }),
  ],
})
