import type { Static } from 'typebox'
import { Event, OccurrencePage, type Registration, RegistrationPage } from '#src/areas/events/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { formatPeriod } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { idPattern } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, hidden, noticeFor, readDone } from '#src/web/page/index.ts'
import type { TeacherContext } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'
import { teachingText } from '../../teaching/text.ts'

const { common: text, registrationRefusals } = texts.staff.registrations

/** A registration on a page. */
export type ListedRegistration = Encoded<Static<typeof Registration>>

const OCCURRENCE = new RegExp(idPattern('occ'))

/** The event in the address of a page, with its dates; the first 100. */
export const readEvent = async ({ call, params }: TeacherContext) => {
  const about = { event_id: params.event_id ?? '' }
  const [event, dates] = await Promise.all([
    call({ operation: 'getEvent', params: about, returns: Event }),
    call({ operation: 'listOccurrences', params: about, query: [['limit', '100']], returns: OccurrencePage }),
  ])
  return { event, dates: dates.data }
}

/** The date that an address names; empty where it names none. */
export const dateIn = ({ query }: Pick<TeacherContext, 'query'>): string => {
  const id = query.get('occurrence') ?? ''
  return OCCURRENCE.test(id) ? id : ''
}

/** Some registrations of an event, the oldest first. */
export const readRegistrations = ({ call }: TeacherContext, eventId: string, query: Pairs) =>
  call({ operation: 'listEventRegistrations', params: { event_id: eventId }, query, returns: RegistrationPage })

type Times = Pick<ListedRegistration, 'starts_at' | 'ends_at'>

/** When a date is, in the time zone of the event. */
export const dateText = ({ starts_at: starts, ends_at: ends }: Times, language: Language): string =>
  formatPeriod(starts.utc, ends.utc, starts.time_zone, language)

/** Dates as the choices of a form. */
export const dateChoices = (dates: readonly (Times & { readonly id: string })[], language: Language) =>
  dates.map(one => ({ value: one.id, label: dateText(one, language) }))

/** A form with a button that does something about one registration; it goes to an address of the page. */
export const actButton = (
  { t, form }: TeacherContext,
  { act, one, action }: { act: 'approve' | 'decline' | 'enter' | 'undo'; one: ListedRegistration; action: string },
): Html => {
  const label = t(text[act])
  return form(
    html`${hidden({ act, registration: one.id })}<button class="small" type="submit" aria-label="${label}: ${one.attendee.name}">${label}</button>`,
    action,
  )
}

/** What was done or refused. */
export const buildNotice = ({ language, request }: TeacherContext, refusal: Refusal | undefined) =>
  refusal === undefined
    ? { notice: doneIn(text.done, readDone(request), language) }
    : noticeFor(refusal, language, {
        said: { ...staffText.refusals, ...teachingText.refusals, ...registrationRefusals },
      })
