import { addVersion, BLANK, bodyFor, changedParts, plannedContent } from '#src/areas/contents/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { getOwnSection, type Looking, lockOwnLesson, lockOwnSection } from '../access.ts'
import { insertLesson, storeFirstVersion, storeLessonOrder, storeLessonPlacement } from '../ordering/queries.ts'
import { outlineFull, placedAt, sectionArchived } from '../ordering/rules.ts'
import { readNodes } from '../outline/actions.ts'
import { touchOutline } from '../outline/queries.ts'
import type { LessonValues } from '../outline/rules.ts'
import { MAX_LESSONS } from '../outline/schema.ts'
import { SectionRef } from '../sections/schema.ts'
import { withWarnings } from '../warnings/actions.ts'
import { lessonView, settingsOf, storedView } from './actions.ts'
import { ChangedLesson, Lesson, LessonPlacement, LessonRef, NewLesson } from './schema.ts'

const starter = { section_id: exampleFrom('sec', 'listSections', { having: { name: 'The starter' } }) }

// What stands where in a course that is held, without what is archived.
const liveOf = async (looking: Looking, courseId: string) => {
  const { sections, lessons } = await readNodes(looking, courseId)
  const live = lessons.filter(one => one.archived_at === null)
  return {
    total: live.length,
    sections: sections.filter(one => one.archived_at === null).map(({ id }) => id),
    in: (sectionId: string) => live.filter(one => one.section_id === sectionId).map(({ id }) => id),
  }
}

const NEW = { status: 'draft', preview: false, required_for_completion: true, duration_seconds: null } as const

const createLesson = operation({
  id: 'createLesson',
  route: 'POST /sections/:section_id/lessons',
  summary: 'Create a lesson',
  description:
    'Adds a lesson with its content to a section, as a draft unless the request says otherwise. `warnings` reports a published lesson without content.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
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
    const values: LessonValues = { ...NEW, name: body.name, type: body.type }
    const settings = settingsOf(values, body)
    // Rendered for nobody who may not add it, and before anything is held.
    await getOwnSection(context, params.section_id)
    const rendered = bodyFor(BLANK, body)
    const { section, course } = await lockOwnSection(context, params.section_id)
    if (section.archived_at !== null) throw new Refusal(sectionArchived, 'The section is archived.')
    const live = await liveOf(context, course.id)
    if (live.total >= MAX_LESSONS) throw new Refusal(outlineFull, `There are ${live.total} lessons already.`)
    const planning = { ...context, course, lesson: settings }
    const content = await plannedContent(planning, { before: BLANK, said: body, body: rendered })
    const rowId = newUuid(now.getTime())
    await insertLesson(db, school.id, { ...settings, id: rowId, courseId: course.id, sectionId: section.id })
    if (changedParts(BLANK, content).length > 0) {
      await addVersion({ db, school, now, authorId: caller.member.id }, { id: rowId, version: 0 }, content)
      await storeFirstVersion(db, school.id, rowId)
    }
    await storeLessonOrder(db, school.id, placedAt(live.in(section.id), rowId, body.position))
    await touchOutline(db, school.id, course.id)
    const ids = { lesson: toId('les', rowId), course: toId('crs', course.id) }
    changed({ ids: Object.values(ids), fields: Object.keys(body), revision: 1 })
    record({ type: 'lesson.created', payload: { ...ids, status: settings.status } })
    return withWarnings(context, rowId, await storedView(context, rowId))
  },
})

const moveLesson = operation({
  id: 'moveLesson',
  route: 'PUT /lessons/:lesson_id/placement',
  summary: 'Move a lesson',
  description: 'Moves a lesson to a position in a section of its course. An archived lesson is restored.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
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
    const view = await lessonView(context, lesson, true)
    await requireMatch(lesson.revision, () => view)
    const live = await liveOf(context, course.id)
    const sectionId = fromId('sec', body.section_id) ?? ''
    if (!live.sections.includes(sectionId))
      throw new Refusal(invalidBody, 'The lesson cannot be put there.', {
        errors: [{ pointer: '/section_id', code: 'unknown', message: 'is not a section of this course' }],
      })
    const isBack = lesson.archived_at !== null
    if (isBack && live.total >= MAX_LESSONS) throw new Refusal(outlineFull, `There are ${live.total} lessons already.`)
    const before = live.in(sectionId)
    const wanted = placedAt(before, lesson.id, body.position)
    if (wanted.join() === before.join()) return view
    await storeLessonPlacement(db, school.id, lesson.id, sectionId)
    await storeLessonOrder(db, school.id, wanted)
    await touchOutline(db, school.id, course.id)
    const ids = { lesson: params.lesson_id, course: toId('crs', course.id) }
    changed({ ids: Object.values(ids), fields: ['placement'], revision: lesson.revision + 1 })
    record({ type: isBack ? 'lesson.restored' : 'lesson.moved', payload: ids })
    return storedView(context, lesson.id)
  },
})

/** Where lessons stand, in the order of the documentation. */
export const placementOperations = [createLesson, moveLesson]
