import { registrationStatuses } from '#src/areas/events/index.ts'
import { MemberPage } from '#src/areas/people/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { type Refusal, Refusal as Refused } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine, isEmail } from '#src/kit/text.ts'
import { doneOf, form, page, redirect, refusalFor } from '#src/web/page/index.ts'
import { type StaffContext, staff, type TeacherContext, teachers } from '../../audience.ts'
import { exportList } from '../../csv.ts'
import { addressWith } from '../../teaching/lists.ts'
import { type Filters, registrationsPage } from './list-page.ts'
import { dateIn, eventOf, registrationsOf } from './view.ts'

const ROUTE = '/staff/events/:event_id/registrations'
const MAX_SEARCH = 100
// Longer than a name or an address may be, so that a long one is refused and not truncated.
const MAX_NAME = 200
const MAX_EMAIL = 300

const filtersOf = (context: StaffContext): Filters => {
  const status = context.query.get('status') ?? ''
  return {
    occurrence: dateIn(context) ?? '',
    status: (registrationStatuses as readonly string[]).includes(status) ? status : '',
    q: cleanLine(context.query.get('q') ?? '', MAX_SEARCH),
    cursor: context.query.get('cursor') ?? '',
  }
}

const queryOf = ({ occurrence, ...filters }: Filters): Pairs =>
  Object.entries({ occurrence_id: occurrence, ...filters }).filter(([, value]) => value !== '')

const pageOf = async (context: TeacherContext, refusal?: Refusal): Promise<Reply> => {
  const filters = filtersOf(context)
  const { event, dates } = await eventOf(context)
  const { data: registrations, next_cursor: next } = await registrationsOf(context, event.id, queryOf(filters))
  return registrationsPage({
    context,
    event,
    dates,
    filters,
    registrations,
    next,
    refusal,
    done: doneOf(context.request),
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

const callOf = async (context: TeacherContext, form: Pairs) => {
  const params = { registration_id: formField(form, 'registration') }
  const date = { occurrence_id: formField(form, 'date') }
  switch (formField(form, 'act')) {
    case 'approve':
      return { operation: 'approveRegistration', params }
    case 'decline':
      return { operation: 'declineRegistration', params }
    case 'cancel':
      return {
        operation: 'cancelRegistration',
        params,
        body: { refund: formField(form, 'refund') === 'yes' ? 'all' : 'none' },
      }
    case 'move':
      return { operation: 'moveRegistration', params, body: date }
    case 'add':
      return {
        operation: 'createRegistration',
        params: date,
        body: await personIn(context, form),
      }
    case 'offer':
      return { operation: 'offerSeats', params: date }
    default:
      throw new Refused(formRefused, 'The form has no valid action.')
  }
}

const submit = async (context: TeacherContext, form: Pairs): Promise<Reply> => {
  const refusal = await refusalFor(callOf(context, form).then(call => context.call(call)))
  if (refusal !== undefined) return pageOf(context, refusal)
  return redirect(addressWith(context.request.path, { ...filtersOf(context), done: formField(form, 'act') }))
}

// As in the API, lists are exported by staff alone.
const exportCsv = (context: StaffContext): Promise<Reply> =>
  exportList(context, {
    operation: 'listEventRegistrations',
    params: { event_id: context.request.params.event_id ?? '' },
    query: queryOf({ ...filtersOf(context), cursor: '' }),
  })

/** GET and POST /staff/events/:event_id/registrations, and the same list as CSV. */
export const registrationList = [
  page(`GET ${ROUTE}`, teachers, context => pageOf(context)),
  page(`GET ${ROUTE}/csv`, staff, exportCsv),
  form(`POST ${ROUTE}`, teachers, submit),
]
