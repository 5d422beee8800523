import {
  type CourseRow,
  canManageCourse,
  checkManagesCourse,
  findArchivedCourse,
  getCourse,
  lockCourse,
} from '#src/areas/courses/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { accessRequired, lessonLocked, whyLocked } from './access.rules.ts'
import { type LessonOpening, lessonsOpen } from './hooks.ts'
import { findSection, showsLessons } from './ordering/queries.ts'
import { findLesson, type LessonRow, type SectionRow } from './outline/queries.ts'

/** Where somebody looks at the curriculum. */
export type Looking = { readonly db: Db; readonly school: School; readonly caller: Caller }

const openingsOf = async ({ db, school, caller }: Looking, courseId: string, lessonIds?: readonly string[]) => {
  if (caller.member === undefined) return new Map<string, LessonOpening>()
  const asked = { memberId: caller.member.id, courseId, ...(lessonIds === undefined ? {} : { lessonIds }) }
  return new Map((await lessonsOpen.call(asked, { db, school })).flatMap(answer => [...answer]))
}

// Archiving ends the sale of a course, and not what somebody bought: who may use it still reads it.
const findKept = async (looking: Looking, ref: string): Promise<CourseRow | undefined> => {
  if (looking.caller.member === undefined) return undefined
  const course = await findArchivedCourse(looking, ref)
  if (course === undefined) return undefined
  const openings = await openingsOf(looking, course.id)
  return [...openings.values()].some(({ reason }) => reason !== 'no_access') ? course : undefined
}

/** Whether something was refused because it is not there. */
export const isNothing = (error: unknown): boolean => error instanceof Refusal && error.problem === notFound

/** The course a path names, for who reads its curriculum; refuses with 404 who may not know of it. */
export const readCourse = async (looking: Looking, ref: string): Promise<CourseRow> => {
  try {
    return await getCourse(looking, ref)
  } catch (error) {
    const kept = isNothing(error) ? await findKept(looking, ref) : undefined
    if (kept === undefined) throw error
    return kept
  }
}

const orNothing = async <Found>(found: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await found
  } catch (error) {
    if (isNothing(error)) return undefined
    throw error
  }
}

const noLesson = (): Refusal => new Refusal(notFound, 'There is no such lesson.')
const noSection = (): Refusal => new Refusal(notFound, 'There is no such section.')

/** A lesson with its course, and whether the caller runs that. */
export type SeenLesson = { readonly lesson: LessonRow; readonly course: CourseRow; readonly runs: boolean }

const seen = (lesson: LessonRow | undefined, course: CourseRow | undefined, caller: Caller): SeenLesson => {
  if (lesson === undefined || course === undefined) throw noLesson()
  const runs = canManageCourse(caller, course)
  if (!runs && (lesson.status !== 'published' || lesson.archived_at !== null)) throw noLesson()
  return { lesson, course, runs }
}

const findNamed = ({ db, school }: Looking, ref: string): Promise<LessonRow | undefined> =>
  findLesson(db, school.id, fromId('les', ref))

/** The lesson a path names, for who may know of it: drafts and archived ones are for those who run the course. */
export const getSeenLesson = async (looking: Looking, ref: string): Promise<SeenLesson> => {
  const lesson = await findNamed(looking, ref)
  const course = lesson && (await orNothing(readCourse(looking, toId('crs', lesson.course_id))))
  return seen(lesson, course, looking.caller)
}

const checkOpen = async (looking: Looking, { lesson, course, runs }: SeenLesson): Promise<void> => {
  if (runs || (lesson.preview && course.status === 'published')) return
  const opening = (await openingsOf(looking, course.id, [lesson.id])).get(lesson.id)
  if (opening?.is_open) return
  if (opening === undefined || opening.reason === 'no_access')
    throw new Refusal(accessRequired, 'This lesson is for those who have the course.')
  throw new Refusal(lessonLocked, whyLocked(opening), {
    members: { opens_at: opening.opens_at?.toISOString() ?? null },
  })
}

/** The lesson a path names, for who may read what it holds now; refuses with 404 who may not know of it, others with 403. */
export const getOpenLesson = async (looking: Looking, ref: string): Promise<SeenLesson> => {
  const found = await getSeenLesson(looking, ref)
  await checkOpen(looking, found)
  return found
}

/** The same for those who run the course alone. */
export const getOwnLesson = async (looking: Looking, ref: string): Promise<SeenLesson> => {
  const found = await getSeenLesson(looking, ref)
  checkManagesCourse(looking.caller, found.course)
  return found
}

/** The lesson a path names with its course held, for those who run the course alone. */
export const lockOwnLesson = async (looking: Looking, ref: string): Promise<SeenLesson> => {
  const found = await findNamed(looking, ref)
  const course = found && (await orNothing(lockCourse(looking, toId('crs', found.course_id))))
  const lesson = course && (await findNamed(looking, ref))
  const { runs } = seen(lesson, course, looking.caller)
  if (lesson === undefined || course === undefined) throw noLesson()
  checkManagesCourse(looking.caller, course)
  return { lesson, course, runs }
}

/** A section with its course, and whether the caller runs that. */
export type SeenSection = { readonly section: SectionRow; readonly course: CourseRow; readonly runs: boolean }

/** The section a path names, for who may know of it: to others than those who run the course it shows a lesson at least. */
export const getSeenSection = async (looking: Looking, ref: string): Promise<SeenSection> => {
  const { db, school, caller } = looking
  const section = await findSection(db, school.id, fromId('sec', ref))
  const course = section && (await orNothing(readCourse(looking, toId('crs', section.course_id))))
  if (section === undefined || course === undefined) throw noSection()
  const runs = canManageCourse(caller, course)
  if (!runs && (section.archived_at !== null || !(await showsLessons(db, school.id, section.id)))) throw noSection()
  return { section, course, runs }
}

/** The same for those who run the course alone. */
export const getOwnSection = async (looking: Looking, ref: string): Promise<SeenSection> => {
  const found = await getSeenSection(looking, ref)
  checkManagesCourse(looking.caller, found.course)
  return found
}

/** The section a path names with its course held, for those who run the course alone. */
export const lockOwnSection = async (looking: Looking, ref: string): Promise<SeenSection> => {
  const found = await getOwnSection(looking, ref)
  const course = await orNothing(lockCourse(looking, toId('crs', found.course.id)))
  const section = await findSection(looking.db, looking.school.id, found.section.id)
  if (section === undefined || course === undefined) throw noSection()
  checkManagesCourse(looking.caller, course)
  return { section, course, runs: true }
}
