import { RegistrationPage, registrationStatuses } from '#src/areas/events/index.ts'
import { MemberPage } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine, isEmail } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Choice,
  type Column,
  checkbox,
  createList,
  field,
  folded,
  form,
  hidden,
  page,
  renderName,
  submitAct,
} from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { showList } from '../../pages/list-page.ts'
import { addressWith } from '../../teaching/lists.ts'
import { actButton, buildNotice, dateChoices, dateIn, dateText, type ListedRegistration, readEvent } from './view.ts'

const { common: text } = texts.staff.registrations
const { heads } = texts.staff.lists

const ROUTE = '/staff/events/:event_id/registrations'
// Longer than a name or an address may be, so that a long one is refused and not truncated.
const MAX_NAME = 200
const MAX_EMAIL = 300

const CANCELABLE = ['confirmed', 'offered', 'waitlisted', 'awaiting_approval', 'awaiting_payment']

type Dates = Awaited<ReturnType<typeof readEvent>>['dates']

const buildList = ({ params, language }: TeacherContext, dates: Dates = []) =>
  createList({
    path: `/staff/events/${params.event_id}/registrations`,
    operation: 'listEventRegistrations',
    returns: RegistrationPage,
    params: { event_id: params.event_id ?? '' },
    filters: {
      q: 'search',
      occurrence:
        dates.length > 1 ? Object.fromEntries(dates.map(one => [one.id, { en: dateText(one, language) }])) : undefined,
      status: Object.fromEntries(registrationStatuses.map(one => [one, text.statuses[one]])),
    },
    asQuery: { occurrence: value => [['occurrence_id', value]] },
    texts: {
      filters: { q: text.search, occurrence: texts.words.date, status: texts.words.status },
      all: texts.words.registrations,
      none: text.none,
      empty: text.empty,
    },
  })

// Where its forms lead back to.
const keepFilters = (context: TeacherContext): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(['q', 'status', 'cursor'].map(name => [name, (context.query.get(name) ?? '').trim()])),
  occurrence: dateIn(context),
})

/** The page, whose forms keep its filters; `open` are the dates that people can still come to. */
type Shown = { readonly context: TeacherContext; readonly action: string; readonly open: readonly Choice[] }

const dateSelect = ({ context, open }: Shown, id: string, chosen = ''): Html =>
  html`<label for="${id}">${context.t(texts.words.date)}</label>
<select id="${id}" name="date">
${open.map(({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>\n`)}</select>`

const cancelForm = ({ context, action }: Shown, one: ListedRegistration): Html => {
  const { t, form, isStaff } = context
  const label = t(text.cancel)
  const mayRefund = isStaff && one.order_id !== null && one.status === 'confirmed'
  const inside = html`${hidden({ act: 'cancel', registration: one.id })}<p class="quiet">${t(text.cancelAbout)}</p>
${mayRefund && checkbox('refund', t(text.refund), { isChecked: false, id: `refund-${one.id}` })}
<div class="buttons"><button type="submit" aria-label="${label}: ${one.attendee.name}">${label}</button></div>`
  return form(inside, action)
}

const moveForm = (shown: Shown, one: ListedRegistration): Html => {
  const { t, form } = shown.context
  const label = t(text.move)
  const inside = html`${hidden({ act: 'move', registration: one.id })}<p class="quiet">${t(text.moveAbout)}</p>
${dateSelect(shown, `move-${one.id}`)}
<div class="buttons"><button type="submit" aria-label="${label}: ${one.attendee.name}">${label}</button></div>`
  return form(inside, shown.action)
}

const changing = (shown: Shown, one: ListedRegistration): Html | false => {
  const { t, isStaff } = shown.context
  const others = shown.open.filter(({ value }) => value !== one.occurrence_id)
  const mayMove = one.status === 'confirmed' && others.length > 0
  const mayCancel = CANCELABLE.includes(one.status) && (isStaff || one.order_id === null)
  const label = t(text.change)
  return (
    (mayMove || mayCancel) &&
    html`<details><summary aria-label="${label}: ${one.attendee.name}">${label}</summary>
