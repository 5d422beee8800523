import { addVersion, BLANK, changedParts, currentContent, plannedContent } from '#src/areas/courses/contents/index.ts'
import { bodyFor } from '#src/contract/body.ts'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { touchOutline } from '../nodes/queries.ts'
import { insertedAt, NEW_LESSON, outlineFull } from '../nodes/rules.ts'
import { MAX_LESSONS } from '../nodes/schema.ts'
import { lockOwnSection, managesSection } from '../sections/access.ts'
import { listActiveSectionIds } from '../sections/queries.ts'
import { checkNotArchived, sectionArchived } from '../sections/rules.ts'
import { SectionRef } from '../sections/schema.ts'
import { lockOwnLesson } from './access.ts'
import { insertLesson, listLessons, storeLessonOrder, storeLessonPlacement } from './queries.ts'
import { mergeSettings } from './rules.ts'
import { ChangedLesson, Lesson, LessonPlacement, LessonRef, NewLesson } from './schema.ts'
import { lessonView, withWarnings } from './views.ts'

const starter = { section_id: exampleFrom('sec', 'listSections', { having: { name: 'The starter' } }) }

// The number of lessons of a course that are not archived, and the ids of those of one section in their order.
const activeLessons = async (db: Db, schoolId: string, courseId: string, sectionId: string) => {
  const active = (await listLessons(db, schoolId, courseId)).filter(one => one.archived_at === null)
  return { total: active.length, present: active.filter(one => one.section_id === sectionId).map(({ id }) => id) }
}

const checkCapacity = (total: number): void => {
  if (total >= MAX_LESSONS) throw new Refusal(outlineFull, `There are ${total} lessons already.`)
}

const createLesson = declareFor('lecturer_of', 'curriculum', {
  id: 'createLesson',
  route: 'POST /sections/:section_id/lessons',
  summary: 'Create a lesson',
  description:
    'Adds a lesson with its content to a section, as a draft unless the request says otherwise. `warnings` reports a published lesson without content, what was removed from the text (`content_removed`), and links within it that lead nowhere (`dead_fragment`).',
  params: SectionRef,
  body: NewLesson,
  returns: ChangedLesson,
  status: 201,
  fails: [outlineFull, sectionArchived],
  example: {
    params: starter,
    body: { name: 'When is it ready?', type: 'text', body: 'When it doubles in **four hours**.' },
  },
  async handle(context) {
    const { db, school, caller, params, body, now, changed, record } = context
    const settings = mergeSettings({ ...NEW_LESSON, name: body.name, type: body.type }, body)
    // Rendered before the course is locked, since that can take long. Others than managers are refused afterwards.
    const canManage = body.body !== undefined && (await managesSection(context, params.section_id))
    const rendered = canManage ? bodyFor('lesson', BLANK, body) : undefined
    const { section, course } = await lockOwnSection(context, params.section_id)
    checkNotArchived(section)
    const { total, present } = await activeLessons(db, school.id, course.id, section.id)
    checkCapacity(total)
    const planned = { before: BLANK, input: body, body: bodyFor('lesson', BLANK, body, rendered) }
    const content = await plannedContent({ ...context, course, lesson: settings }, planned)
    const id = newUuid(now.getTime())
    const version = changedParts(BLANK, content).length > 0 ? 1 : 0
    const row = { ...settings, id, courseId: course.id, sectionId: section.id, version }
    const lesson = await insertLesson(db, school.id, row)
    if (version > 0) await addVersion({ db, school, now, authorId: caller.member.id }, { id, version: 0 }, content)
    await storeLessonOrder(db, school.id, insertedAt(present, id, body.position))
    await touchOutline(db, school.id, course.id)
    const ids = { lesson_id: toId('les', id), course_id: toId('crs', course.id) }
    changed({ ids: Object.values(ids), fields: Object.keys(body), revision: 1 })
    record({ type: 'lesson.created', payload: { ...ids, status: settings.status } })
    return withWarnings(context, lesson, { view: await lessonView(context, { lesson, content }), text: content })
  },
})

const moveLesson = declareFor('lecturer_of', 'curriculum', {
  id: 'moveLesson',
  route: 'PUT /lessons/:lesson_id/placement',
  summary: 'Move a lesson',
  description: 'Moves a lesson to a position in a section of its course. An archived lesson is restored.',
  ifMatch: 'honoured',
  params: LessonRef,
  body: LessonPlacement,
  returns: Lesson,
  fails: [outlineFull],
  example: {
    params: { lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'Heat and steam' } }) },
    body: starter,
  },
  async handle(context) {
    const { db, school, params, body, requireMatch, changed, record } = context
    const { lesson, course } = await lockOwnLesson(context, params.lesson_id)
    const renderView = async (row: typeof lesson) =>
      lessonView(context, { lesson: row, content: await currentContent(db, school.id, row) })
    await requireMatch(lesson.revision, () => renderView(lesson))
    const sectionId = body.section_id
    const isOfCourse = (await listActiveSectionIds(db, school.id, course.id)).includes(sectionId)
    const error = { pointer: '/section_id', code: 'unknown', message: 'is not a section of this course' }
    refuseInvalid(isOfCourse ? [] : [error], 'The lesson cannot be moved there.')
    const { total, present } = await activeLessons(db, school.id, course.id, sectionId)
    const isRestored = lesson.archived_at !== null
    if (isRestored) checkCapacity(total)
    const order = insertedAt(present, lesson.id, body.position)
    if (order.join() === present.join()) return renderView(lesson)
    const stored = await storeLessonPlacement(db, school.id, lesson.id, sectionId)
    await storeLessonOrder(db, school.id, order)
    await touchOutline(db, school.id, course.id)
    const ids = { lesson_id: toId('les', params.lesson_id), course_id: toId('crs', course.id) }
    changed({ ids: Object.values(ids), fields: ['placement'], revision: stored.revision })
    record({ type: isRestored ? 'lesson.restored' : 'lesson.moved', payload: ids })
    return renderView(stored)
  },
})

/** The operations that create and move lessons, in the order of the documentation. */
export const placementOperations = [createLesson, moveLesson]
