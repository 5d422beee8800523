import { registrationStatuses } from '#src/areas/events/index.ts'
import { MemberPage } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine, isEmail } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { type Choice, checkbox, field, folded, form, hidden, page, select, submitAct } from '#src/web/page/index.ts'
import { type StaffContext, staff, type TeacherContext, teachers } from '../../audience.ts'
import { csvLinks, exportList } from '../../csv.ts'
import { addressWith, turning } from '../../teaching/lists.ts'
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

const ROUTE = '/staff/events/:event_id/registrations'
const MAX_SEARCH = 100
// Longer than a name or an address may be, so that a long one is refused and not truncated.
const MAX_NAME = 200
const MAX_EMAIL = 300

const CANCELABLE = ['confirmed', 'offered', 'waitlisted', 'awaiting_approval', 'awaiting_payment']

const filtersIn = (context: StaffContext) => {
  const status = context.query.get('status') ?? ''
  return {
    occurrence: dateIn(context),
    status: (registrationStatuses as readonly string[]).includes(status) ? status : '',
    q: cleanLine(context.query.get('q') ?? '', MAX_SEARCH),
    cursor: context.query.get('cursor') ?? '',
  }
}

const buildQuery = ({ occurrence, ...filters }: ReturnType<typeof filtersIn>): Pairs =>
  Object.entries({ occurrence_id: occurrence, ...filters }).filter(([, value]) => value !== '')

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

const item = (shown: Shown, one: ListedRegistration): Html => {
  const { context, action } = shown
  const { t, language } = context
  const { attendee, status, ticket_name: ticket, code } = one
  const facts = [
    t(one.no_show ? text.noShow : text.statuses[status]),
    dateText(one, language),
    ...[ticket, attendee.email, code].flatMap(fact => (fact === null ? [] : [fact])),
  ]
  const decide = (act: 'approve' | 'decline') => actButton(context, { act, one, action })
  return html`<li><strong><bdi>${attendee.name}</bdi></strong><br><span class="quiet"><bdi>${facts.join(' · ')}</bdi></span>
${status === 'awaiting_approval' && html`<div class="buttons row">${decide('approve')}${decide('decline')}</div>`}${changing(shown, one)}</li>
`
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
  const { t, language, isStaff } = context
  const filters = filtersIn(context)
  const { event, dates } = await readEvent(context)
  const { data: found, next_cursor: next } = await readRegistrations(context, event.id, buildQuery(filters))
  const path = `/staff/events/${event.id}/registrations`
  const open = dateChoices(
    dates.filter(({ status, ended }) => status === 'scheduled' && !ended),
    language,
  )
  const shown = { context, action: addressWith(path, filters), open }
  const statuses = registrationStatuses.map(value => ({ value, label: t(text.statuses[value]) }))
  return context.frame({
    title: t(text.title, { event: event.name }),
    ...buildNotice(context, refusal),
    body: html`<p><a href="/staff/events/${event.id}/check-in">${t(texts.words.checkPeopleIn)}</a></p>
<form method="get" action="${path}">
${select('occurrence', t(texts.words.date), filters.occurrence, [{ value: '', label: t(text.anyDate) }, ...dateChoices(dates, language)])}
${select('status', t(texts.words.status), filters.status, [{ value: '', label: t(texts.words.any) }, ...statuses])}
${field({ name: 'q', label: t(text.search), value: filters.q, attributes: html`type="search" maxlength="100"` })}
<div class="buttons row"><button type="submit">${t(texts.words.show)}</button></div>
</form>
${found.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list">\n${found.map(one => item(shown, one))}</ul>`}
${turning(context, path, { parameters: filters, next })}
${found.length > 0 && isStaff && csvLinks(addressWith(`${path}/csv`, { ...filters, cursor: '' }), context)}
${open.length > 0 && adding(shown, filters.occurrence)}
<p class="quiet"><a href="/staff/events/${event.id}"><bdi>${event.name}</bdi></a></p>`,
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
        return addressWith(context.request.path, { ...filtersIn(context), done: act })
      },
      show: ({ refusal }) => show(context, refusal),
    },
  )

/** GET and POST /staff/events/:event_id/registrations, and the same list as CSV, which staff alone export as in the API. */
export const registrationList = [
  page(`GET ${ROUTE}`, teachers, context => show(context)),
  page(`GET ${ROUTE}/csv`, staff, context =>
    exportList(context, {
      operation: 'listEventRegistrations',
      params: { event_id: context.params.event_id ?? '' },
      query: buildQuery({ ...filtersIn(context), cursor: '' }),
    }),
  ),
  form(`POST ${ROUTE}`, teachers, submit),
]
