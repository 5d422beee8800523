import { ReviewPage } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { cleanLine } from '#src/kit/text.ts'
import { doneOf, form, page, redirect, refusalFor, revisionIn } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { exportList } from '../../csv.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { type Filters, type ReviewsView, reviewsPage } from './reviews-page.ts'
import { reviewsText as text } from './text.ts'

const PATH = '/staff/reviews'
// Longer than a reason may be, so that a long value is refused and not truncated.
const LONGEST = 400

const filtersOf = ({ query, courses, ...context }: TeacherContext): Filters => {
  const part = (name: string): string => (query.get(name) ?? '').trim()
  // Lecturers read the reviews of one course at a time, staff also all of them.
  const first = context.isStaff ? '' : (courses[0]?.id ?? '')
  return { course_id: part('course_id') || first, status: part('status'), cursor: part('cursor') }
}

const queryOf = (filters: Partial<Filters>): Pairs => [
  ['sort', '-created_at'],
  ...Object.entries(filters).filter(([, value]) => value !== ''),
]

const find = (context: TeacherContext, { course_id: courseId, ...filters }: Filters) =>
  context.isStaff
    ? context.call({
        operation: 'listReviews',
        query: queryOf({ ...filters, course_id: courseId }),
        returns: ReviewPage,
      })
    : context.call({
        operation: 'listCourseReviews',
        params: { course_id: courseId },
        query: queryOf(filters),
        returns: ReviewPage,
      })

const pageOf = async (context: TeacherContext, refused?: ReviewsView['refused']): Promise<Reply> => {
  const filters = filtersOf(context)
  const { data: reviews, next_cursor: next } = await find(context, filters)
  return reviewsPage({ context, filters, reviews, next, refused, done: doneOf(context.request) })
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

const submit = async (context: TeacherContext, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  const call = Object.hasOwn(calls, act) ? calls[act]?.(form) : undefined
  if (call === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  const params = { review_id: formField(form, 'review') }
  const refusal = await refusalFor(context.call({ ...call, params, revision: revisionIn(form) }))
  if (refusal !== undefined) return pageOf(context, { act, form, refusal })
  return redirect(addressWith(PATH, { ...filtersOf(context), done: act }))
}

const exportCsv = (context: TeacherContext): Promise<Reply> => {
  const query = queryOf({ ...filtersOf(context), cursor: '' })
  return exportList(context, { operation: 'listReviews', query })
}

/** GET and POST /staff/reviews: reviews of courses, which staff publish and hide, and lecturers answer. */
export const reviews: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about, least: 'lecturer' }],
  pages: [
    page(`GET ${PATH}`, teachers, context => pageOf(context)),
    form(`POST ${PATH}`, teachers, submit),
    page(`GET ${PATH}/csv`, teachers, exportCsv),
  ],
}