${mayMove && moveForm({ ...shown, open: others }, one)}${mayCancel && cancelForm(shown, one)}</details>`
  )
}

const buildColumns = (shown: Shown): Column<ListedRegistration>[] => {
  const { context, action } = shown
  const { t, language, isStaff } = context
  const decide = (act: 'approve' | 'decline', one: ListedRegistration) => actButton(context, { act, one, action })
  return [
    {
      name: texts.words.name,
      kind: 'main',
      cell: ({ attendee: { name, email }, member_id: member }) =>
        isStaff && member !== null
          ? renderName(`/staff/people/${member}`, name, email ?? undefined)
          : html`<b><bdi>${name}</bdi></b>${email !== null && html`<small class="sub"><bdi>${email}</bdi></small>`}`,
    },
    {
      name: texts.words.status,
      kind: 'lead',
      cell: ({ status, no_show: isAway }) =>
        isAway ? statusPill(t(text.noShow), 'no_show') : statusPill(t(text.statuses[status]), status),
    },
    {
      name: texts.words.date,
      kind: 'date',
      cell: one =>
        html`${dateText(one, language)}${one.ticket_name !== null && html`<small class="sub"><bdi>${one.ticket_name}</bdi></small>`}`,
    },
    { name: texts.words.code, cell: ({ code }) => code !== null && html`<bdi>${code}</bdi>` },
    {
      name: heads.change,
      cell: one =>
        html`${one.status === 'awaiting_approval' && html`<div class="row">${decide('approve', one)}${decide('decline', one)}</div>`}${changing(shown, one)}`,
    },
  ]
}

const adding = (shown: Shown, occurrence: string): Html => {
  const { context, action, open } = shown
  const { t, form, isStaff } = context
  const chosen = occurrence === '' ? (open[0]?.value ?? '') : occurrence
  const add = html`${hidden({ act: 'add' })}${dateSelect(shown, 'date', chosen)}${field({
    name: 'name',
    label: t(texts.words.name),
    value: '',
    attributes: html`type="text" maxlength="120"`,
  })}${field({
    name: 'email',
    label: t(texts.words.email),
    value: '',
    hint: t(isStaff ? text.memberHint : text.emailHint),
    attributes: html`type="email" maxlength="254" autocomplete="off"`,
  })}<div class="buttons"><button type="submit">${t(text.add)}</button></div>`
  const offer = html`${hidden({ act: 'offer' })}<p class="quiet">${t(text.offerAbout)}</p>${dateSelect(shown, 'offer-date', chosen)}<div class="buttons"><button type="submit">${t(text.offer)}</button></div>`
  return html`${folded(t(text.add), form(add, action))}
${folded(t(text.offer), form(offer, action))}`
}

const show = async (context: TeacherContext, refusal?: Refusal): Promise<Reply> => {
  const { t, language } = context
  const { event, dates } = await readEvent(context)
  const list = buildList(context, dates)
  const listed = await list.read(context)
  const open = dateChoices(
    dates.filter(({ status, ended }) => status === 'scheduled' && !ended),
    language,
  )
  const path = `/staff/events/${event.id}`
  const shown = { context, action: addressWith(`${path}/registrations`, keepFilters(context)), open }
  const view = showList(context, list, listed, {
    columns: buildColumns(shown),
    rows: listed.page.data,
    action: html`<a class="button main" href="${path}/check-in">${t(texts.words.checkPeopleIn)}</a>`,
  })
  return context.frame({
    title: t(text.title, { event: event.name }),
    parents: [{ path, name: event.name }],
    ...buildNotice(context, refusal),
    ...view,
    body: html`${view.body}${open.length > 0 && adding(shown, dateIn(context))}`,
  })
}

// Staff add a member by the address; others do not learn from it who is a member.
const findMemberId = async (context: TeacherContext, email: string): Promise<string | undefined> => {
  if (!context.isStaff || !isEmail(email)) return undefined
  const query: Pairs = [['email', email]]
  return (await context.call({ operation: 'listMembers', query, returns: MemberPage })).data[0]?.id
}

const personIn = async (context: TeacherContext, form: Pairs) => {
  const [name, email] = [cleanLine(formField(form, 'name'), MAX_NAME), cleanLine(formField(form, 'email'), MAX_EMAIL)]
  const attendee = { name, ...(email === '' ? {} : { email }) }
  const member = await findMemberId(context, email)
  if (member === undefined) return { attendee }
  return name === '' ? { member_id: member } : { member_id: member, attendee }
}

const one = { params: { registration_id: 'registration' }, offered: () => false }
const onDate = { params: { occurrence_id: 'date' }, offered: () => false }

const acts = {
  approve: { operation: 'approveRegistration', ...one },
  decline: { operation: 'declineRegistration', ...one },
  cancel: { operation: 'cancelRegistration', ...one },
  move: { operation: 'moveRegistration', ...one },
  add: { operation: 'createRegistration', ...onDate },
  offer: { operation: 'offerSeats', ...onDate },
}

const bodyIn = async (context: TeacherContext, act: string, typed: Pairs): Promise<object | undefined> => {
  if (act === 'cancel') return { refund: formField(typed, 'refund') === 'yes' ? 'all' : 'none' }
  if (act === 'move') return { occurrence_id: formField(typed, 'date') }
  return act === 'add' ? personIn(context, typed) : undefined
}

const submit = (context: TeacherContext, typed: Pairs): Promise<Reply> =>
  submitAct(
    context,
    { acts, typed, params: {} },
    {
      async perform(act, call) {
        await context.call({ ...call, body: await bodyIn(context, act, typed) })
        return addressWith(context.request.path, { ...keepFilters(context), done: act })
      },
      show: ({ refusal }) => show(context, refusal),
    },
  )

/** GET and POST /staff/events/:event_id/registrations. */
export const registrationList = [
  page(`GET ${ROUTE}`, teachers, context => show(context)),
  form(`POST ${ROUTE}`, teachers, submit),
]
