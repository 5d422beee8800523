import type { Static } from 'typebox'
import { AttemptPage, SubmissionPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { TeacherContext } from '../../audience.ts'
import { addressWith } from '../../teaching/lists.ts'

/** Work for an assignment in a list. */
export type WorkEntry = Encoded<Static<typeof SubmissionPage>>['data'][number]

/** An attempt at a quiz in a list. */
export type AttemptEntry = Encoded<Static<typeof AttemptPage>>['data'][number]

/** What a list of work is limited to; empty values do not limit it. */
type GradingFilter = {
  readonly isGraded: boolean
  readonly courseId: string
  readonly limit: number
  readonly cursor?: string
}

/** The query of a list of work. */
const buildQuery = ({ isGraded, courseId, limit, cursor = '' }: GradingFilter): Pairs => {
  const given: Pairs = [
    ['graded', String(isGraded)],
    ['course_id', courseId],
    ['limit', String(limit)],
    ['cursor', cursor],
    // What has waited longest comes first, and of what was graded the newest.
    ['sort', isGraded ? '-created_at' : 'created_at'],
    ['include_total', 'true'],
  ]
  return given.filter(([, value]) => value !== '')
}

/** Work for assignments that waits for a grade, or that has one. */
export const listWorks = (context: TeacherContext, filter: GradingFilter) =>
  context.call({ operation: 'listSubmissions', query: buildQuery(filter), returns: SubmissionPage })

/** Attempts at quizzes with answers that wait for a person, or that were graded. */
export const listAttempts = (context: TeacherContext, filter: GradingFilter) =>
  context.call({ operation: 'listQuizAttempts', query: buildQuery(filter), returns: AttemptPage })

/** The page on which work or an attempt is graded; within the same course, if the queue was of one. */
export const gradingPath = (kind: 'works' | 'attempts', id: string, courseId = ''): string =>
  addressWith(`/staff/grading/${kind}/${id}`, { course_id: courseId })

/** The course to which the queue was limited; empty: all. */
export const courseIn = ({ query }: TeacherContext): string => query.get('course_id') ?? ''

const nextIn = async (
  context: TeacherContext,
  { kind, courseId, exceptId }: { kind: 'works' | 'attempts'; courseId: string; exceptId: string },
): Promise<string | undefined> => {
  const filter = { isGraded: false, courseId, limit: 2 }
  const { data } = await (kind === 'works' ? listWorks(context, filter) : listAttempts(context, filter))
  const next = data.find(({ id }: { readonly id: string }) => id !== exceptId)
  return next && gradingPath(kind, next.id, courseId)
}

/** The page of what has waited longest, of the same kind if there is any; undefined when nothing else waits. */
export const nextPath = async (
  context: TeacherContext,
  kind: 'works' | 'attempts',
  exceptId: string,
): Promise<string | undefined> => {
  const courseId = courseIn(context)
  const other = kind === 'works' ? 'attempts' : 'works'
  return (
    (await nextIn(context, { kind, courseId, exceptId })) ??
    (await nextIn(context, { kind: other, courseId, exceptId }))
  )
}

/** The page that follows what was done: what waits next, or the same one. */
export const pathAfter = async (context: TeacherContext, kind: 'works' | 'attempts', act: string): Promise<string> => {
  const own = addressWith(context.request.path, { course_id: courseIn(context) })
  const next = act === 'grade' ? own : ((await nextPath(context, kind, context.params.id ?? '')) ?? '/staff/grading')
  return `${next}${next.includes('?') ? '&' : '?'}done=${act === 'return' ? 'returned' : 'graded'}`
}
