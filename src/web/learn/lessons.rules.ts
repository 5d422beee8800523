import type { OutlineLesson, OwnCourse } from './own-course.ts'

/** What a lesson of an outline is to the person. */
export type LessonState = {
  readonly isDone: boolean
  /** Why it cannot be opened now; unset where it can. */
  readonly lock?: { readonly reason: 'no_access' | 'drip' | 'previous'; readonly opensAt: string | null }
}

type Recorded = Pick<OwnCourse, 'canManage' | 'progress'>

/** What a lesson is to the person: done or not, and why it is not available if it is not. */
export const computeState = (
  lesson: Pick<OutlineLesson, 'id' | 'preview'>,
  { canManage, progress }: Recorded,
): LessonState => {
  const one = progress?.lessons.find(({ lesson_id: id }) => id === lesson.id)
  const isDone = one !== undefined && one.completed_at !== null
  if (canManage || lesson.preview || one?.is_open === true) return { isDone }
  const reason = one === undefined || one.reason === 'open' ? 'no_access' : one.reason
  return { isDone, lock: { reason, opensAt: one?.opens_at ?? null } }
}

/** Whether the person can open a lesson. */
export const isReadable = ({ lock }: LessonState): boolean => lock === undefined

/** All lessons of a course in their order. */
export const listLessons = ({ sections }: Pick<OwnCourse, 'sections'>): readonly OutlineLesson[] =>
  sections.flatMap(({ lessons }) => lessons)

/** The lessons before and after one. */
export const neighbours = (
  course: Pick<OwnCourse, 'sections'>,
  id: string,
): { readonly previous: OutlineLesson | undefined; readonly next: OutlineLesson | undefined } => {
  const lessons = listLessons(course)
  const at = lessons.findIndex(lesson => lesson.id === id)
  return { previous: at < 1 ? undefined : lessons[at - 1], next: at < 0 ? undefined : lessons[at + 1] }
}

/** The lesson to go on with: the current one, else the first that can be opened; undefined where none can. */
export const lessonToContinue = (course: OwnCourse): OutlineLesson | undefined => {
  const lessons = listLessons(course)
  const current = lessons.find(({ id }) => id === course.progress?.current_lesson_id)
  return current ?? lessons.find(lesson => isReadable(computeState(lesson, course)))
}
