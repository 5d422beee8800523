import type { Static } from 'typebox'
import {
  changeEnds,
  type EntitlementRow,
  type Explained,
  explain,
  languageFor,
  readAccess,
  revoke,
  revokedNothing,
  revokedSome,
} from '#src/areas/learning/access/index.ts'
import { findMember } from '#src/areas/people/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { fill } from '#src/contract/language.ts'
import { type AsCaller, declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { refuseInvalid, roleRequired } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { discloseEnrollments } from '../pending/queries.ts'
import { coursesFor, lockEnrollment, memberToEnroll } from './access.ts'
import { enrollmentExample } from './operations.ts'
import type { EnrollmentRow } from './queries.ts'
import {
  alreadyEnrolled,
  covering,
  entitlementEnded,
  errorsOfSpan,
  faulty,
  isGrantedByStaff,
  isOver,
  named,
  notGrantedByStaff,
  readSpan,
  unknown,
} from './rules.ts'
import { Enrollment, EnrollmentChanges, EnrollmentRef, NewEnrollment, Revocation, RevocationQuery } from './schema.ts'
import { enrollmentView, enrollmentViewWith } from './views.ts'
import { enroll } from './writes.ts'

const accessTo = ({ db, school }: AsCaller, { member_id, course_id }: Pick<EnrollmentRow, 'member_id' | 'course_id'>) =>
  readAccess(db, school.id, { memberId: member_id, item: { type: 'course', id: course_id } })

const createEnrollment = declareFor('lecturer_of', 'students', {
  id: 'createEnrollment',
  route: 'POST /enrollments',
  summary: 'Enroll a member',
  description:
    'Gives a member one more reason for access to a course, beside those they have. A start in the past counts as now. Lecturers enroll their own students in the courses they teach.',
  body: NewEnrollment,
  returns: Enrollment,
  status: 201,
  fails: [alreadyEnrolled],
  example: {
    body: {
      member_id: exampleFrom('mem', 'listStudents', { having: { email: 'eli@crumb.example' } }),
      course_id: exampleFrom('crs', 'listCourses', { having: { slug: 'sourdough-from-scratch' } }),
      source: 'gift',
      notify: false,
    },
  },
  async handle(context) {
    const { body, now, changed, record } = context
    const member = await memberToEnroll(context, body.member_id)
    const [courseId] = await coursesFor(context, [body.course_id])
    const span = readSpan(body, now)
    refuseInvalid([
      ...(member === undefined ? [unknown('/member_id', 'a member you may enroll')] : []),
      ...(courseId === undefined ? [unknown('/course_id', 'a course you may enroll in')] : []),
      ...errorsOfSpan(span, now),
    ])
    if (member === undefined || courseId === undefined) throw new Error('what is unknown was refused')
    // By the clock, not by the instant of the transaction, to include what others gave while this one waited.
    const { at, entitlements } = await accessTo(context, { member_id: member.id, course_id: courseId })
    if (covering(entitlements, span, at) !== undefined)
      throw new Refusal(alreadyEnrolled, 'The member has been given this access already.')
    const { source = 'staff', note, notify } = body
    const plan = { memberId: member.id, courseId, source, ...span, reason: note, notify }
    const { enrollment, facts } = await enroll(context, plan)
    // Who names a member by id may know them.
    await discloseEnrollments(context.db, context.school.id, [plan])
    const ids = [toId('enr', enrollment.id), toId('mem', member.id), toId('crs', courseId)]
    changed({ ids, fields: Object.keys(body), revision: enrollment.revision, memberId: member.id })
    for (const fact of facts) record(fact)
    return enrollmentView(context, enrollment)
  },
})

// The entitlement that is named, or the only one that staff can change.
const chooseEntitlement = ({ at, entitlements }: Explained, id: string | undefined): EntitlementRow => {
  const own = named(entitlements)
  const candidates = own.filter(one => isGrantedByStaff(one) && !isOver(one, at))
  if (id === undefined) {
    const [first, second] = candidates
    if (first === undefined) throw new Refusal(entitlementEnded, 'No access that staff gave is active.')
    if (second === undefined) return first
    const message = `is needed: ${candidates.map(one => toId('ent', one.id)).join(', ')} are active`
    throw faulty([{ pointer: '/entitlement_id', code: 'required', message }])
  }
  const found = own.find(one => one.id === id)
  if (found === undefined) throw faulty([unknown('/entitlement_id', 'an entitlement of this enrollment')])
  if (!isGrantedByStaff(found)) throw new Refusal(notGrantedByStaff, 'This entitlement is changed where it comes from.')
  if (isOver(found, at)) throw new Refusal(entitlementEnded, 'This entitlement has ended.')
  return found
}

const sameEnd = ({ ends_at }: EntitlementRow, end: Date | null): boolean =>
  (ends_at?.getTime() ?? null) === (end?.getTime() ?? null)

const updateEnrollment = declareFor('lecturer_of', 'students', {
  id: 'updateEnrollment',
  route: 'PATCH /enrollments/:enrollment_id',
  summary: 'Change when access ends',
  description:
    'Moves the end of one reason for access that staff gave; the others stay. To end access now, delete the enrollment; access that has ended is given again with a new enrollment.',
  ifMatch: 'honoured',
  params: EnrollmentRef,
  body: EnrollmentChanges,
  returns: Enrollment,
  fails: [entitlementEnded, notGrantedByStaff],
  example: { params: enrollmentExample, body: { ends_at: '2100-01-01T00:00:00.000Z' } },
  async handle(context) {
    const { params, body, now, requireMatch, changed, record } = context
    const row = await lockEnrollment(context, params.enrollment_id)
    await requireMatch(row.revision, () => enrollmentView(context, row))
    const one = chooseEntitlement(await accessTo(context, row), body.entitlement_id)
    const endsAt = body.ends_at
    if (sameEnd(one, endsAt)) return enrollmentView(context, row)
    refuseInvalid(errorsOfSpan({ startsAt: one.starts_at, ...(endsAt === null ? {} : { endsAt }) }, now))
    const [fact] = await changeEnds(context, [{ id: one.id, endsAt }])
    if (fact === undefined) throw new Refusal(entitlementEnded, 'This entitlement has ended.')
    const ids = [toId('enr', row.id), toId('ent', one.id)]
    changed({ ids, fields: ['ends_at'], revision: row.revision, memberId: row.member_id })
    record(fact)
    return enrollmentView(context, row)
  },
})

// Those to revoke: the named ones that are active, or all that staff gave.
const toRevoke = ({ at, entitlements }: Explained, ids: readonly string[] | undefined): EntitlementRow[] => {
  const own = named(entitlements).filter(one => !isOver(one, at))
  if (ids === undefined) return own.filter(isGrantedByStaff)
  const all = named(entitlements)
  const isOther = ids.some(id => !all.some(one => one.id === id))
  if (isOther) throw new Refusal(notGrantedByStaff, 'An entitlement in the list is not one to this course itself.')
  return own.filter(one => ids.includes(one.id))
}

// What was revoked, and then what access remains.
const sentencesAfter = async (
  context: AsCaller,
  row: EnrollmentRow,
  explained: Explained,
  revoked: number,
): Promise<string[]> => {
  const { db, school } = context
  const member = await findMember(db, school.id, row.member_id)
  const language = await languageFor(context, undefined)
  if (member === undefined) return []
  const after = await explain(context, { member, courseId: row.course_id, language, withReasons: true, explained })
  return [fill(revoked === 0 ? revokedNothing : revokedSome, language, { count: revoked }), ...after.explanation]
}

const revokeEnrollment = declareFor('lecturer_of', 'students', {
  id: 'revokeEnrollment',
  route: 'DELETE /enrollments/:enrollment_id',
  summary: 'Revoke an enrollment',
  description:
    'Ends the access that staff gave to a course, or only the entitlements in `entitlement_id[in]`. Access that was bought or comes from a group stays, and the response says what still gives access. Learning progress is kept.',
  ifMatch: 'honoured',
  params: EnrollmentRef,
  query: RevocationQuery,
  returns: Revocation,
  fails: [notGrantedByStaff],
  example: { params: enrollmentExample, query: { reason: 'asked to leave' } },
  async handle(context): Promise<Static<typeof Revocation>> {
    const { params, query, requireMatch, changed, record } = context
    const row = await lockEnrollment(context, params.enrollment_id)
    await requireMatch(row.revision, () => enrollmentView(context, row))
    const ending = toRevoke(await accessTo(context, row), query['entitlement_id[in]'])
    if (!isStaff(context.caller) && !ending.every(isGrantedByStaff))
      throw new Refusal(roleRequired, 'Only staff can end what was bought.')
    const facts = await revoke(
      context,
      ending.map(({ id }) => id),
      { by: 'school', reason: query.reason },
    )
    const revoked = facts.flatMap(({ payload }) => ('entitlement_id' in payload ? [payload.entitlement_id] : []))
    if (revoked.length > 0) {
      const ids = [toId('enr', row.id), ...revoked]
      changed({ ids, fields: ['revoked_at'], revision: row.revision, memberId: row.member_id })
    }
    for (const fact of facts) record(fact)
    const after = await accessTo(context, row)
    const sources = new Map(after.entitlements.map(one => [one.id, one.source]))
    const kept = after.access.entitlement_ids.flatMap(id => {
      const source = sources.get(id)
      return source === undefined ? [] : [{ entitlement_id: id, source }]
    })
    return {
      enrollment: await enrollmentViewWith(context, row, after),
      revoked,
      kept,
      explanation: await sentencesAfter(context, row, after, revoked.length),
    }
  },
})

/** The operations that write enrollments, in the order of the documentation. */
export const writingOperations = [createEnrollment, updateEnrollment, revokeEnrollment]
