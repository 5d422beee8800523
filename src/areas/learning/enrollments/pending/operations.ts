import type { Static } from 'typebox'
import { readAccess, revoke } from '#src/areas/learning/access/index.ts'
import { lockNamedMember } from '#src/areas/people/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, declareFor } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { readScope, type Scope } from '../access.ts'
import { isGrantedByStaff, isOver, named } from '../enrollments/rules.ts'
import { countPendingRows, deletePendingEmail, findPendingRow, listPendingRows, type PendingRow } from './queries.ts'
import {
  type PendingEnrollment,
  PendingEnrollmentPage,
  PendingEnrollmentRef,
  PendingEnrollmentsQuery,
} from './schema.ts'

const renderView = (row: PendingRow): Static<typeof PendingEnrollment> => ({
  id: row.id,
  course_id: row.course_id,
  email: row.pending_email,
  created_at: row.created_at,
})

const listPendingEnrollments = declareFor('lecturer_of', 'students', {
  id: 'listPendingEnrollments',
  route: 'GET /pending-enrollments',
  summary: 'List pending enrollments',
  description:
    'Lists people whom a lecturer enrolled by address and who were not students of theirs, with only the address that was typed, whether or not it has an account. Once the person joins the school or begins to learn in the course, the enrollment is listed among the others. Lecturers see those in the courses they teach.',
  query: PendingEnrollmentsQuery,
  returns: PendingEnrollmentPage,
  async handle(context) {
    const { db, school, query } = context
    const courseId = query.course_id === undefined ? undefined : query.course_id
    const filter = { ...(await readScope(context)), courseId }
    const found = await listPendingRows(db, school.id, filter, parsePage(context))
    return buildPage(context, found, {
      readPosition: row => [row.id],
      renderViews: rows => rows.map(renderView),
      total: () => countPendingRows(db, school.id, filter),
    })
  },
})

const getPending = async ({ db, school }: AsCaller, ref: string, scope: Scope): Promise<PendingRow> => {
  const row = await findPendingRow(db, school.id, ref, scope)
  if (row === undefined) throw new Refusal(notFound, 'There is no such pending enrollment.')
  return row
}

// The member is locked, as by every enrollment, so that nothing is given meanwhile.
const lockPending = async (context: AsCaller, ref: string): Promise<PendingRow> => {
  const scope = await readScope(context)
  const { member_id } = await getPending(context, ref, scope)
  await lockNamedMember(context.db, context.school.id, member_id)
  return getPending(context, ref, scope)
}

const deletePendingEnrollment = declareFor('lecturer_of', 'students', {
  id: 'deletePendingEnrollment',
  route: 'DELETE /pending-enrollments/:enrollment_id',
  summary: 'Delete a pending enrollment',
  description: 'Ends the access that was given with it, but nothing that was bought or comes with a group.',
  params: PendingEnrollmentRef,
  returns: undefined,
  example: { params: { enrollment_id: exampleFrom('enr', 'listPendingEnrollments') } },
  async handle(context) {
    const { db, school, params, changed, record } = context
    const row = await lockPending(context, params.enrollment_id)
    const item = { type: 'course', id: row.course_id } as const
    const { at, entitlements } = await readAccess(db, school.id, { memberId: row.member_id, item })
    const granted = named(entitlements).filter(one => isGrantedByStaff(one) && !isOver(one, at))
    const facts = await revoke(
      context,
      granted.map(({ id }) => id),
      // It takes back an invitation, such as one to a wrong address; the person may come by themselves.
      {},
    )
    await deletePendingEmail(db, school.id, row.id)
    const ended = granted.map(({ id }) => toId('ent', id))
    changed({ ids: [toId('enr', row.id), ...ended], fields: ['revoked_at'], memberId: row.member_id })
    for (const fact of facts) record(fact)
  },
})

/** The operations of pending enrollments, in the order of the documentation. */
export const pendingOperations = [listPendingEnrollments, deletePendingEnrollment]
