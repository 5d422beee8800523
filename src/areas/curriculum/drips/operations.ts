import type { Static } from 'typebox'
import { type CourseRow, getCourse, lockOwnCourse, runsCourse } from '#src/areas/courses/index.ts'
import { listTimeZones } from '#src/areas/school/index.ts'
import type { Caller } from '#src/contract/caller.ts'
import type { Db } from '#src/contract/db.ts'
import { shownBy } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody, notFound, roleRequired } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { findLesson, type LessonRow, touchOutline } from '../queries.ts'
import { listDripPeriods, putDrips, touchLesson } from './queries.ts'
import { dripOf, faultsOfDrip, isSameDrip } from './rules.ts'
import { LessonDrip, LessonRef, NewDrip } from './schema.ts'

type Looking = { readonly db: Db; readonly school: School; readonly caller: Caller }

const feeding = {
  lesson_id: shownBy('les', 'getOutline', { at: 'sections.0.lessons.1.id' }),
}

const nothing = (): Refusal => new Refusal(notFound, 'There is no such lesson.')

// A course that the caller may not see says the same as a lesson nobody has.
const courseOf = (looking: Looking, lesson: LessonRow): Promise<CourseRow> =>
  getCourse(looking, toId('crs', lesson.course_id)).catch(error => {
    throw error instanceof Refusal && error.problem === notFound ? nothing() : error
  })

// 404 for who may not see the lesson, 403 for who sees it and does not run its course.
const getOwnLesson = async (looking: Looking, ref: string): Promise<LessonRow> => {
  const id = fromId('les', ref)
  const lesson = id === undefined ? undefined : await findLesson(looking.db, looking.school.id, id)
  if (lesson === undefined) throw nothing()
  const course = await courseOf(looking, lesson)
  if (runsCourse(looking.caller, course)) return lesson
  if (lesson.status !== 'published' || lesson.archived_at !== null) throw nothing()
  throw new Refusal(roleRequired, 'This is for staff and for the lecturers of the course.')
}

const viewOf = async ({ db, school }: Looking, lesson: LessonRow): Promise<Static<typeof LessonDrip>> => {
  const [periods, zones] = await Promise.all([
    listDripPeriods(db, school.id, lesson.course_id, [lesson.id]),
    listTimeZones(db, school.id),
  ])
  const current = periods.find(({ valid_until: until }) => until === null)
  if (current === undefined) throw new Error('every lesson has a rule in force')
  const { mode, value, date, local_time } = current
  return {
    lesson_id: toId('les', lesson.id),
    ...{ mode, value, date, local_time },
    time_zone: zones.at(-1)?.time_zone ?? 'UTC',
    valid_from: current.valid_from.toISOString(),
    revision: lesson.revision,
  }
}

const getLessonDrip = operation({
  id: 'getLessonDrip',
  route: 'GET /lessons/:lesson_id/drip',
  summary: 'By which rule a lesson opens, and since when it holds',
  scope: 'curriculum:read',
  who: 'lecturer_of',
  mode: 'read',
  params: LessonRef,
  returns: LessonDrip,
  example: { params: feeding },
  async handle(context) {
    return viewOf(context, await getOwnLesson(context, context.params.lesson_id))
  },
})

const putLessonDrip = operation({
  id: 'putLessonDrip',
  route: 'PUT /lessons/:lesson_id/drip',
  summary: 'Say by which rule a lesson opens',
  description:
    "The rule holds from now on: the one before it ends and is remembered, and a lesson that was open to somebody stays open to them. Days and times are meant in the school's time zone. One that the clocks skip is as much later as they went forward; of one that comes twice the first counts.",
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: LessonRef,
  body: NewDrip,
  returns: LessonDrip,
  example: { params: feeding, body: { mode: 'days_after_enrollment', value: 3, local_time: '09:00' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const seen = await getOwnLesson(context, params.lesson_id)
    await lockOwnCourse(context, toId('crs', seen.course_id))
    const lesson = await getOwnLesson(context, params.lesson_id)
    const before = await viewOf(context, lesson)
    requireMatch(lesson.revision, before)
    const drip = dripOf(body)
    const errors = faultsOfDrip('', drip)
    if (errors.length > 0) throw new Refusal(invalidBody, 'The rule does not fit together.', { errors })
    if (isSameDrip(before, drip)) return before
    await putDrips(db, school.id, lesson.course_id, [{ lesson_id: lesson.id, ...drip }])
    await touchLesson(db, school.id, lesson.id)
    await touchOutline(db, school.id, lesson.course_id)
    const about = { lesson: toId('les', lesson.id), course: toId('crs', lesson.course_id) }
    changed({ ids: [about.lesson, about.course], fields: ['drip'], revision: lesson.revision + 1 })
    record({
      kind: 'lesson.drip_changed',
      about,
      effects: {
        access: {
          en: 'Changes when the lesson opens; to whom it is open, it stays open',
          pt: 'Altera quando a aula abre; a quem já está aberta, continua aberta',
        },
      },
    })
    return viewOf(context, { ...lesson, revision: lesson.revision + 1 })
  },
})

/** The operations of drips, in the order of the documentation. */
export const dripOperations = [getLessonDrip, putLessonDrip]
