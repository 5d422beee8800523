import type { Static } from 'typebox'
import { accessOf, revoke } from '#src/areas/access/index.ts'
import { lockNamedMember } from '#src/areas/members/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { scopeOf } from '../access.ts'
import { isGiven, isOver, named } from '../enrollments/rules.ts'
import { countPendingRows, findPendingRow, forgetPendingEmail, listPendingRows, type PendingRow } from './queries.ts'
import {
  type PendingEnrollment,
  PendingEnrollmentPage,
  PendingEnrollmentRef,
  PendingEnrollmentsQuery,
} from './schema.ts'

const viewOf = (row: PendingRow): Static<typeof PendingEnrollment> => ({
  id: toId('enr', row.id),
  course_id: toId('crs', row.course_id),
  email: row.pending_email,
  created_at: row.created_at.toISOString(),
})

const listPendingEnrollments = operation({
  id: 'listPendingEnrollments',
  route: 'GET /pending-enrollments',
  summary: 'List pending enrollments',
  description:
    'Whom a lecturer enrolls by address, and who was no student of theirs, is listed here with nothing but the address that was typed, whether or not the address has an account. Once the person joins the school or begins to learn in the course, the enrollment is among the others. Lecturers are shown those in the courses they teach.',
  scope: 'students:read',
  who: 'lecturer_of',
  mode: 'read',
  query: PendingEnrollmentsQuery,
  returns: PendingEnrollmentPage,
  async handle(context) {
    const { db, school, query } = context
    const courseId = query.course_id === undefined ? undefined : (fromId('crs', query.course_id) ?? '')
    const filter = { ...(await scopeOf(context)), courseId }
    const found = await listPendingRows(db, school.id, filter, parsePage(context))
    return buildPage(context, found, {
      positionOf: row => [row.id],
      itemOf: viewOf,
      total: () => countPendingRows(db, school.id, filter),
    })
  },
})

const getPending = async (looking: AsCaller, ref: string): Promise<PendingRow> => {
  const filter = await scopeOf(looking)
  const row = await findPendingRow(looking.db, looking.school.id, fromId('enr', ref) ?? '', filter)
  if (row === undefined) throw new Refusal(notFound, 'There is no such pending enrollment.')
  return row
}

// Behind the member, as whoever enrolls does, so that nothing is given meanwhile.
const holdPending = async (looking: AsCaller, ref: string): Promise<PendingRow> => {
  const { member_id } = await getPending(looking, ref)
  await lockNamedMember(looking.db, looking.school.id, toId('mem', member_id))
  return getPending(looking, ref)
}

const deletePendingEnrollment = operation({
  id: 'deletePendingEnrollment',
  route: 'DELETE /pending-enrollments/:enrollment_id',
  summary: 'Delete a pending enrollment',
  description: 'What was given with it ends, and nothing that was bought or that a group opens.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
  params: PendingEnrollmentRef,
  returns: undefined,
  example: { params: { enrollment_id: exampleFrom('enr', 'listPendingEnrollments') } },
  async handle(context) {
    const { db, school, params, changed, record } = context
    const row = await holdPending(context, params.enrollment_id)
    const item = { type: 'course', id: row.course_id } as const
    const { at, entitlements } = await accessOf(db, school.id, { memberId: row.member_id, item })
    const given = named(entitlements).filter(one => isGiven(one) && !isOver(one, at))
    const facts = await revoke(
      context,
      given.map(({ id }) => id),
    )
    await forgetPendingEmail(db, school.id, row.id)
    const ended = given.map(({ id }) => toId('ent', id))
    changed({ ids: [toId('enr', row.id), ...ended], fields: ['revoked_at'], memberId: row.member_id })
    for (const fact of facts) record(fact)
  },
})

/** Enrollments of people whom lecturers may not know yet, in the order of the documentation. */
export const pendingOperations = [listPendingEnrollments, deletePendingEnrollment]
