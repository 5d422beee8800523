import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, field, form, hidden, mainButton, page, select, submitAct } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { renderPart } from '../../pages/list-page.ts'
import { addressWith } from '../../teaching/lists.ts'
import {
  actButton,
  buildNotice,
  dateChoices,
  dateIn,
  dateText,
  type ListedRegistration,
  readEvent,
  readRegistrations,
} from './view.ts'

const { common: text } = texts.staff.registrations

const ROUTE = '/staff/events/:event_id/check-in'
const MAX_CODE = 60

type Dates = Awaited<ReturnType<typeof readEvent>>['dates']

// The date that is named, or the one that is now or comes next.
const chooseOpenDate = (context: TeacherContext, dates: Dates): Dates[number] | undefined => {
  const wanted = dateIn(context)
  const open = dates.filter(({ status }) => status === 'scheduled')
  return dates.find(({ id }) => id === wanted) ?? open.find(({ ended }) => !ended) ?? open.at(-1)
}

// The people who are expected, or who are here, each with the button that changes it.
const renderPeople = (
  context: TeacherContext,
  act: 'enter' | 'undo',
  rows: readonly ListedRegistration[],
  action: string,
): Html => {
  const { t } = context
  const columns: Column<ListedRegistration>[] = [
    {
      name: texts.words.name,
      kind: 'main',
      cell: ({ attendee, ticket_name: ticket }) =>
        html`<b><bdi>${attendee.name}</bdi></b>${ticket !== null && html`<small class="sub"><bdi>${ticket}</bdi></small>`}`,
    },
    { name: texts.staff.lists.heads.change, kind: 'lead', cell: one => actButton(context, { act, one, action }) },
  ]
  const title = t(act === 'enter' ? text.expected : text.here, { count: rows.length })
  return renderPart(context, { id: act, title, columns, rows, none: t(text.nobody) })
}

const show = async (context: TeacherContext, refusal?: Refusal): Promise<Reply> => {
  const { t, language } = context
  const { event, dates } = await readEvent(context)
  const date = chooseOpenDate(context, dates)
  const path = `/staff/events/${event.id}/check-in`
  const action = addressWith(path, { occurrence: date?.id ?? '' })
  const listed = async (status: string) =>
    date === undefined
      ? { data: [], has_more: false }
      : readRegistrations(context, event.id, [
          ['occurrence_id', date.id],
          ['status', status],
          ['limit', '100'],
        ])
  const [expected, here] = await Promise.all([listed('confirmed'), listed('checked_in')])
  const code = field({
    name: 'code',
    label: t(texts.words.code),
    // From the address that a camera reads on a ticket.
    value: cleanLine(context.query.get('code') ?? '', MAX_CODE),
    hint: t(text.codeAbout),
    attributes: html`type="text" maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus`,
  })
  const chooseDate = html`<form method="get" action="${path}" class="filter">
<div>${select('occurrence', t(texts.words.date), date?.id ?? '', dateChoices(dates, language))}</div>
<button type="submit">${t(texts.words.show)}</button>
</form>`
  return context.frame({
    title: t(text.checkIn, { event: event.name }),
    parents: [{ path: `/staff/events/${event.id}`, name: event.name }],
    actions: html`<a class="button" href="/staff/events/${event.id}/registrations">${t(text.toList)}</a>`,
    ...buildNotice(context, refusal),
    ...(date !== undefined && { lead: dateText(date, language) }),
    isWide: true,
    hasCards: true,
    body: html`<div class="stack">${dates.length > 1 && html`<section class="card" aria-label="${t(texts.words.dates)}">${chooseDate}</section>\n`}${
      date !== undefined &&
      html`<div class="split half"><div class="stack"><section class="card" aria-label="${t(text.enter)}">
${context.form(html`${hidden({ act: 'code' })}${code}\n${mainButton(t(text.enter))}`, action)}
</section>
${renderPeople(context, 'enter', expected.data, action)}</div>
<div class="stack">${renderPeople(context, 'undo', here.data, action)}</div></div>
${(expected.has_more || here.has_more) && html`<p class="quiet">${t(text.more)}</p>`}`
    }</div>`,
  })
}

const one = { params: { registration_id: 'registration' }, offered: () => false }

const acts = {
  code: { operation: 'checkInByCode', params: {}, isOnce: true, offered: () => false },
  enter: { operation: 'checkInRegistration', ...one },
  undo: { operation: 'undoCheckIn', ...one },
}

/** GET and POST /staff/events/:event_id/check-in. */
export const checkInPages = [
  page(`GET ${ROUTE}`, teachers, context => show(context)),
  form(`POST ${ROUTE}`, teachers, (context, typed) =>
    submitAct(
      context,
      { acts, typed, params: {} },
      {
        async perform(act, call) {
          const occurrence = dateIn(context)
          const code = cleanLine(formField(typed, 'code'), MAX_CODE)
          const byCode = { params: { occurrence_id: occurrence }, body: { code } }
          await context.call({ ...call, ...(act === 'code' ? byCode : {}) })
          return addressWith(context.request.path, { occurrence, done: act === 'undo' ? 'undo' : 'enter' })
        },
        show: ({ refusal }) => show(context, refusal),
      },
    ),
  ),
]
