import type { Static } from 'typebox'
import {
  getOwnLesson,
  LessonRef,
  type LessonRow,
  lessonExamples,
  lockOwnLesson,
  reviseLesson,
} from '#src/areas/courses/curriculum/index.ts'
import { listTimeZones } from '#src/areas/school/index.ts'
import { type AsCaller, declareFor } from '#src/contract/operation.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { type DripPeriod, listDripPeriods, putDrips } from './queries.ts'
import { buildDrip, errorsOfDrip, isSameDrip } from './rules.ts'
import { LessonDrip, NewDrip } from './schema.ts'

const currentPeriod = async (
  { db, school }: Pick<AsCaller, 'db' | 'school'>,
  lesson: LessonRow,
): Promise<DripPeriod> => {
  const periods = await listDripPeriods(db, school.id, lesson.course_id, [lesson.id])
  const current = periods.find(({ valid_until: until }) => until === null)
  if (current === undefined) throw new Error('a lesson has no current release schedule')
  return current
}

const dripView = async (
  { db, school }: Pick<AsCaller, 'db' | 'school'>,
  period: DripPeriod,
  revision: number,
): Promise<Static<typeof LessonDrip>> => ({
  lesson_id: period.lesson_id,
  mode: period.mode,
  value: period.value,
  date: period.date,
  local_time: period.local_time,
  time_zone: (await listTimeZones(db, school.id)).at(-1)?.time_zone ?? 'UTC',
  valid_from: period.valid_from,
  revision,
})

const getLessonDrip = declareFor('lecturer_of', 'curriculum', {
  id: 'getLessonDrip',
  route: 'GET /lessons/:lesson_id/drip',
  summary: "Get a lesson's release schedule",
  description: 'Returns the rule by which a lesson opens to learners, and since when it applies.',
  params: LessonRef,
  returns: LessonDrip,
  example: { params: lessonExamples.feeding },
  async handle(context) {
    const { lesson } = await getOwnLesson(context, context.params.lesson_id)
    return dripView(context, await currentPeriod(context, lesson), lesson.revision)
  },
})

const setLessonDrip = declareFor('lecturer_of', 'curriculum', {
  id: 'setLessonDrip',
  route: 'PUT /lessons/:lesson_id/drip',
  summary: "Set a lesson's release schedule",
  description:
    'Sets the rule by which a lesson opens from now on. A lesson that is open to a learner stays open to them. Dates and times are in the time zone of the school; a local time that the clocks skip is moved forward by the same amount, and the first of a repeated one counts.',
  ifMatch: 'honoured',
  params: LessonRef,
  body: NewDrip,
  returns: LessonDrip,
  example: { params: lessonExamples.feeding, body: { mode: 'days_after_enrollment', value: 3, local_time: '09:00' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { lesson } = await lockOwnLesson(context, params.lesson_id)
    const before = await currentPeriod(context, lesson)
    await requireMatch(lesson.revision, () => dripView(context, before, lesson.revision))
    const drip = buildDrip(body)
    refuseInvalid(errorsOfDrip('', drip), 'The parts of the rule contradict each other.')
    if (isSameDrip(before, drip)) return dripView(context, before, lesson.revision)
    await putDrips(db, school.id, lesson.course_id, [{ lesson_id: lesson.id, ...drip }])
    await reviseLesson({ db, school }, lesson)
    const ids = { lesson_id: toId('les', lesson.id), course_id: toId('crs', lesson.course_id) }
    changed({ ids: [ids.lesson_id, ids.course_id], fields: ['drip'], revision: lesson.revision + 1 })
    record({
      type: 'lesson.drip_updated',
      payload: ids,
      effects: texts.courses.drips.operations.setLessonDrip.effects,
    })
    return dripView(context, await currentPeriod(context, lesson), lesson.revision + 1)
  },
})

/** The operations of drips, in the order of the documentation. */
export const dripOperations = [getLessonDrip, setLessonDrip]
