import { completedField, errorsOfFields } from '#src/areas/publishing/index.ts'
import { type FieldError, problem } from '#src/contract/problem.ts'
import { absoluteAddress } from '#src/kit/body/addresses.ts'
import { bodyWords } from '#src/kit/search-words.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { EventRow, EventValues } from './queries.ts'
import type { EventInput, EventLocation } from './schema.ts'

/** Another event has the external id. */
export const eventExternalIdTaken = problem(
  409,
  'event_external_id_taken',
  'Another event has this external_id',
  'An external_id names one event of the school. Find which at /events/external:{value}.',
)

/** People are registered for the event. */
export const eventInUse = problem(
  409,
  'event_in_use',
  'People are or were registered for the event',
  'An event for which somebody ever registered, or which a group or plan opens, is not deleted; while people are registered it is not unpublished either. Cancel it instead: those who are registered are told.',
)

/** The values of a new event: public, in person, without a limit, and open for comments. */
export const BLANK: EventValues = {
  name: '',
  slug: '',
  description: '',
  kind: 'in_person',
  location: null,
  meeting_url: null,
  capacity: null,
  waitlist: false,
  approval_holds_seat: false,
  visibility: 'public',
  group_ids: [],
  plan_ids: [],
  questions: [],
  lecturer_ids: [],
  course_id: null,
  image_file_id: null,
  seo_title: null,
  seo_description: null,
  comments: 'open',
  cancellation_until: 24,
  refund_rule: 'until',
  external_id: null,
}

const line = (text: string | null, length: number): string | null => text && cleanLine(text, length)

/** An https address without user name and password as it is stored; empty: it is none. */
export const cleanAddress = (text: string | null): string | null => text && (absoluteAddress(text, ['https:']) ?? '')

const cleanLocation = (input: Exclude<EventInput['location'], undefined>): EventLocation | null =>
  input && {
    name: cleanLine(input.name, 200),
    address: cleanLine(input.address ?? '', 500),
    latitude: input.latitude ?? null,
    longitude: input.longitude ?? null,
    note: cleanLine(input.note ?? '', 500),
  }

const kept = <Value>(before: Value, input: Value | undefined): Value => (input === undefined ? before : input)

const audienceAfter = (before: EventValues, input: EventInput) => {
  const visibility = input.visibility ?? before.visibility
  const isPrivate = visibility === 'private'
  return {
    visibility,
    group_ids: input.group_ids?.toSorted() ?? (isPrivate ? before.group_ids : []),
    plan_ids: input.plan_ids?.toSorted() ?? (isPrivate ? before.plan_ids : []),
  }
}

/** The values after a change; whom it is for is forgotten of an event that is no longer private. */
export const mergedEvent = (before: EventValues, input: EventInput): EventValues => {
  const { seo } = input
  return {
    ...audienceAfter(before, input),
    name: input.name === undefined ? before.name : cleanLine(input.name, 200),
    slug: input.slug ?? before.slug,
    description: input.description ?? before.description,
    kind: input.kind ?? before.kind,
    location: input.location === undefined ? before.location : cleanLocation(input.location),
    meeting_url: input.meeting_url === undefined ? before.meeting_url : cleanAddress(input.meeting_url),
    capacity: kept(before.capacity, input.capacity),
    waitlist: input.waitlist ?? before.waitlist,
    approval_holds_seat: input.approval_holds_seat ?? before.approval_holds_seat,
    questions: input.questions?.map(completedField) ?? before.questions,
    lecturer_ids: input.lecturer_ids?.toSorted() ?? before.lecturer_ids,
    course_id: kept(before.course_id, input.course_id),
    image_file_id: kept(before.image_file_id, input.image_file_id),
    seo_title: seo === undefined ? before.seo_title : line(seo.title, 120),
    seo_description: seo === undefined ? before.seo_description : line(seo.description, 320),
    comments: input.comments ?? before.comments,
    cancellation_until: input.cancellation_until ?? before.cancellation_until,
    refund_rule: input.refund_rule ?? before.refund_rule,
    external_id: kept(before.external_id, input.external_id),
  }
}

/** The values of a stored event. */
export const buildValues = (row: EventRow): EventValues => mergedEvent(row, {})

/** Every word by which an event is found, those of its name included. */
export const joinWords = ({ name, location, description }: EventValues): string =>
  bodyWords([name, location?.name ?? '', location?.address ?? '', description].join(' '))

const canBeQuestion = ({ type }: EventValues['questions'][number]): boolean => type !== 'file' && type !== 'hidden'

const errorsOfQuestions = (questions: EventValues['questions']): FieldError[] => [
  ...errorsOfFields(questions).map(({ pointer, ...error }) => ({
    ...error,
    pointer: pointer.replace(/^\/fields/, '/questions'),
  })),
  ...questions.flatMap((question, index) =>
    canBeQuestion(question)
      ? []
      : [{ pointer: `/questions/${index}/type`, code: 'type', message: 'is not a file and not hidden' }],
  ),
]

const errorsOfPlace = ({ location }: EventValues): FieldError[] =>
  location === null || (location.latitude === null) === (location.longitude === null)
    ? []
    : [{ pointer: '/location', code: 'bounds', message: 'has both latitude and longitude, or neither' }]

/** The errors of values that can be found without reading anything. */
export const errorsOfEvent = (values: EventValues): FieldError[] => {
  const audience = values.visibility === 'private' ? [] : [...values.group_ids, ...values.plan_ids]
  return [
    ...(values.name === '' ? [{ pointer: '/name', code: 'empty', message: 'must contain a visible character' }] : []),
    ...(values.location?.name === ''
      ? [{ pointer: '/location/name', code: 'empty', message: 'must contain a visible character' }]
      : []),
    ...(values.meeting_url === ''
      ? [{ pointer: '/meeting_url', code: 'url', message: 'is not an https address without user name and password' }]
      : []),
    ...(audience.length > 0
      ? [{ pointer: '/visibility', code: 'access', message: 'is private where groups or plans are named' }]
      : []),
    ...errorsOfPlace(values),
    ...errorsOfQuestions(values.questions),
  ]
}
