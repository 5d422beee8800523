import { CourseRef, lockOwnCourse } from '#src/areas/courses/index.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { outlineView, putPlannedDrips, readNodes, storedOutline } from './actions.ts'
import { assignmentOperations } from './assignments/operations.ts'
import { attachmentOperations } from './attachments/operations.ts'
import { dripOperations } from './drips/operations.ts'
import { lessonOperations } from './lessons/operations.ts'
import { placementOperations } from './placement.operations.ts'
import { archiveNodes, putLessons, putSections, touchOutline } from './queries.ts'
import { questionOperations } from './quiz-questions/operations.ts'
import { quizOperations } from './quizzes/operations.ts'
import { readCourse } from './reading.actions.ts'
import { type Difference, faultsOfOutline, planOutline, type WantedSection } from './rules.ts'
import { NewOutline, Outline, type OutlineSaid } from './schema.ts'
import { sectionOperations } from './sections/operations.ts'
import { versionOperations } from './versions/operations.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }

const getOutline = operation({
  id: 'getOutline',
  route: 'GET /courses/:course_id/outline',
  summary: 'What a course is made of: its sections and lessons in their order',
  description: 'Everybody who finds the course sees what is published; those who run it see drafts too. No bodies.',
  scope: 'curriculum:read',
  who: 'anyone',
  mode: 'read',
  params: CourseRef,
  returns: Outline,
  example: { params: sourdough },
  async handle(context) {
    return outlineView(context, await readCourse(context, context.params.course_id))
  },
})

const wantedOf = ({ sections }: OutlineSaid): WantedSection[] =>
  sections.map(({ id, name, lessons }) => ({
    name,
    ...(id === undefined ? {} : { id: fromId('sec', id) }),
    lessons: lessons.map(({ id: lessonId, ...lesson }) => ({
      ...lesson,
      ...(lessonId === undefined ? {} : { id: fromId('les', lessonId) }),
    })),
  }))

const idOf = ({ type, id }: Difference): string => toId(type === 'section' ? 'sec' : 'les', id)

const putOutline = operation({
  id: 'putOutline',
  route: 'PUT /courses/:course_id/outline',
  summary: 'Make a course consist of these sections and lessons, in this order',
  description:
    'What has an id is kept, changed or moved; what has none is made; what is missing is archived, with its progress, and comes back when it is named again. A setting that is left out stays. The answer has the difference.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'required',
  params: CourseRef,
  body: NewOutline,
  returns: Outline,
  example: {
    params: { course_id: 'slug:first-loaf' },
    body: { sections: [{ name: 'An afternoon', lessons: [{ name: 'Mixing', content_type: 'text' }] }] },
  },
  async handle(context) {
    const { db, school, params, body, now, requireMatch, changed, record } = context
    const course = await lockOwnCourse(context, params.course_id)
    const before = await outlineView(context, course)
    requireMatch(before.revision, before)
    const stored = storedOutline(await readNodes(context, course.id))
    const wanted = wantedOf(body)
    const errors = faultsOfOutline(stored, wanted)
    if (errors.length > 0) throw new Refusal(invalidBody, 'The outline has values that are not allowed.', { errors })
    const plan = planOutline(stored, wanted, () => newUuid(now.getTime()))
    if (plan.difference.length === 0) return { ...before, difference: [] }
    const idsOf = (...changes: Difference['change'][]) =>
      plan.difference.filter(({ change }) => changes.includes(change)).map(({ id }) => id)
    const touched = idsOf('restored', 'moved', 'changed')
    await putSections(db, school.id, course.id, plan.sections, touched)
    await putLessons(db, school.id, course.id, plan.lessons, touched)
    await archiveNodes(db, school.id, course.id, idsOf('archived'))
    await putPlannedDrips(context, course.id, plan)
    await touchOutline(db, school.id, course.id)
    const view = await outlineView(context, course)
    const id = toId('crs', course.id)
    changed({ ids: [id, ...plan.difference.map(idOf)], fields: ['outline'], revision: view.revision })
    record({ kind: 'outline.changed', about: { course: id, changes: plan.difference.length } })
    const difference = plan.difference.map(one => ({
      ...one,
      id: idOf(one),
      ...(one.fields ? { fields: [...one.fields] } : {}),
    }))
    return { ...view, difference: difference as NonNullable<typeof before.difference> }
  },
})

/** The operations of the curriculum, in the order of the documentation. */
export const operations = [
  getOutline,
  putOutline,
  ...sectionOperations,
  ...lessonOperations,
  ...placementOperations,
  ...dripOperations,
  ...versionOperations,
  ...attachmentOperations,
  ...assignmentOperations,
  ...quizOperations,
  ...questionOperations,
]
