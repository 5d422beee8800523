import type { Reply } from '#src/contract/endpoint.ts'
import { type Refusal, Refusal as Refused } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { doneOf, form, page, redirect, refusalFor } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { addressWith } from '../../teaching/lists.ts'
import { checkInPage } from './check-in-page.ts'
import { dateIn, eventOf, type ListedDate, registrationsOf } from './view.ts'

const ROUTE = '/staff/events/:event_id/check-in'
const MAX_CODE = 60

// The date that is named, or the one that is now or comes next.
const dateOf = (context: TeacherContext, dates: readonly ListedDate[]): ListedDate | undefined => {
  const wanted = dateIn(context)
  const open = dates.filter(({ status }) => status === 'scheduled')
  return dates.find(({ id }) => id === wanted) ?? open.find(({ ended }) => !ended) ?? open.at(-1)
}

const pageOf = async (context: TeacherContext, refusal?: Refusal): Promise<Reply> => {
  const { event, dates } = await eventOf(context)
  const date = dateOf(context, dates)
  const listed = async (status: string) =>
    date === undefined
      ? { data: [], has_more: false }
      : registrationsOf(context, event.id, [
          ['occurrence_id', date.id],
          ['status', status],
          ['limit', '100'],
        ])
  const [expected, here] = await Promise.all([listed('confirmed'), listed('checked_in')])
  return checkInPage({
    ...{ context, event, dates, date, refusal },
    expected: expected.data,
    here: here.data,
    hasMore: expected.has_more || here.has_more,
    done: doneOf(context.request),
  })
}

const callOf = (context: TeacherContext, form: Pairs) => {
  const params = { registration_id: formField(form, 'registration') }
  const code = cleanLine(formField(form, 'code'), MAX_CODE)
  switch (formField(form, 'act')) {
    case 'code':
      return { operation: 'checkInByCode', params: { occurrence_id: dateIn(context) ?? '' }, body: { code } }
    case 'enter':
      return { operation: 'checkInRegistration', params }
    case 'undo':
      return { operation: 'undoCheckIn', params }
    default:
      throw new Refused(formRefused, 'The form has no valid action.')
  }
}

const submit = async (context: TeacherContext, form: Pairs): Promise<Reply> => {
  const refusal = await refusalFor(context.call(callOf(context, form)))
  if (refusal !== undefined) return pageOf(context, refusal)
  const done = formField(form, 'act') === 'undo' ? 'undo' : 'enter'
  return redirect(addressWith(context.request.path, { occurrence: dateIn(context) ?? '', done }))
}

/** GET and POST /staff/events/:event_id/check-in. */
export const checkInPages = [
  page(`GET ${ROUTE}`, teachers, context => pageOf(context)),
  form(`POST ${ROUTE}`, teachers, submit),
]
