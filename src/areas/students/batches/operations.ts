import type { Static } from 'typebox'
import { accessesOf, changeEnds, entitleAll, nameOfPair } from '#src/areas/access/index.ts'
import {
  concealEnrollments,
  coursesFor,
  discloseEnrollments,
  enrolled,
  faultsOfSpan,
  listEnrollmentIds,
  listStudentsOf,
  scopeOf,
  spanOf,
} from '#src/areas/enrollments/index.ts'
import {
  type BatchMember,
  faultsOfMember,
  insertMany,
  invited,
  lockMeant,
  newValues,
} from '#src/areas/members/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, operation } from '#src/contract/operation.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import {
  asLecturer,
  failed,
  isNewcomer,
  isPlan,
  type Known,
  knownOf,
  type Meant,
  memberIn,
  namesIn,
  nobody,
  type Plan,
  planRow,
  shapedRows,
} from './rules.ts'
import { EnrollmentBatch, EnrollmentBatchAnswer, type outcomes, type Row } from './schema.ts'

type Writing = AsCaller & { readonly now: Date; readonly body: Static<typeof EnrollmentBatch> }
type Judged = readonly (Row | Plan)[]

const lockKnown = async ({ db, school }: Writing, rows: Judged): Promise<Known> => {
  const { ids, externalIds, emails } = namesIn(rows)
  return knownOf(await lockMeant(db, school.id, externalIds, emails, ids))
}

type Courses = { readonly all: ReadonlySet<string>; readonly students: ReadonlySet<string> | undefined }

// Staff enroll anybody; a lecturer students by id, and others by their address.
const rightsOf = async (context: Writing, rows: Judged, known: Known): Promise<Courses> => {
  const { db, school, caller } = context
  const ids = rows.flatMap(row => (isPlan(row) ? [] : (courseIn(row, context) ?? [])))
  const all = new Set(await coursesFor(context, [...new Set(ids)]))
  if (isStaff(caller)) return { all, students: undefined }
  return { all, students: await listStudentsOf(db, school.id, [...known.byId.keys()], await scopeOf(context)) }
}

const courseIn = (row: Row, { body }: Pick<Writing, 'body'>): string | undefined =>
  fromId('crs', row.course_id ?? body.course_id ?? '')

// Each once; whoever was added by somebody else meanwhile is found when all are asked for again.
const addNewcomers = async (
  context: Writing,
  rows: Judged,
  known: Known,
  { all, students }: Courses,
): Promise<ReadonlySet<string> | undefined> => {
  const { db, school, now } = context
  const wanted = new Map<string, BatchMember>()
  for (const row of rows) {
    if (isPlan(row) || !isNewcomer(row) || memberIn(row, known) !== undefined) continue
    const values = newValues(students === undefined ? namedBy(row) : { email: row.email, name: row.name })
    const key = foldEmail(row.email)
    if (faultsOfNewcomer(row, context, all).length > 0 || wanted.has(key)) continue
    wanted.set(key, { id: newUuid(now.getTime()), values, tags: [] })
  }
  return wanted.size === 0 ? undefined : insertMany(db, school.id, [...wanted.values()])
}

// What a lecturer calls somebody new is not kept: whether it is taken already is not theirs to know.
const namedBy = ({ email, name, external_id }: Row & { readonly email: string; readonly name: string }) => ({
  email,
  name,
  ...(external_id === undefined ? {} : { external_id }),
})

const UNKNOWN: FieldError = { pointer: '/course_id', code: 'unknown', message: 'is not a course you may enroll in' }

const faultsOfNewcomer = (
  row: Row & { readonly email: string; readonly name: string },
  context: Pick<Writing, 'body' | 'now'>,
  all: ReadonlySet<string>,
): FieldError[] => [
  ...faultsOfMember(newValues(namedBy(row))),
  ...(all.has(courseIn(row, context) ?? '') ? [] : [UNKNOWN]),
  ...faultsOfSpan(spanOf(row, context.now), context.now),
]

const meantBy = (
  row: Row,
  context: Pick<Writing, 'body' | 'now'>,
  known: Known,
  { all, students }: Courses,
): Meant | Plan => {
  const member = memberIn(row, known)
  // Who is no student of a lecturer's is judged as somebody new: a row that fails must not tell who has an account.
  if (member === undefined || students?.has(member.id) === false) {
    if (!isNewcomer(row)) return nobody(row)
    const errors = faultsOfNewcomer(row, context, all)
    if (errors.length > 0) return { kind: 'failed', errors }
  }
  if (member === undefined) return nobody(row)
  const isKnown = students === undefined || students.has(member.id)
  // Nor is a lecturer told that somebody was removed.
  if (member.status === 'deleted' && isKnown) return failed('', 'deleted', 'means a member who was removed')
  const courseId = courseIn(row, context)
  if (courseId === undefined) return failed('/course_id', 'required', 'is needed: neither row nor batch names a course')
  if (!all.has(courseId)) return { kind: 'failed', errors: [UNKNOWN] }
  return { member, courseId, row, isKnown }
}

const pairOf = ({ member, courseId }: Meant) => ({ memberId: member.id, itemId: courseId })

const planAll = async (context: Writing, rows: readonly (Meant | Plan)[]): Promise<Plan[]> => {
  const { db, school, now, body } = context
  const accesses = await accessesOf(
    db,
    school.id,
    'course',
    rows.flatMap(row => (isPlan(row) ? [] : [pairOf(row)])),
  )
  const seen = new Set<string>()
  return rows.map(row => {
    if (isPlan(row)) return row
    const name = nameOfPair(pairOf(row))
    if (seen.has(name)) return failed('', 'duplicate', 'means the same member and course as an earlier row')
    seen.add(name)
    const { entitlements = [], at = now } = accesses.get(name) ?? {}
    // By the clock, not by the instant of the transaction: what was given while this one waited is there.
    return planRow(row, entitlements, { now: at, source: body.source ?? 'import' })
  })
}

