import type { Static } from 'typebox'
import { readAccess, revoke } from '#src/areas/learning/access/index.ts'
import { isStaff, type SignedIn } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, declareFor } from '#src/contract/operation.ts'
import { problem, Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { lockMember } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { OwnEnrollmentsQuery } from './account.schema.ts'
import type { EnrollmentFilter } from './enrollments/conditions.ts'
import { readPage } from './enrollments/operations.ts'
import { type EnrollmentRow, findEnrollmentIn, lockEnrollmentIn } from './enrollments/queries.ts'
import { isGrantedByStaff } from './enrollments/rules.ts'
import { Enrollment, EnrollmentPage, EnrollmentRef } from './enrollments/schema.ts'
import { enrollmentView } from './enrollments/views.ts'

/** The access cannot be ended here. */
const accessNotGrantedHere = problem(
  409,
  'access_not_granted_here',
  'This access cannot be ended here',
  'Access that was bought, subscribed to or comes with a group does not end with the enrollment: cancel the subscription, or ask the school to refund the order or to remove you from the group. Nothing was changed.',
)

const example = { params: { enrollment_id: exampleFrom('enr', 'listAccountEnrollments') } }

const expand = {
  course: { scope: 'courses:read', who: 'anyone', summary: 'the course; a draft is shown to those who manage it' },
} as const

const getOwn = async (
  find: typeof findEnrollmentIn,
  { db, school, caller }: AsCaller,
  ref: string,
): Promise<EnrollmentRow> => {
  const row = await find(db, school.id, ref, { memberId: caller.member.id })
  if (row === undefined) throw new Refusal(notFound, 'There is no such enrollment.')
  return row
}

type State = Static<typeof OwnEnrollmentsQuery>['state']

// An active entitlement gives nothing while its course is not shown to the person; staff see every course.
const stateFor = (caller: SignedIn, state: State): Pick<EnrollmentFilter, 'state' | 'visible'> => {
  if (state !== 'active' && state !== 'unpublished') return { state }
  if (isStaff(caller)) return state === 'active' ? { state } : { state: 'active', visible: 'none' }
  return { state: 'active', visible: { to: caller.member.id, is: state === 'active' } }
}

const listAccountEnrollments = declareFor('self', 'account', {
  id: 'listAccountEnrollments',
  route: 'GET /account/enrollments',
  summary: 'List your enrollments',
  description:
    'Lists your enrollments with progress and access. For a course that is not published now, `access.state` is `unpublished` where it would be active, and no lesson is named.',
  query: OwnEnrollmentsQuery,
  returns: EnrollmentPage,
  expand,
  async handle(context) {
    const { caller, query } = context
    const filter = {
      memberId: caller.member.id,
      courseId: query.course_id === undefined ? undefined : query.course_id,
      isCompleted: query.completed,
      ...stateFor(caller, query.state),
    }
    return readPage(context, filter, 'self')
  },
})

const ACTIONS = ['getAccountEnrollment', 'endAccountEnrollment', 'explainAccountAccess']

const getAccountEnrollment = declareFor('self', 'account', {
  id: 'getAccountEnrollment',
  route: 'GET /account/enrollments/:enrollment_id',
  summary: 'Get your enrollment',
  description: 'Returns one of your enrollments with its progress and access.',
  params: EnrollmentRef,
  returns: Enrollment,
  expand,
  example,
  async handle(context) {
    const row = await getOwn(findEnrollmentIn, context, context.params.enrollment_id)
    return {
      ...(await enrollmentView(context, row, 'self')),
      allowed_actions: context.allowedActions(
        row.completed_at === null ? [...ACTIONS, 'completeAccountEnrollment'] : ACTIONS,
      ),
    }
  },
})

const endAccountEnrollment = declareFor('self', 'account', {
  id: 'endAccountEnrollment',
  route: 'DELETE /account/enrollments/:enrollment_id',
  summary: 'End your enrollment',
  description:
    'Gives up access to a course that was free or given by the school. If something else gives access, such as an order, nothing changes and the response says so. Learning progress is kept.',
  params: EnrollmentRef,
  returns: undefined,
  fails: [accessNotGrantedHere],
  example,
  async handle(context) {
    const { db, school, caller, params, changed, record } = context
    // After the member, in the order of every enrollment.
    await lockMember(db, school.id, caller.member.id)
    const row = await getOwn(lockEnrollmentIn, context, params.enrollment_id)
    const item = { type: 'course', id: row.course_id } as const
    const { at, entitlements } = await readAccess(db, school.id, { memberId: row.member_id, item })
    const active = entitlements.filter(
      one =>
        one.revoked_at === null &&
        (one.ends_at === null || one.ends_at > at) &&
        (one.closed_at === null || one.closed_at > at),
    )
    if (!active.every(one => isGrantedByStaff(one) && one.item_type === 'course'))
      throw new Refusal(accessNotGrantedHere, 'This access was not given by the school.')
    const ids = active.map(({ id }) => id)
    const facts = await revoke(context, ids, { by: 'member', reason: 'given up' })
    if (facts.length === 0) return
    const changedIds = [toId('enr', row.id), ...ids.map(id => toId('ent', id))]
    changed({ ids: changedIds, fields: ['revoked_at'], revision: row.revision, memberId: row.member_id })
    for (const fact of facts) record(fact)
  },
})

/** The operations of one's own enrollments, in the order of the documentation. */
export const accountEnrollmentOperations = [listAccountEnrollments, getAccountEnrollment, endAccountEnrollment]
