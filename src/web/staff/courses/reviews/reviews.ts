import { ReviewPage } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { doneOf, redirect } from '#src/web/page/index.ts'
import { exportList } from '../../csv.ts'
import { revisionOf } from '../../form-fields.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { type TeachingVisit, teachingForm, teachingPage } from '../../teaching/visit.ts'
import { perform, refusalFor } from '../../visit.ts'
import { type Filters, type ReviewsView, reviewsPage } from './reviews-page.ts'
import { reviewsText as text } from './text.ts'

const PATH = '/staff/reviews'
// Longer than a reason may be, so that a long value is refused and not truncated.
const LONGEST = 400

const filtersOf = ({ query, courses, ...visit }: TeachingVisit): Filters => {
  const part = (name: string): string => (query.get(name) ?? '').trim()
  // Lecturers read the reviews of one course at a time, staff also all of them.
  const first = visit.isStaff ? '' : (courses[0]?.id ?? '')
  return { course_id: part('course_id') || first, status: part('status'), cursor: part('cursor') }
}

const queryOf = (filters: Partial<Filters>): Pairs => [
  ['sort', '-created_at'],
  ...Object.entries(filters).filter(([, value]) => value !== ''),
]

const find = (visit: TeachingVisit, { course_id: courseId, ...filters }: Filters) =>
  visit.isStaff
    ? perform(visit, {
        operation: 'listReviews',
        query: queryOf({ ...filters, course_id: courseId }),
        returns: ReviewPage,
      })
    : perform(visit, {
        operation: 'listCourseReviews',
        params: { course_id: courseId },
        query: queryOf(filters),
        returns: ReviewPage,
      })

const pageOf = async (visit: TeachingVisit, refused?: ReviewsView['refused']): Promise<Reply> => {
  const filters = filtersOf(visit)
  const { data: reviews, next_cursor: next } = await find(visit, filters)
  return reviewsPage({ visit, filters, reviews, next, refused, done: doneOf(visit.request) })
}

type Call = Pick<PageCall<undefined>, 'operation' | 'body' | 'query'>

const calls: Readonly<Record<string, (form: Pairs) => Call>> = {
  publish: () => ({ operation: 'publishReview' }),
  hide: form => ({ operation: 'hideReview', query: [['reason', cleanLine(formField(form, 'reason'), LONGEST)]] }),
  reply: form => ({
    operation: 'replyToReview',
    body: { body: formField(form, 'reply').replaceAll('\r\n', '\n').trim() },
  }),
  delete_reply: () => ({ operation: 'deleteReviewReply' }),
}

const submit = async (visit: TeachingVisit, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  const call = Object.hasOwn(calls, act) ? calls[act]?.(form) : undefined
  if (call === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  const params = { review_id: formField(form, 'review') }
  const refusal = await refusalFor(perform(visit, { ...call, params, revision: revisionOf(form) }))
  if (refusal !== undefined) return pageOf(visit, { act, form, refusal })
  return redirect(addressWith(PATH, { ...filtersOf(visit), done: act }))
}

const exportCsv = (visit: TeachingVisit): Promise<Reply> => {
  const query = queryOf({ ...filtersOf(visit), cursor: '' })
  return exportList(visit, { operation: 'listReviews', query })
}

/** GET and POST /staff/reviews: reviews of courses, which staff publish and hide, and lecturers answer. */
export const reviews: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about, least: 'lecturer' }],
  endpoints: parts => [
    teachingPage(`GET ${PATH}`, parts, visit => pageOf(visit)),
    teachingForm(`POST ${PATH}`, parts, submit),
    teachingPage(`GET ${PATH}/csv`, parts, exportCsv),
  ],
}
