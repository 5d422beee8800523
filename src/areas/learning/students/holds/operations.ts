import type { Static } from 'typebox'
import {
  type HoldRow,
  HoldView,
  holdView,
  liftMemberHold,
  listActiveHolds,
  type NamedItem,
  placeMemberHold,
} from '#src/areas/learning/access/index.ts'
import { coursesFor, isStudent, lockStudent, readScope } from '#src/areas/learning/enrollments/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, declareFor, type WriteContext } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { studentExample } from '../people/operations.ts'
import { CourseHoldRef, HoldRef, NewHold } from './schema.ts'

const examples = {
  all: { params: studentExample },
  course: {
    params: { ...studentExample, course_id: exampleFrom('crs', 'listCourses', { having: { slug: 'first-loaf' } }) },
  },
}

const missing = (): Refusal => new Refusal(notFound, 'There is no such student or course.')

type Target = { readonly memberId: string; readonly item: NamedItem | undefined; readonly active: readonly HoldRow[] }

const withHolds = async ({ db, school }: AsCaller, memberId: string, item: NamedItem | undefined): Promise<Target> => ({
  memberId,
  item,
  active: await listActiveHolds(db, school.id, memberId, item),
})

const getTarget = async (context: AsCaller, studentId: string): Promise<Target> => {
  const member = await lockStudent(context, studentId)
  return withHolds(context, member.id, undefined)
}

// A lecturer holds the access to courses that they teach, of the students of these courses.
const getCourseTarget = async (
  context: AsCaller,
  params: { readonly student_id: string; readonly course_id: string },
): Promise<Target> => {
  const member = await lockStudent(context, params.student_id)
  const [courseId] = await coursesFor(context, [params.course_id])
  if (courseId === undefined) throw missing()
  const scope = await readScope(context)
  if (!(await isStudent(context.db, context.school.id, member.id, { ...scope, courseId }))) throw missing()
  return withHolds(context, member.id, { type: 'course', id: courseId })
}

const isSame = (one: HoldRow, until: Date | undefined, note: string | undefined): boolean =>
  (one.ends_at?.getTime() ?? null) === (until?.getTime() ?? null) && one.note === (note ?? null)

const place = async (context: WriteContext, { memberId, item, active }: Target, body: Static<typeof NewHold>) => {
  const { db, school, now, changed, record } = context
  const until = body.until ? new Date(body.until) : undefined
  refuseInvalid(
    until !== undefined && until <= now ? [{ pointer: '/until', code: 'past', message: 'is over already' }] : [],
  )
  const [same] = active.filter(one => isSame(one, until, body.note))
  if (same !== undefined && active.length === 1) return holdView(same, { at: now, withReasons: true })
  for (const one of active) await liftMemberHold(db, school, one.id)
  const { id, hold, fact } = await placeMemberHold(db, school, now, {
    memberId,
    on: item,
    reason: 'staff',
    endsAt: until,
    note: body.note,
  })
  changed({ ids: [toId('mem', memberId), toId('hld', id)], fields: ['holds'], memberId })
  record(fact)
  return holdView(hold, { at: hold.starts_at, withReasons: true })
}

const lift = async ({ db, school, changed, record }: WriteContext, { memberId, active }: Target): Promise<void> => {
  for (const one of active) {
    const fact = await liftMemberHold(db, school, one.id)
    if (fact !== undefined) record(fact)
  }
  const ids = [toId('mem', memberId), ...active.map(({ id }) => toId('hld', id))]
  if (active.length > 0) changed({ ids, fields: ['holds'], memberId })
}

const placeHold = declareFor('staff', 'students', {
  id: 'placeHold',
  route: 'PUT /students/:student_id/hold',
  summary: 'Hold all access',
  description:
    'Pauses all access of a student. Nothing is revoked: when the hold ends or is lifted, access continues as it would have been. A hold that exists is replaced.',
  params: HoldRef,
  body: NewHold,
  returns: HoldView,
  example: { ...examples.all, body: { note: 'invoice unpaid' } },
  handle: async context => place(context, await getTarget(context, context.params.student_id), context.body),
})

const liftHold = declareFor('staff', 'students', {
  id: 'liftHold',
  route: 'DELETE /students/:student_id/hold',
  summary: 'Lift a hold',
  description: 'Ends a hold that staff placed. Holds for late or disputed payments end with their cause.',
  params: HoldRef,
  returns: undefined,
  example: examples.all,
  handle: async context => lift(context, await getTarget(context, context.params.student_id)),
})

const placeCourseHold = declareFor('lecturer_of', 'students', {
  id: 'placeCourseHold',
  route: 'PUT /students/:student_id/courses/:course_id/hold',
  summary: 'Hold access to a course',
  description:
    'Pauses the access of a student to one course. Nothing is revoked: when the hold ends or is lifted, access continues as it would have been. A hold that exists is replaced.',
  params: CourseHoldRef,
  body: NewHold,
  returns: HoldView,
  example: { ...examples.course, body: { note: 'lost the key to the kitchen' } },
  handle: async context => place(context, await getCourseTarget(context, context.params), context.body),
})

const liftCourseHold = declareFor('lecturer_of', 'students', {
  id: 'liftCourseHold',
  route: 'DELETE /students/:student_id/courses/:course_id/hold',
  summary: 'Lift a course hold',
  description: 'Ends a hold that staff or a lecturer placed. Holds for late or disputed payments end with their cause.',
  params: CourseHoldRef,
  returns: undefined,
  example: examples.course,
  handle: async context => lift(context, await getCourseTarget(context, context.params)),
})

/** Holds of students, in the order of the documentation. */
export const holdOperations = [placeHold, liftHold, placeCourseHold, liftCourseHold]
