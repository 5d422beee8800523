import {
  accessRequired,
  checkNotArchived,
  lessonArchived,
  lessonLocked,
  lockOwnLesson,
} from '#src/areas/courses/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { changedFields } from '#src/kit/patch.ts'
import { dueFor } from '../hooks.ts'
import { getOpenAssignment } from './access.ts'
import { findAssignment, setAssignment } from './queries.ts'
import { buildValues, errorsOfAssignment, notAnAssignment, renderInstructions, storedValues } from './rules.ts'
import { Assignment, AssignmentRef, NewAssignment } from './schema.ts'
import { assignmentView } from './views.ts'

const ACTIONS = ['getAssignment', 'setAssignment']

/** An assignment of the demo data, for the examples. */
export const assignmentExample = {
  lesson_id: exampleFrom('les', 'listLessons', { having: { name: 'Your own starter' } }),
}

const getAssignment = declareFor('anyone', 'curriculum', {
  id: 'getAssignment',
  route: 'GET /lessons/:lesson_id/assignment',
  summary: "Get a lesson's assignment",
  description:
    'Returns the instructions, deadline and points of an assignment, for those who may read the lesson. `your_due_at` is the deadline of the learner who asks, with their own extension.',
  params: AssignmentRef,
  returns: Assignment,
  fails: [accessRequired, lessonLocked],
  example: { params: assignmentExample },
  async handle(context) {
    const { db, school, caller, params, allowedActions } = context
    const { lesson, assignment, canManage } = await getOpenAssignment(context, params.lesson_id)
    if (caller.member === undefined) return assignmentView(assignment, lesson)
    const [due] = await dueFor.call({ memberId: caller.member.id, lessonId: lesson.id }, { db, school })
    return {
      ...assignmentView(assignment, lesson),
      ...(due === undefined ? {} : { your_due_at: due }),
      allowed_actions: allowedActions(canManage ? ACTIONS : ['getAssignment']),
    }
  },
})

const writeAssignment = declareFor('lecturer_of', 'curriculum', {
  id: 'setAssignment',
  route: 'PUT /lessons/:lesson_id/assignment',
  summary: "Set a lesson's assignment",
  description:
    'Creates or replaces the assignment of a lesson; fields that are left out get their defaults. Earlier submissions keep the deadline and points they were made under.',
  ifMatch: 'honoured',
  params: AssignmentRef,
  body: NewAssignment,
  returns: Assignment,
  fails: [notAnAssignment, lessonArchived],
  example: {
    params: assignmentExample,
    body: {
      instructions: 'Bake a loaf and tell us how you did it, with a picture of the crumb.',
      due_at: { local: '2030-03-31T23:59', time_zone: 'Europe/Lisbon' },
      max_points: 20,
      passing_points: 12,
      kinds: ['text', 'files'],
    },
  },
  async handle(context) {
    const { db, school, params, body, now, requireMatch, changed, record } = context
    refuseInvalid(errorsOfAssignment(body))
    // Rendered before the course is locked, since that can take long.
    const values = buildValues(body, renderInstructions(body.instructions))
    const { lesson } = await lockOwnLesson(context, params.lesson_id)
    checkNotArchived(lesson)
    if (lesson.type !== 'assignment') throw new Refusal(notAnAssignment, `The lesson has the type ${lesson.type}.`)
    const before = await findAssignment(db, school.id, lesson.id)
    if (before !== undefined) await requireMatch(before.revision, () => assignmentView(before, lesson))
    const fields = before === undefined ? Object.keys(values) : changedFields(storedValues(before), values)
    if (before !== undefined && fields.length === 0) return assignmentView(before, lesson)
    const id = before?.id ?? newUuid(now.getTime())
    const row = await setAssignment(db, school.id, { id, lessonId: lesson.id }, values)
    const ids = {
      assignment_id: toId('asg', row.id),
      lesson_id: toId('les', params.lesson_id),
      course_id: toId('crs', lesson.course_id),
    }
    changed({ ids: [ids.assignment_id], fields, revision: row.revision })
    record({ type: before === undefined ? 'assignment.created' : 'assignment.updated', payload: ids })
    return assignmentView(row, lesson)
  },
})

/** The operations of assignments, in the order of the documentation. */
export const assignmentOperations = [getAssignment, writeAssignment]
