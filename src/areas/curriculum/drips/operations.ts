import type { Static } from 'typebox'
import { listTimeZones } from '#src/areas/school/index.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { getOwnLesson, type Looking, lockOwnLesson } from '../access.ts'
import { lessonExamples } from '../lessons/operations.ts'
import { LessonRef } from '../lessons/schema.ts'
import { type LessonRow, touchOutline } from '../outline/queries.ts'
import { listDripPeriods, putDrips, touchLesson } from './queries.ts'
import { dripOf, faultsOfDrip, isSameDrip } from './rules.ts'
import { LessonDrip, NewDrip } from './schema.ts'

const viewOf = async (
  { db, school }: Pick<Looking, 'db' | 'school'>,
  lesson: LessonRow,
): Promise<Static<typeof LessonDrip>> => {
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
  summary: "Get a lesson's release schedule",
  description: 'Returns the rule by which a lesson opens to learners, and since when it applies.',
  scope: 'curriculum:read',
  who: 'lecturer_of',
  mode: 'read',
  params: LessonRef,
  returns: LessonDrip,
  example: { params: lessonExamples.feeding },
  async handle(context) {
    return viewOf(context, (await getOwnLesson(context, context.params.lesson_id)).lesson)
  },
})

const setLessonDrip = operation({
  id: 'setLessonDrip',
  route: 'PUT /lessons/:lesson_id/drip',
  summary: "Set a lesson's release schedule",
  description:
    'Sets the rule by which a lesson opens from now on. A lesson that is open to a learner stays open to them. Dates and times are in the time zone of the school; a local time that the clocks skip is moved forward by the same amount, and the first of a repeated one counts.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'honoured',
  params: LessonRef,
  body: NewDrip,
  returns: LessonDrip,
  example: { params: lessonExamples.feeding, body: { mode: 'days_after_enrollment', value: 3, local_time: '09:00' } },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { lesson } = await lockOwnLesson(context, params.lesson_id)
    const before = await viewOf(context, lesson)
    await requireMatch(lesson.revision, () => before)
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
      type: 'lesson.drip_updated',
      payload: about,
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
export const dripOperations = [getLessonDrip, setLessonDrip]
