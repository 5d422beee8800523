import type { Static } from 'typebox'
import type { Event, Occurrence } from '#src/areas/events/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formatWeekdayTime } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { pageHeaders } from '#src/kit/html-page.ts'
import { instantOf } from '#src/kit/local-time.ts'
import { bucketOrigin } from '#src/web/bucket-origin.ts'
import { doneIn, doneOf, type Framed, framed } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { refusedIn } from '../../pages/refused.ts'
import { eventRefusals, eventsText as text } from './text.ts'

/** An event as pages get it. */
export type EventShown = Encoded<Static<typeof Event>>

/** A date of an event as pages get it. */
export type DateShown = Encoded<Static<typeof Occurrence>>

/** Where the list of events is. */
export const PATH = '/staff/events'

/** The address of an event on these pages. */
export const pathOf = ({ id }: { readonly id: string }): string => `${PATH}/${id}`

/** The address of a date of an event on these pages. */
export const datePathOf = ({ id, event_id: event }: Pick<DateShown, 'id' | 'event_id'>): string =>
  `${PATH}/${event}/dates/${id}`

/** A status as a small label. */
export const statusBadge = (
  { status, ended }: { readonly status: keyof typeof text.statuses; readonly ended: boolean },
  { t }: StaffContext,
): Html =>
  html`<span class="badge ${status}">${t(ended && status !== 'cancelled' && status !== 'draft' ? text.ended : text.statuses[status])}</span>`

/** A local time of an event with its zone. */
export const localText = (time: { readonly local: string; readonly time_zone: string }, language: Language): string =>
  formatWeekdayTime(instantOf(time), time.time_zone, language)

type EventsPage = {
  readonly title: string
  /** The pages above it, the list of events first; none for the list. */
  readonly above: readonly { readonly path: string; readonly name: string }[]
  readonly refusal?: Refusal | undefined
  /** The notice and status where the refusal is shown at the fields. */
  readonly notice?: Pick<Framed, 'notice' | 'status'>
  readonly body: Html
}

/** The list of events, as a page above others. */
export const listAbove = (language: Language) => ({ path: PATH, name: fill(text.title, language) })

const crumbs = (
  { t }: StaffContext,
  { above }: EventsPage,
): Html => html`<nav class="crumbs" aria-label="${t(text.path)}"><ol>
${above.map(({ path, name }) => html`<li><a href="${path}"><bdi>${name}</bdi></a></li>\n`)}</ol></nav>
`

/** A wide page of the section of events; images may come from the store of the files. */
export const eventsPage = async (context: StaffContext, page: EventsPage): Promise<Reply> => {
  const { request, language, parts } = context
  const { refusal, title, above, body } = page
  const done = { notice: doneIn(text.done, doneOf(request), language) }
  const refused = page.notice ?? refusedIn(refusal, language, eventRefusals)
  const reply = framed({
    school: request.school,
    language,
    title,
    isWide: true,
    ...(above.length > 0 ? { above: crumbs(context, page) } : {}),
    ...(refusal === undefined ? done : refused),
    body,
  })
  const policy = String(pageHeaders['content-security-policy'])
  const images = `img-src 'self'${await bucketOrigin(parts.files)}`
  return {
    ...reply,
    headers: { ...reply.headers, 'content-security-policy': policy.replace("img-src 'self'", images) },
  }
}