const kindIs =
  <Kind extends Plan['kind']>(kind: Kind) =>
  (plan: Plan): plan is Extract<Plan, { kind: Kind }> =>
    plan.kind === kind

const perform = async (context: Writing, plans: readonly Plan[]): Promise<void> => {
  const source = context.body.source ?? 'import'
  await changeEnds(
    context,
    plans.filter(kindIs('updated')).map(({ entitlementId: id, endsAt }) => ({ id, endsAt })),
  )
  const created = plans.filter(kindIs('created')).map(({ meant, span }) => ({
    memberId: meant.member.id,
    named: { type: 'course', id: meant.courseId } as const,
    source,
    ...span,
    reason: meant.row.note,
  }))
  if (created.length > 0) await entitleAll(context, created)
  const { db, school } = context
  const meant = plans.flatMap(plan => (plan.kind === 'failed' ? [] : [plan.meant]))
  const pairs = meant.map(({ member, courseId, row: { email = '' }, isKnown }) => ({
    ...{ memberId: member.id, courseId, email, isKnown },
  }))
  await concealEnrollments(
    db,
    school.id,
    pairs.filter(one => !one.isKnown),
  )
  await discloseEnrollments(
    db,
    school.id,
    pairs.filter(one => one.isKnown),
  )
}

const answerOf = async ({ db, school }: Writing, plans: readonly Plan[]) => {
  const meant = plans.flatMap(plan => (plan.kind === 'failed' ? [] : [plan.meant]))
  const pairs = meant.map(({ member, courseId }) => ({ memberId: member.id, courseId }))
  const ids = await listEnrollmentIds(db, school.id, pairs)
  const results = plans.map((plan, index): Static<typeof EnrollmentBatchAnswer>['results'][number] => {
    if (plan.kind === 'failed') return { index, status: 'failed', id: null, member_id: null, errors: [...plan.errors] }
    if (!plan.meant.isKnown) return { index, status: plan.kind, id: null, member_id: null }
    const id = ids.get(nameOfPair(pairOf(plan.meant)))
    const memberId = toId('mem', plan.meant.member.id)
    return { index, status: plan.kind, id: id === undefined ? null : toId('enr', id), member_id: memberId }
  })
  const count = (kind: (typeof outcomes)[number]): number => plans.filter(plan => plan.kind === kind).length
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    results,
  }
}

const createEnrollmentBatch = operation({
  id: 'createEnrollmentBatch',
  route: 'POST /enrollments/batches',
  summary: 'Enroll people in bulk',
  description:
    'Enrolls up to 1,000 people. Each row is matched by `member_id`, then `external_id`, then e-mail address; new people are invited unless `notify` is false. Sending the same batch again changes nothing more, and access that staff revoked does not come back. Lecturers name their own students by `member_id` or `external_id` and others by e-mail address with a name; an `external_id` that they send is not stored. They are told neither id nor `member_id` of others until those join: see GET /pending-enrollments. Their dry run only says whether the batch is valid.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
  // Else a lecturer would learn of a thousand addresses who has an account, and nobody would hear of it.
  dryRun: 'veiled_unless_staff',
  body: EnrollmentBatch,
  returns: EnrollmentBatchAnswer,
  example: {
    body: {
      course_id: exampleFrom('crs', 'listCourses', { having: { slug: 'first-loaf' } }),
      rows: [{ email: 'eli@crumb.example' }, { email: 'hugo@crumb.example', name: 'Hugo Lima' }],
      notify: false,
    },
  },
  async handle(context) {
    const { body, changed, record } = context
    await scopeOf(context)
    const shaped = shapedRows(body.rows)
    const before = await lockKnown(context, shaped)
    const rights = await rightsOf(context, shaped, before)
    const nameable = (known: Known): Known =>
      rights.students === undefined ? known : asLecturer(known, rights.students)
    const added = await addNewcomers(context, shaped, nameable(before), rights)
    const known = nameable(added === undefined ? before : await lockKnown(context, shaped))
    const made = added ?? new Set<string>()
    const rows = shaped.map(row => (isPlan(row) ? row : meantBy(row, context, known, rights)))
    const plans = await planAll(context, rows)
    await perform(context, plans)
    const answer = await answerOf(context, plans)
    const written = answer.results.filter(({ status }) => status === 'created' || status === 'updated')
    const members = [...made].map(id => toId('mem', id))
    const ids = [...members, ...written.flatMap(({ id }) => id ?? [])]
    if (ids.length > 0) {
      changed({ ids, fields: ['rows'] })
      record(imported(answer, made.size))
    }
    if (body.send_invitations === true) for (const id of made) record(invited({ id }))
    const { source = 'import', notify = true } = body
    if (notify)
      for (const { meant } of plans.filter(kindIs('created')))
        record(enrolled({ memberId: meant.member.id, courseId: meant.courseId, source }))
    return answer
  },
})

const imported = ({ created, updated }: { readonly created: number; readonly updated: number }, made: number) => ({
  type: 'student.imported',
  payload: { created, updated, members: made },
  effects: {
    access: {
      en: `Gives access ${created} times and moves its end ${updated} times`,
      pt: `Dá acesso ${created} vezes e altera-lhe o fim ${updated} vezes`,
    },
  },
})

/** Enrolling many at once. */
export const batchOperations = [createEnrollmentBatch]
