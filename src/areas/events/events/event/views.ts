import type { Static } from 'typebox'
import { fileViews } from '#src/areas/files/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { AsCaller, ReadContext } from '#src/contract/operation.ts'
import { commentCounts } from '#src/contract/subject.ts'
import { toInstant } from '#src/kit/local-time.ts'
import { listOccurrencesById } from '../occurrences/queries.ts'
import { occurrenceLines } from '../occurrences/views.ts'
import { canManageEvent } from './access.ts'
import type { EventRow } from './queries.ts'
import type { Event } from './schema.ts'

/** The context for the views of events with their files. */
type Showing = AsCaller<Caller> & Pick<ReadContext, 'keyFor'>

type EventView = Static<typeof Event>

const settingsView = (row: EventRow) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  kind: row.kind,
  location: row.location && { ...row.location },
  capacity: row.capacity,
  waitlist: row.waitlist,
  approval_holds_seat: row.approval_holds_seat,
  visibility: row.visibility,
  questions: row.questions.map(question => ({ ...question })),
  lecturer_ids: [...row.lecturer_ids],
  course_id: row.course_id,
  image_file_id: row.image_file_id,
  seo: { title: row.seo_title, description: row.seo_description },
  comments: row.comments,
  cancellation_until: row.cancellation_until,
  refund_rule: row.refund_rule,
})

const stateView = (row: EventRow) => ({
  starts_at: {
    local: row.starts_local,
    time_zone: row.time_zone,
    utc: toInstant({ local: row.starts_local, time_zone: row.time_zone }),
  },
  duration_minutes: row.duration_minutes,
  recurrence: row.recurrence && { ...row.recurrence, except: [...row.recurrence.except] },
  status: row.status,
  ended: row.next_id === null,
  live: row.is_live,
  occurrence_count: row.occurrence_count,
  published_at: row.published_at,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

// Whom a private event is for, and the external id, are for those who manage it.
const managedView = (row: EventRow) => ({
  group_ids: [...row.group_ids],
  plan_ids: [...row.plan_ids],
  external_id: row.external_id,
})

const readCounts = async ({ db, school }: Showing, ids: readonly string[]) => {
  const counts = await commentCounts.call({ type: 'event', ids }, { school, db })
  return (id: string): number => counts.reduce((sum, one) => sum + (one.get(id) ?? 0), 0)
}

const readNext = async (context: Showing, rows: readonly EventRow[]) => {
  const ids = rows.flatMap(row => (row.next_id === null ? [] : [row.next_id]))
  if (ids.length === 0) return []
  return occurrenceLines(context, await listOccurrencesById(context.db, context.school.id, ids))
}

/** Events of a list for a caller, without the addresses at which people meet. */
export const eventLines = async (context: Showing, rows: readonly EventRow[]): Promise<EventView[]> => {
  const images = rows.flatMap(row => (row.image_file_id === null ? [] : [row.image_file_id]))
  const [counts, files, next] = await Promise.all([
    readCounts(
      context,
      rows.map(({ id }) => id),
    ),
    fileViews(context, images),
    readNext(context, rows),
  ])
  return rows.map(row => ({
    ...settingsView(row),
    ...stateView(row),
    image: (row.image_file_id === null ? undefined : files.get(row.image_file_id)) ?? null,
    url: `${context.school.siteOrigin}/events/${row.slug}`,
    next_occurrence: next.find(({ id }) => id === row.next_id) ?? null,
    comment_count: row.comments === 'off' ? 0 : counts(row.id),
    ...(canManageEvent(context.caller, row) ? managedView(row) : {}),
  }))
}

/** One event for a caller; those who manage it also get the address at which people meet. */
export const eventView = async (context: Showing, row: EventRow): Promise<EventView> => {
  const [line] = await eventLines(context, [row])
  if (line === undefined) throw new Error('a row has a view')
  return canManageEvent(context.caller, row) ? { ...line, meeting_url: row.meeting_url } : line
}
