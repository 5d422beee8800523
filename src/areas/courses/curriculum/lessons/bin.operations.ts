import { currentContent } from '#src/areas/courses/contents/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { toId } from '#src/kit/ids.ts'
import { touchOutline } from '../nodes/queries.ts'
import { outlineFull } from '../nodes/rules.ts'
import { MAX_LESSONS, MAX_SECTIONS } from '../nodes/schema.ts'
import { findSection, listSections, storeSection, storeSectionOrder } from '../sections/queries.ts'
import { lockOwnLesson } from './access.ts'
import { lessonExamples } from './operations.ts'
import { type LessonRow, listLessons, storeLessonOrder, storeLessonPlacement } from './queries.ts'
import { Lesson, LessonRef } from './schema.ts'
import { lessonView } from './views.ts'

type Node = { readonly id: string; readonly archived_at: Date | null }

// What is not archived, with one that comes back between those that stood before and behind it.
const orderWith = (nodes: readonly Node[], id: string, most: number): string[] => {
  const order = nodes.filter(node => node.id === id || node.archived_at === null).map(node => node.id)
  if (order.length > most) throw new Refusal(outlineFull, `There is room for ${most}.`)
  return order
}

// An archived section comes back without the other lessons that were archived with it.
const restoreSection = async ({ db, school }: SchoolContext, { section_id: id, course_id: courseId }: LessonRow) => {
  const section = await findSection(db, school.id, id)
  if (section === undefined || section.archived_at === null) return
  const order = orderWith(await listSections(db, school.id, courseId), id, MAX_SECTIONS)
  await storeSection(db, school.id, section)
  await storeSectionOrder(db, school.id, order)
}

/** The operation that brings an archived lesson back. */
export const restoreLesson = declareFor('lecturer_of', 'curriculum', {
  id: 'restoreLesson',
  route: 'PUT /lessons/:lesson_id/restoration',
  summary: 'Restore a lesson',
  description:
    'Restores an archived lesson to its section, between the lessons that stood before and behind it, with everything that belonged to it. An archived section comes back with this lesson alone. A lesson that is not archived stays as it is.',
  params: LessonRef,
  returns: Lesson,
  fails: [outlineFull],
  example: { params: lessonExamples.feeding },
  async handle(context) {
    const { db, school, params, changed, record } = context
    const { lesson, course } = await lockOwnLesson(context, params.lesson_id)
    const renderView = async (row: LessonRow) =>
      lessonView(context, { lesson: row, content: await currentContent(db, school.id, row) })
    if (lesson.archived_at === null) return renderView(lesson)
    const lessons = await listLessons(db, school.id, course.id)
    const placed = orderWith(lessons, lesson.id, MAX_LESSONS)
    const order = placed.filter(id => lessons.find(one => one.id === id)?.section_id === lesson.section_id)
    await restoreSection(context, lesson)
    const stored = await storeLessonPlacement(db, school.id, lesson.id, lesson.section_id)
    await storeLessonOrder(db, school.id, order)
    await touchOutline(db, school.id, course.id)
    const ids = { lesson_id: toId('les', lesson.id), course_id: toId('crs', course.id) }
    changed({ ids: Object.values(ids), fields: ['archived_at'], revision: stored.revision })
    record({ type: 'lesson.restored', payload: ids })
    return renderView(stored)
  },
})
