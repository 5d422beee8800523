import { buildViewer, peopleOfCourse } from '#src/areas/courses/courses/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import type { AsCaller } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Subject, SubjectView } from '#src/contract/subject.ts'
import { toId } from '#src/kit/ids.ts'
import { getOpenLesson, type VisibleLesson } from './access.ts'
import { accessRequired, lessonLocked } from './rules.ts'
import { listSeenLessonNames } from './subjects.queries.ts'

type Asking = { readonly caller: Caller }

const UNREADABLE = [notFound, accessRequired, lessonLocked]

const findOpenLesson = async (context: AsCaller<Caller>, id: string): Promise<VisibleLesson | undefined> => {
  try {
    return await getOpenLesson(context, id)
  } catch (error) {
    if (error instanceof Refusal && UNREADABLE.includes(error.problem)) return undefined
    throw error
  }
}

/** A lesson as a subject of comments; undefined unless the caller may read its content now. */
export const lessonSubject = async (
  context: SchoolContext,
  { type, id, caller }: Subject & Asking,
): Promise<SubjectView | undefined> => {
  const found = type === 'lesson' ? await findOpenLesson({ ...context, caller }, id) : undefined
  if (found === undefined) return undefined
  const { lesson, course } = found
  const path = `/learn/${course.slug}/${toId('les', lesson.id)}`
  return { name: lesson.name, comments: lesson.comments, path, ...(await peopleOfCourse(context, course, caller)) }
}

/** The names of those of some subjects that are lessons whose name the caller may know. */
export const lessonSubjectNames = async (
  { db, school }: SchoolContext,
  { subjects, caller }: Asking & { readonly subjects: readonly Subject[] },
): Promise<ReadonlyMap<string, string>> => {
  const ids = subjects.filter(({ type }) => type === 'lesson').map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const rows = await listSeenLessonNames(db, school.id, buildViewer(caller), ids)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
