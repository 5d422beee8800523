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

type Kind = 'works' | 'attempts'

/** The page on which work or an attempt is graded; within the same course, if the queue was of one. */
export const gradingPath = (kind: Kind, id: string, courseId = ''): string =>
  addressWith(`/staff/grading/${kind}/${id}`, { course_id: courseId })

/** The course to which the queue was limited; empty: all. */
export const courseIn = ({ query }: TeacherContext): string => query.get('course_id') ?? ''

/** Something that is graded, as the queue has it. */
type Place = { readonly kind: Kind; readonly id: string; readonly created_at: string }

/** What waits beside the work that is open, by the addresses of its pages, and how much waits in all. */
export type Neighbours = {
  readonly previous: string | undefined
  readonly next: string | undefined
  readonly count: number
}

// Whoever grades works through the beginning of the queue.
const READ = 100

const readQueue = async (context: TeacherContext): Promise<{ readonly places: Place[]; readonly count: number }> => {
  const filter = { isGraded: false, courseId: courseIn(context), limit: READ }
  const [works, attempts] = await Promise.all([listWorks(context, filter), listAttempts(context, filter)])
  const place = (kind: Kind, { id, created_at }: WorkEntry | AttemptEntry): Place => ({ kind, id, created_at })
  return {
    places: [...works.data.map(one => place('works', one)), ...attempts.data.map(one => place('attempts', one))],
    count: (works.total ?? 0) + (attempts.total ?? 0),
  }
}

// In the order of the list: works before attempts, and what has waited longest first.
const isBefore = (one: Place, other: Place): boolean => {
  if (one.kind !== other.kind) return one.kind === 'works'
  const apart = Date.parse(one.created_at) - Date.parse(other.created_at)
  return apart === 0 ? one.id < other.id : apart < 0
}

/** Finds what waits before and after something in the order of the list; after the last comes the first. */
export const findNeighbours = async (context: TeacherContext, place: Place): Promise<Neighbours> => {
  const { places, count } = await readQueue(context)
  const others = places.filter(({ id }) => id !== place.id)
  const path = (one: Place | undefined) => one && gradingPath(one.kind, one.id, courseIn(context))
  const next = others.find(one => isBefore(place, one)) ?? others[0]
  return { previous: path(others.findLast(one => isBefore(one, place))), next: path(next), count }
}

/** The page that follows a decision: what waits next, or the same one where it was only to be saved. */
export const pathAfter = async (context: TeacherContext, place: Place, act: string): Promise<string> => {
  const courseId = courseIn(context)
  const stays = act === 'save'
  const next = stays ? gradingPath(place.kind, place.id, courseId) : (await findNeighbours(context, place)).next
  const path = next ?? addressWith('/staff/grading', { course_id: courseId })
  return `${path}${path.includes('?') ? '&' : '?'}done=${act === 'return' ? 'returned' : 'graded'}`
}
