import type { Static } from 'typebox'
import { Event, type Occurrence } from '#src/areas/events/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'
import { formatWeekdayTime } from '#src/kit/format.ts'
import type { Html } from '#src/kit/html.ts'
import { toInstant } from '#src/kit/local-time.ts'
import { texts } from '#src/texts/index.ts'
import { type Again, buildDoneTexts, doneIn, type FieldSet, noticeFor, readDone } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { type ConsoleView, statusPill } from '../../console/frame.ts'
import { fileRefusals } from '../../files/uploads/index.ts'
import { frameWithImages } from '../../pages/image-page.ts'
import { staffText } from '../../pages/text.ts'

const { acts, common: text, dateActs, eventRefusals, list } = texts.staff.events

/** An event as pages get it. */
export type EventShown = Encoded<Static<typeof Event>>

/** A date of an event as pages get it. */
export type DateShown = Encoded<Static<typeof Occurrence>>

/** Where the list of events is. */
export const PATH = '/staff/events'

/** The address of an event on these pages. */
export const buildPath = ({ id }: { readonly id: string }): string => `${PATH}/${id}`

/** The event of a page, for those who manage it; others find it on the site. */
export const readManaged = async ({ call, params }: StaffContext): Promise<EventShown> => {
  const event = await call({ operation: 'getEvent', params: { event_id: params.event ?? '' }, returns: Event })
  if (event.group_ids === undefined)
    throw new Refusal(roleRequired, 'Only staff and the hosts of the event have this page.')
  return event
}

const statuses = { ...list.statuses, scheduled: text.scheduled }

/** A status as a small label. */
export const statusBadge = (
  { status, ended }: { readonly status: keyof typeof statuses; readonly ended: boolean },
  { t }: StaffContext,
): Html =>
  ended && status !== 'cancelled' && status !== 'draft'
    ? statusPill(t(text.ended), 'ended')
    : statusPill(t(statuses[status]), status)

/** A local time of an event with its zone. */
export const localText = (time: { readonly local: string; readonly time_zone: string }, language: Language): string =>
  formatWeekdayTime(toInstant(time), time.time_zone, language)

const done = { created: text.created, ...buildDoneTexts(acts), ...buildDoneTexts(dateActs) }

type EventsPage = Omit<ConsoleView, 'notice'> & {
  readonly again?: Pick<Again, 'refusal'> | undefined
  /** The fields that a refusal may be about. */
  readonly fields?: FieldSet<Record<string, unknown>> | undefined
}

/** A page of the section of events, with what was done or refused. */
export const eventsPage = (context: StaffContext, page: EventsPage): Promise<Reply> => {
  const { language, request } = context
  const { again, fields, ...view } = page
  const said = { ...staffText.refusals, ...fileRefusals, ...eventRefusals }
  const notice =
    again?.refusal === undefined
      ? { notice: doneIn(done, readDone(request), language) }
      : noticeFor(again.refusal, language, { sets: fields === undefined ? [] : [fields], said })
  return frameWithImages(context, {
    ...view,
    ...notice,
  })
}
