import { CourseRef, type CourseRow, lockOwnCourse } from '#src/areas/courses/courses/index.ts'
import { findOutline, readCourse, requirementWarnings } from '#src/areas/courses/curriculum/index.ts'
import { publicationWarnings } from '#src/areas/courses/publication/index.ts'
import type { SchoolContext } from '#src/contract/context.ts'
import { declareFor } from '#src/contract/operation.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import type { Warning } from '#src/contract/warning.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { buildStored, readNodes } from './lookups.ts'
import { type Difference, errorsOfOutline, planOutline, type RequestedSection } from './rules.ts'
import { NewOutline, Outline, type OutlineInput } from './schema.ts'
import { outlineView } from './views.ts'
import { storeOutline } from './writes.ts'

const sourdough = { course_id: 'slug:sourdough-from-scratch' }

const getOutline = declareFor('anyone', 'curriculum', {
  id: 'getOutline',
  route: 'GET /courses/:course_id/outline',
  summary: "Get a course's outline",
  description:
    'Returns the sections and lessons of a course in their order, without lesson contents. Everybody who can find the course sees published lessons; those who manage it see drafts too.',
  params: CourseRef,
  returns: Outline,
  example: { params: sourdough },
  async handle(context) {
    const { db, school, caller, params } = context
    const course = await readCourse(context, params.course_id)
    const [outline, nodes] = await Promise.all([findOutline(db, school.id, course.id), readNodes(context, course.id)])
    return outlineView({ course, caller }, outline, nodes)
  },
})

const listRequested = ({ sections }: OutlineInput): RequestedSection[] =>
  sections.map(({ id, name, lessons }) => ({
    name,
    ...(id === undefined ? {} : { id: id }),
    lessons: lessons.map(({ id: lessonId, ...lesson }) => ({
      ...lesson,
      ...(lessonId === undefined ? {} : { id: lessonId }),
    })),
  }))

const differenceView = ({ change, type, id, name, fields }: Difference) => ({
  change,
  type,
  id: toId(type === 'section' ? 'sec' : 'les', id),
  name,
  ...(fields === undefined ? {} : { fields: [...fields] }),
})

// A course that nobody sees yet may lack whatever it likes.
const readWarnings = async (context: SchoolContext, { id, status }: CourseRow): Promise<Warning[]> =>
  status === 'published' ? (await publicationWarnings.call({ courseId: id }, context)).flat() : []

const setOutline = declareFor('lecturer_of', 'curriculum', {
  id: 'setOutline',
  route: 'PUT /courses/:course_id/outline',
  summary: "Replace a course's outline",
  description:
    'Replaces the sections and lessons of a course and their order. An entry with an id is kept, changed or moved; one without an id is created; one that is missing is archived with its progress and comes back when it is named again. The response says what changed, and in `warnings` what a published course lacks and, as `would_reach_all`, how many people lack nothing with this change; it completes the course for nobody.',
  ifMatch: 'required',
  params: CourseRef,
  body: NewOutline,
  returns: Outline,
  example: {
    params: { course_id: 'slug:first-loaf' },
    body: { sections: [{ name: 'An afternoon', lessons: [{ name: 'Mixing', type: 'text' }] }] },
  },
  async handle(context) {
    const { db, school, caller, params, body, now, requireMatch, changed, record } = context
    const course = await lockOwnCourse(context, params.course_id)
    const [outline, nodes] = await Promise.all([findOutline(db, school.id, course.id), readNodes(context, course.id)])
    const before = outlineView({ course, caller }, outline, nodes)
    await requireMatch(before.revision, () => before)
    const stored = buildStored(nodes)
    const requested = listRequested(body)
    refuseInvalid(errorsOfOutline(stored, requested), 'The outline has values that are not allowed.')
    const plan = planOutline(stored, requested, () => newUuid(now.getTime()))
    const warnings = () => readWarnings(context, course)
    if (plan.difference.length === 0) return { ...before, difference: [], warnings: await warnings() }
    const after = await storeOutline(context, course.id, plan, caller.member.id)
    const difference = plan.difference.map(differenceView)
    const id = toId('crs', course.id)
    changed({ ids: [id, ...difference.map(one => one.id)], fields: ['outline'], revision: after.revision })
    record({ type: 'outline.updated', payload: { course_id: id, change_count: difference.length } })
    const view = outlineView({ course, caller }, after, await readNodes(context, course.id))
    const reaching = await requirementWarnings.call({ courseId: course.id }, context)
    return { ...view, difference, warnings: [...(await warnings()), ...reaching.flat()] }
  },
})

/** The operations of outlines, in the order of the documentation. */
export const outlineOperations = [getOutline, setOutline]
