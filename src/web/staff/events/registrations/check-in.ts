import type { Endpoint, Reply } from '#src/contract/endpoint.ts'
import { type Refusal, Refusal as Refused } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { doneOf, redirect } from '#src/web/page/index.ts'
import type { StaffPagesParts } from '../../parts.ts'
import { addressWith } from '../../teaching/lists.ts'
import { type TeachingVisit, teachingForm, teachingPage } from '../../teaching/visit.ts'
import { perform, refusalFor } from '../../visit.ts'
import { checkInPage } from './check-in-page.ts'
import { dateIn, eventOf, type ListedDate, registrationsOf } from './view.ts'

const ROUTE = '/staff/events/:event_id/check-in'
const MAX_CODE = 60

// The date that is named, or the one that is now or comes next.
const dateOf = (visit: TeachingVisit, dates: readonly ListedDate[]): ListedDate | undefined => {
  const wanted = dateIn(visit)
  const open = dates.filter(({ status }) => status === 'scheduled')
  return dates.find(({ id }) => id === wanted) ?? open.find(({ ended }) => !ended) ?? open.at(-1)
}

const pageOf = async (visit: TeachingVisit, refusal?: Refusal): Promise<Reply> => {
  const { event, dates } = await eventOf(visit)
  const date = dateOf(visit, dates)
  const listed = async (status: string) =>
    date === undefined
      ? { data: [], has_more: false }
      : registrationsOf(visit, event.id, [
          ['occurrence_id', date.id],
          ['status', status],
          ['limit', '100'],
        ])
  const [expected, here] = await Promise.all([listed('confirmed'), listed('checked_in')])
  return checkInPage({
    ...{ visit, event, dates, date, refusal },
    expected: expected.data,
    here: here.data,
    hasMore: expected.has_more || here.has_more,
    done: doneOf(visit.request),
  })
}

const callOf = (visit: TeachingVisit, form: Pairs) => {
  const params = { registration_id: formField(form, 'registration') }
  const code = cleanLine(formField(form, 'code'), MAX_CODE)
  switch (formField(form, 'act')) {
    case 'code':
      return { operation: 'checkInByCode', params: { occurrence_id: dateIn(visit) ?? '' }, body: { code } }
    case 'enter':
      return { operation: 'checkInRegistration', params }
    case 'undo':
      return { operation: 'undoCheckIn', params }
    default:
      throw new Refused(formRefused, 'The form has no valid action.')
  }
}

const submit = async (visit: TeachingVisit, form: Pairs): Promise<Reply> => {
  const refusal = await refusalFor(perform(visit, callOf(visit, form)))
  if (refusal !== undefined) return pageOf(visit, refusal)
  const done = formField(form, 'act') === 'undo' ? 'undo' : 'enter'
  return redirect(addressWith(visit.request.path, { occurrence: dateIn(visit) ?? '', done }))
}

/** GET and POST /staff/events/:event_id/check-in. */
export const checkInEndpoints = (parts: StaffPagesParts): Endpoint[] => [
  teachingPage(`GET ${ROUTE}`, parts, visit => pageOf(visit)),
  teachingForm(`POST ${ROUTE}`, parts, submit),
]
