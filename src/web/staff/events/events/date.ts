import { Occurrence } from '#src/areas/events/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Again, actForms, form, page, submitAct } from '#src/web/page/index.ts'
import { type StaffContext, teachers } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { dateActs } from './acts.ts'
import { timeFields } from './fields.ts'
import {
  buildPath,
  type DateShown,
  type EventShown,
  eventsPage,
  localText,
  PATH,
  readManaged,
  statusBadge,
} from './frame.ts'

const { common: text, dateActs: dateTexts } = texts.staff.events

const ROUTE = `${PATH}/:event/dates/:date` as const

const read = async (context: StaffContext): Promise<{ readonly event: EventShown; readonly date: DateShown }> => {
  const params = { occurrence_id: context.params.date ?? '' }
  const [event, date] = await Promise.all([
    readManaged(context),
    context.call({ operation: 'getOccurrence', params, returns: Occurrence }),
  ])
  if (date.event_id !== event.id) throw new Refusal(notFound, 'There is no such date.')
  return { event, date }
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language } = context
  const { event, date } = await read(context)
  const { mail, ...others } = dateActs
  const query = new URLSearchParams({ occurrence: date.id })
  const stored = {
    move: timeFields.pairs(date, context),
    mail: [['to', 'confirmed']] as const,
    recording: [['url', date.recording_url ?? '']] as const,
    cancel: [['refund', 'yes']] as const,
  }
  return eventsPage(context, {
    title: t(text.dateTitle, { event: event.name, date: localText(date.starts_at, language) }),
    above: [{ path: buildPath(event), name: event.name }],
    again,
    fields: Object.entries(dateActs).find(([name]) => name === again?.act)?.[1].fields,
    body: html`<p class="course-head">${statusBadge(date, context)}</p>
${date.cancellation_reason !== null && html`<p dir="auto">${date.cancellation_reason}</p>`}
${event.status !== 'draft' && html`<p class="buttons row"><a class="button" href="${buildPath(event)}/registrations?${String(query)}">${t(texts.words.registrations)}</a> <a class="button" href="${buildPath(event)}/check-in?${String(query)}">${t(texts.words.checkPeopleIn)}</a></p>`}
${actForms(context, { acts: event.status === 'published' ? dateActs : others, item: date, texts: dateTexts, refused: again, stored })}`,
  })
}

const submit = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const { date } = await read(context)
  return submitAct(
    context,
    { acts: dateActs, typed, params: { occurrence_id: date.id } },
    {
      async perform(act, asked) {
        await context.call(asked)
        return `${context.request.path}?done=${act}`
      },
      show: again => show(context, again),
    },
  )
}

/** GET and POST /staff/events/:event/dates/:date: one date, which is moved, cancelled or gets a recording. */
export const eventDate: StaffSection = {
  // The event leads to each of them.
  pages: [page(`GET ${ROUTE}`, teachers, context => show(context)), form(`POST ${ROUTE}`, teachers, submit)],
}
