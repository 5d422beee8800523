import type { Static } from 'typebox'
import { Event, type Occurrence, OccurrencePage, type Registration, RegistrationPage } from '#src/areas/events/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { formatPeriod, formatWeekdayTime } from '#src/kit/format.ts'
import { idPattern } from '#src/kit/ids.ts'
import type { TeacherContext } from '../../audience.ts'

/** A registration on a page. */
export type ListedRegistration = Encoded<Static<typeof Registration>>

/** A date of an event on a page. */
export type ListedDate = Encoded<Static<typeof Occurrence>>

/** The event of a page with its dates, and what was done or refused. */
export type EventVisit = {
  readonly context: TeacherContext
  readonly event: Encoded<Static<typeof Event>>
  readonly dates: readonly ListedDate[]
  readonly done: string
  readonly refusal: Refusal | undefined
}

const OCCURRENCE = new RegExp(idPattern('occ'))

/** The event in the address of a page, with its dates; the first 100. */
export const eventOf = async (context: TeacherContext): Promise<Pick<EventVisit, 'event' | 'dates'>> => {
  const params = { event_id: context.request.params.event_id ?? '' }
  const [event, dates] = await Promise.all([
    context.call({ operation: 'getEvent', params, returns: Event }),
    context.call({ operation: 'listOccurrences', params, query: [['limit', '100']], returns: OccurrencePage }),
  ])
  return { event, dates: dates.data }
}

/** The date that an address names; undefined where it names none. */
export const dateIn = ({ query }: Pick<TeacherContext, 'query'>): string | undefined => {
  const id = query.get('occurrence') ?? ''
  return OCCURRENCE.test(id) ? id : undefined
}

/** Some registrations of an event, the oldest first. */
export const registrationsOf = (context: TeacherContext, eventId: string, query: Pairs) =>
  context.call({
    operation: 'listEventRegistrations',
    params: { event_id: eventId },
    query,
    returns: RegistrationPage,
  })

/** When a date is, in the time zone of the event; to the end where it is known. */
export const dateText = (
  { starts_at: starts, ends_at: ends }: Pick<ListedDate, 'starts_at'> & Partial<Pick<ListedDate, 'ends_at'>>,
  language: Language,
): string =>
  ends === undefined
    ? formatWeekdayTime(starts.utc, starts.time_zone, language)
    : formatPeriod(starts.utc, ends.utc, starts.time_zone, language)
