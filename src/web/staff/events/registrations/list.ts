import { registrationStatuses } from '#src/areas/events/index.ts'
import { MemberPage } from '#src/areas/people/index.ts'
import type { Endpoint, Reply } from '#src/contract/endpoint.ts'
import { type Refusal, Refusal as Refused } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine, isEmail } from '#src/kit/text.ts'
import { doneOf, redirect } from '#src/web/page/index.ts'
import { exportList } from '../../csv.ts'
import type { StaffPagesParts } from '../../parts.ts'
import { addressWith } from '../../teaching/lists.ts'
import { type TeachingVisit, teachingForm, teachingPage } from '../../teaching/visit.ts'
import { perform, refusalFor, staffPage, type Visit } from '../../visit.ts'
import { type Filters, registrationsPage } from './list-page.ts'
import { dateIn, eventOf, registrationsOf } from './view.ts'

const ROUTE = '/staff/events/:event_id/registrations'
const MAX_SEARCH = 100
// Longer than a name or an address may be, so that a long one is refused and not truncated.
const MAX_NAME = 200
const MAX_EMAIL = 300

const filtersOf = (visit: Visit): Filters => {
  const status = visit.query.get('status') ?? ''
  return {
    occurrence: dateIn(visit) ?? '',
    status: (registrationStatuses as readonly string[]).includes(status) ? status : '',
    q: cleanLine(visit.query.get('q') ?? '', MAX_SEARCH),
    cursor: visit.query.get('cursor') ?? '',
  }
}

const queryOf = ({ occurrence, ...filters }: Filters): Pairs =>
  Object.entries({ occurrence_id: occurrence, ...filters }).filter(([, value]) => value !== '')

const pageOf = async (visit: TeachingVisit, refusal?: Refusal): Promise<Reply> => {
  const filters = filtersOf(visit)
  const { event, dates } = await eventOf(visit)
  const { data: registrations, next_cursor: next } = await registrationsOf(visit, event.id, queryOf(filters))
  return registrationsPage({ visit, event, dates, filters, registrations, next, refusal, done: doneOf(visit.request) })
}

// Staff add a member by the address; others do not learn from it who is a member.
const findMemberId = async (visit: TeachingVisit, email: string): Promise<string | undefined> => {
  if (!visit.isStaff || !isEmail(email)) return undefined
  const query: Pairs = [['email', email]]
  return (await perform(visit, { operation: 'listMembers', query, returns: MemberPage })).data[0]?.id
}

const personIn = async (visit: TeachingVisit, form: Pairs) => {
  const [name, email] = [cleanLine(formField(form, 'name'), MAX_NAME), cleanLine(formField(form, 'email'), MAX_EMAIL)]
  const attendee = { name, ...(email === '' ? {} : { email }) }
  const member = await findMemberId(visit, email)
  if (member === undefined) return { attendee }
  return name === '' ? { member_id: member } : { member_id: member, attendee }
}

const callOf = async (visit: TeachingVisit, form: Pairs) => {
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
        body: await personIn(visit, form),
      }
    case 'offer':
      return { operation: 'offerSeats', params: date }
    default:
      throw new Refused(formRefused, 'The form has no valid action.')
  }
}

const submit = async (visit: TeachingVisit, form: Pairs): Promise<Reply> => {
  const refusal = await refusalFor(callOf(visit, form).then(call => perform(visit, call)))
  if (refusal !== undefined) return pageOf(visit, refusal)
  return redirect(addressWith(visit.request.path, { ...filtersOf(visit), done: formField(form, 'act') }))
}

// As in the API, lists are exported by staff alone.
const exportCsv = (visit: Visit): Promise<Reply> =>
  exportList(visit, {
    operation: 'listEventRegistrations',
    params: { event_id: visit.request.params.event_id ?? '' },
    query: queryOf({ ...filtersOf(visit), cursor: '' }),
  })

/** GET and POST /staff/events/:event_id/registrations, and the same list as CSV. */
export const registrationListEndpoints = (parts: StaffPagesParts): Endpoint[] => [
  teachingPage(`GET ${ROUTE}`, parts, visit => pageOf(visit)),
  staffPage(`GET ${ROUTE}/csv`, parts, exportCsv),
  teachingForm(`POST ${ROUTE}`, parts, submit),
]
