import { CourseRef, lockOwnCourse } from '#src/areas/courses/index.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { readCourse } from '../access.ts'
import { dripOperations } from '../drips/operations.ts'
import { lessonOperations } from '../lessons/operations.ts'
import { placementOperations } from '../lessons/placement.operations.ts'
import { sectionOperations } from '../sections/operations.ts'
import { versionOperations } from '../versions/operations.ts'
import { outlineView, putPlannedDrips, readNodes, storedOutline } from './actions.ts'
import { archiveNodes, putLessons, putSections, touchOutline } from './queries.ts'
import { type Difference, faultsOfOutline, planOutline, type RequestedSection } from './rules.ts'
import { NewOutline, Outline, type OutlineInput } from './schema.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }

const getOutline = operation({
  id: 'getOutline',
  route: 'GET /courses/:course_id/outline',
  summary: "Get a course's outline",
  description:
    'Returns the sections and lessons of a course in their order, without lesson contents. Everybody who can find the course sees published lessons; those who manage it see drafts too.',
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

const wantedOf = ({ sections }: OutlineInput): RequestedSection[] =>
  sections.map(({ id, name, lessons }) => ({
    name,
    ...(id === undefined ? {} : { id: fromId('sec', id) }),
    lessons: lessons.map(({ id: lessonId, ...lesson }) => ({
      ...lesson,
      ...(lessonId === undefined ? {} : { id: fromId('les', lessonId) }),
    })),
  }))

const idOf = ({ type, id }: Difference): string => toId(type === 'section' ? 'sec' : 'les', id)

const setOutline = operation({
  id: 'setOutline',
  route: 'PUT /courses/:course_id/outline',
  summary: "Replace a course's outline",
  description:
    'Replaces the sections and lessons of a course and their order. An entry with an id is kept, changed or moved; one without an id is created; one that is missing is archived with its progress and comes back when it is named again. The response says what changed.',
  scope: 'curriculum:write',
  who: 'lecturer_of',
  mode: 'write',
  ifMatch: 'required',
  params: CourseRef,
  body: NewOutline,
  returns: Outline,
  example: {
    params: { course_id: 'slug:first-loaf' },
    body: { sections: [{ name: 'An afternoon', lessons: [{ name: 'Mixing', type: 'text' }] }] },
  },
  async handle(context) {
    const { db, school, params, body, now, requireMatch, changed, record } = context
    const course = await lockOwnCourse(context, params.course_id)
    const before = await outlineView(context, course)
    await requireMatch(before.revision, () => before)
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
    record({ type: 'outline.updated', payload: { course: id, changes: plan.difference.length } })
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
  setOutline,
  ...sectionOperations,
  ...lessonOperations,
  ...placementOperations,
  ...dripOperations,
  ...versionOperations,
]
