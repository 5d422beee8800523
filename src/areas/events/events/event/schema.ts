import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { FormFields } from '#src/areas/publishing/index.ts'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { ZonedTimeInput, ZonedTimeView } from '#src/kit/local-time.ts'
import { MergePatch } from '#src/kit/patch.ts'
import {
  Closed,
  CommentMode,
  ExternalId,
  Id,
  Instant,
  Line,
  Markdown,
  Nullable,
  OneOf,
  OptionalLine,
  Recorded,
  Ref,
  Seo,
  Slug,
} from '#src/kit/shapes.ts'
import { Occurrence } from '../occurrences/schema.ts'

const statuses = ['draft', 'published', 'cancelled'] as const

const kinds = ['online', 'in_person', 'hybrid'] as const

const visibilities = ['public', 'members', 'private'] as const

/** The most minutes that an occurrence can take: 31 days. */
const MAX_MINUTES = 44_640

/** The most seats of an occurrence or of a ticket type. */
const MAX_CAPACITY = 100_000

const Location = Closed('EventLocation', {
  name: Line(200, 'What the place is called'),
  address: OptionalLine(500, 'Street, number, postal code and town'),
  latitude: Nullable(Type.Number({ minimum: -90, maximum: 90 })),
  longitude: Nullable(Type.Number({ minimum: -180, maximum: 180 })),
  note: OptionalLine(500, 'How to get in, where to park'),
})

const NewLocation = Closed('NewEventLocation', { ...Type.Partial(Location).properties, name: Location.properties.name })

/** How long an occurrence takes. */
export const Duration = Type.Integer({ minimum: 1, maximum: MAX_MINUTES, description: 'How many minutes it takes' })

/** The writable fields of an event beside its dates. */
const EventSettings = Type.Object({
  name: Line(200, 'What the event is called'),
  slug: Slug,
  description: Markdown(10_000, 'The description of the event'),
  kind: OneOf(kinds, 'Where people take part'),
  location: Nullable(NewLocation),
  meeting_url: Nullable(
    Line(500, 'The https address at which people meet online; only for those who are registered, hosts and staff'),
  ),
  capacity: Nullable(
    Type.Integer({ minimum: 1, maximum: MAX_CAPACITY, description: 'The seats of each occurrence; null: unlimited' }),
  ),
  waitlist: Type.Boolean({ description: 'Whether people can wait for a seat once all are taken' }),
  approval_holds_seat: Type.Boolean({
    description:
      'Whether a request that waits for an approval takes a seat; otherwise it takes one once it is approved',
  }),
  visibility: OneOf(
    visibilities,
    'Who finds it once it is published: everybody, members, or those in `group_ids` and `plan_ids`',
  ),
  group_ids: Type.Array(Id('grp'), {
    maxItems: 20,
    uniqueItems: true,
    description: 'The groups that a private event is for',
  }),
  plan_ids: Type.Array(Id('mpl'), {
    maxItems: 20,
    uniqueItems: true,
    description: 'The plans that a private event is for',
  }),
  questions: { ...FormFields, maxItems: 20, description: 'What people are asked who register, in this order' },
  lecturer_ids: Type.Array(Id('lec'), { maxItems: 20, uniqueItems: true, description: 'The hosts' }),
  course_id: Nullable(Id('crs')),
  image_file_id: Nullable(Id('fil')),
  seo: Seo,
  comments: CommentMode,
  cancellation_until: Type.Integer({
    minimum: 0,
    maximum: 8760,
    description: 'How many hours before the start people can still cancel',
  }),
  refund_rule: OneOf(
    ['full', 'none', 'until'],
    'What people are paid back who cancel: all, nothing, or all until `cancellation_until`',
  ),
  external_id: Nullable(ExternalId),
})

/** The dates of an event that repeats. */
export const Recurrence = Closed('Recurrence', {
  rule: Type.String({ description: 'A rule of RFC 5545 without UNTIL and COUNT' }),
  until: Nullable(Type.String({ description: 'The last day, in the time zone of the event' })),
  count: Nullable(Type.Integer({ minimum: 1 })),
  except: Type.Array(Type.String({ description: 'A day that is left out' })),
})

const { group_ids, plan_ids, meeting_url, external_id, location: _location, ...open } = EventSettings.properties

/** An event of a school. */
export const Event = Closed('Event', {
  id: Id('evt'),
  ...open,
  location: Nullable(Location),
  starts_at: ZonedTimeView,
  duration_minutes: Duration,
  recurrence: Nullable(Recurrence),
  url: Type.String({ description: 'The address of the event on the site' }),
  image: Nullable(FileView),
  status: OneOf(statuses, 'Only a published or cancelled event is public'),
  ended: Type.Boolean({ description: 'Whether all of its dates are over' }),
  live: Type.Boolean({ description: 'Whether one of its dates is now' }),
  occurrence_count: Type.Integer({ minimum: 0, description: 'How many dates it has that were not cancelled' }),
  next_occurrence: Nullable(Occurrence),
  comment_count: Type.Integer({ minimum: 0, description: 'How many published comments it has' }),
  published_at: Nullable(Instant),
  group_ids: Type.Optional(group_ids),
  plan_ids: Type.Optional(plan_ids),
  meeting_url: Type.Optional(meeting_url),
  external_id: Type.Optional(external_id),
  ...Recorded,
})

/** A new event: its name, when it begins and how long it takes are required. */
export const NewEvent = Closed('NewEvent', {
  ...Type.Partial(EventSettings).properties,
  name: open.name,
  starts_at: ZonedTimeInput,
  duration_minutes: Duration,
})

/** A change of an event. */
export const EventChanges = MergePatch(EventSettings, 'EventChanges')

/** A copy of an event at another time. */
export const EventCopy = Closed('EventCopy', {
  name: Type.Optional(open.name),
  slug: Type.Optional(Slug),
  starts_at: ZonedTimeInput,
})

/** The event in a path. */
export const EventRef = Type.Object({ event_id: Ref('evt', ['external', 'slug']) })

/** The query parameters of the list of events. */
export const EventsQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  ...SortQuery(['starts_at', 'name', 'created_at']),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Beginnings of words of the name' })),
  kind: Type.Optional(OneOf(kinds, 'Only this kind')),
  course_id: Type.Optional(Id('crs')),
  lecturer_id: Type.Optional(Id('lec')),
  status: Type.Optional(OneOf(statuses, 'Only this status')),
  visibility: Type.Optional(OneOf(visibilities, 'Only this visibility')),
  managed: Type.Optional(
    Type.Boolean({ description: 'true: only events that the caller manages: staff all, hosts their own' }),
  ),
  ended: Type.Optional(Type.Boolean({ description: 'Only events whose dates are all over, or that have one to come' })),
  'id[in]': Type.Optional(
    Type.Array(Id('evt'), { minItems: 1, maxItems: 100, description: 'Only these, joined by commas' }),
  ),
  'starts_at[gte]': Type.Optional(Instant),
  'starts_at[lt]': Type.Optional(Instant),
})

/** One page of the events. */
export const EventPage = PageOf(Event, 'EventPage')

/** The query parameters of the list of events, as values. */
export type ListEventsParams = Static<typeof EventsQuery>

/** The input of an event, as values. */
export type EventInput = Partial<Static<typeof EventSettings>>

/** Where an event is. */
export type EventLocation = Static<typeof Location>
