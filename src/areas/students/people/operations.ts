import Type, { type Static } from 'typebox'
import { accessOf, StudentRef } from '#src/areas/access/index.ts'
import {
  concealEnrollments,
  coursesFor,
  covering,
  discloseEnrollments,
  enroll,
  faultsOfSpan,
  faulty,
  getStudent,
  holdStudent,
  isStudent,
  PendingStudent,
  type Span,
  scopeOf,
  spanOf,
  unknown,
} from '#src/areas/enrollments/index.ts'
import {
  checkMayTouch,
  emailTaken,
  faultsOfMember,
  findMember,
  insertMany,
  invited,
  lockMeant,
  type MemberRow,
  newValues,
} from '#src/areas/members/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, type Cell, csvRows, operation } from '#src/contract/operation.ts'
import { buildPage, parsePage } from '#src/contract/pagination.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { fromId, newUuid, toId } from '#src/kit/ids.ts'
import { foldEmail } from '#src/kit/text.ts'
import {
  countStudents,
  getStudentRow,
  positionOf,
  type StudentFilter,
  type StudentOrder,
  type StudentRow,
  studentsStatement,
} from './queries.ts'
import { type ListStudentsParams, NewStudent, Student, StudentPage, StudentsQuery } from './schema.ts'

/** A student of the named world, for the examples. */
export const studentExample = {
  student_id: exampleFrom('mem', 'listStudents', { having: { email: 'eli@crumb.example' } }),
}

const viewOf = (row: StudentRow): Static<typeof Student> => ({
  id: toId('mem', row.id),
  name: row.name,
  email: row.email,
  status: row.status,
  enrollment_count: row.enrollment_count,
  completed_count: row.completed_count,
  last_activity_at: row.last_activity_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

const filterOf = (scope: { readonly taughtBy?: string }, query: ListStudentsParams): StudentFilter => ({
  q: query.q,
  enrolled: {
    ...scope,
    courseId: query.course_id === undefined ? undefined : (fromId('crs', query.course_id) ?? ''),
    state: query.state,
  },
})

const orderOf = ({ sort = 'created_at' }: ListStudentsParams): StudentOrder => ({
  key: (sort.startsWith('-') ? sort.slice(1) : sort) as StudentOrder['key'],
  isDescending: sort.startsWith('-'),
})

const COLUMNS = [
  'id',
  'name',
  'email',
  'status',
  'enrollment_count',
  'completed_count',
  'last_activity_at',
  'created_at',
]

const cellsOf = (row: StudentRow): Cell[] => [
  ...[toId('mem', row.id), row.name, row.email, row.status, row.enrollment_count, row.completed_count],
  ...[row.last_activity_at?.toISOString() ?? null, row.created_at.toISOString()],
]

const listStudents = operation({
  id: 'listStudents',
  route: 'GET /students',
  summary: 'List students',
  description:
    'Lists members who are or were enrolled. Lecturers see the students of the courses they teach, with counts for these courses only. `q` finds words by their first letters and ignores case and accents.',
  scope: 'students:read',
  who: 'lecturer_of',
  mode: 'read',
  query: StudentsQuery,
  returns: StudentPage,
  csv: {
    columns: COLUMNS,
    rows: async context => {
      const filter = filterOf(await scopeOf(context), context.query)
      return csvRows(studentsStatement(context.school.id, filter, orderOf(context.query)), cellsOf)
    },
  },
  async handle(context) {
    const { db, school, query } = context
    const filter = filterOf(await scopeOf(context), query)
    const order = orderOf(query)
    const found = await db.all(studentsStatement(school.id, filter, order, parsePage(context)))
    return buildPage(context, found, {
      positionOf: row => positionOf(row, order),
      itemOf: viewOf,
      total: () => countStudents(db, school.id, filter),
    })
  },
})

const studentView = async (looking: AsCaller, id: string): Promise<Static<typeof Student>> =>
  viewOf(await getStudentRow(looking.db, looking.school.id, id, await scopeOf(looking)))

const ACTIONS = ['getStudent', 'createEnrollment', 'explainStudentAccess', 'placeHold', 'liftHold']

const getOneStudent = operation({
  id: 'getStudent',
  route: 'GET /students/:student_id',
  summary: 'Get a student',
  description: 'Returns one student with their counts. Lecturers see the students of the courses they teach.',
  scope: 'students:read',
  who: 'lecturer_of',
  mode: 'read',
  params: StudentRef,
  returns: Student,
  example: { params: studentExample },
  async handle(context) {
    const row = await getStudent(context, context.params.student_id)
    const actions = row.status === 'invited' ? [...ACTIONS, 'inviteStudent'] : ACTIONS
    return { ...(await studentView(context, row.id)), allowed_actions: context.allowedActions(actions) }
  },
})

type Said = Static<typeof NewStudent>
type Writing = AsCaller & { readonly now: Date }

// Who is not, is judged as somebody new would be: a refusal must not tell a lecturer who has an account.
const isLookedAfter = async (looking: AsCaller, { id }: MemberRow): Promise<boolean> =>
  isStaff(looking.caller) || isStudent(looking.db, looking.school.id, id, await scopeOf(looking))

// Nobody can sign in as who is invited before the address was proven; that is for the person who gets the mail.
type Meant = { readonly row: MemberRow; readonly isNew: boolean; readonly isKnown: boolean }

const memberOf = async (context: Writing, said: Said): Promise<Meant> => {
  const { db, school, now } = context
  const folded = foldEmail(said.email)
  const [known] = await lockMeant(db, school.id, [], [folded])
  if (known !== undefined && (await isLookedAfter(context, known))) return { row: known, isNew: false, isKnown: true }
  if (said.name === undefined)
    throw faulty([{ pointer: '/name', code: 'required', message: 'is needed: nobody you look after has this address' }])
  const values = newValues({ email: said.email, name: said.name, ...(said.locale ? { locale: said.locale } : {}) })
  refuseInvalid(faultsOfMember(values))
  const isKnown = isStaff(context.caller)
  if (known !== undefined) return { row: known, isNew: false, isKnown }
  const id = newUuid(now.getTime())
  const made = await insertMany(db, school.id, [{ id, values, tags: [] }])
  // Somebody added the address a moment before: who they are is asked again.
  const row = made.has(id) ? await findMember(db, school.id, toId('mem', id)) : undefined
  const [other] = row === undefined ? await lockMeant(db, school.id, [], [folded]) : []
  const found = row ?? other
  if (found === undefined) throw new Refusal(emailTaken, 'Another member was given this address meanwhile.')
  return { row: found, isNew: row !== undefined, isKnown }
}

const enrollIn = async (
  context: Writing & { readonly body: Said },
  { row: member, isKnown }: Meant,
  courseIds: readonly string[],
  span: Span,
) => {
  const { db, school, body } = context
  const { source = 'staff', note, notify } = body
  const made = []
  for (const courseId of courseIds) {
    const { at, entitlements } = await accessOf(db, school.id, {
      memberId: member.id,
      item: { type: 'course', id: courseId },
    })
    if (covering(entitlements, span, at) !== undefined) continue
    made.push(await enroll(context, { memberId: member.id, courseId, source, ...span, reason: note, notify }))
  }
  const pairs = courseIds.map(courseId => ({ memberId: member.id, courseId, email: body.email }))
  if (isKnown) await discloseEnrollments(db, school.id, pairs)
  else await concealEnrollments(db, school.id, pairs)
  return made
}

const createStudent = operation({
  id: 'createStudent',
  route: 'POST /students',
  summary: 'Create and enroll a student',
  description:
    'Enrolls a person by e-mail address and invites them if they have no account. Courses in which the person already has this access stay unchanged. A lecturer also gives the name of a person who is not yet a student of theirs, and the response then has only what was sent, until the person joins the school or begins to learn: see GET /pending-enrollments. A dry run of a lecturer only says whether the request is valid, so that nobody learns who has an account.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
  // Else a lecturer would read the name of anybody whose address they have, and nobody would hear of it.
  dryRun: 'veiled',
  body: NewStudent,
  returns: Type.Union([Student, PendingStudent]),
  status: 201,
  fails: [emailTaken, invalidState],
  example: {
    body: {
      email: 'gil@crumb.example',
      name: 'Gil Tavares',
      course_ids: [exampleFrom('crs', 'listCourses', { having: { slug: 'first-loaf' } })],
      send_invitation: false,
      notify: false,
    },
  },
  async handle(context) {
    const { body, now, changed, record } = context
    await scopeOf(context)
    const wanted = body.course_ids.map(id => fromId('crs', id) ?? '')
    const span = spanOf(body, now)
    refuseInvalid(faultsOfSpan(span, now))
    const meant = await memberOf(context, body)
    const { row, isNew, isKnown } = meant
    if (row.status === 'deleted' && isKnown)
      throw new Refusal(invalidState, 'The member with this address was removed.')
    const courseIds = await coursesFor(context, wanted)
    refuseInvalid(
      wanted.flatMap((id, index) =>
        courseIds.includes(id) ? [] : [unknown(`/course_ids/${index}`, 'a course you may enroll in')],
      ),
    )
    const made = await enrollIn(context, meant, courseIds, span)
    const ref = toId('mem', row.id)
    const ids = [ref, ...made.map(({ enrollment }) => toId('enr', enrollment.id))]
    if (isNew || made.length > 0) changed({ ids, fields: Object.keys(body), memberId: row.id })
    if (isNew) record({ type: 'member.created', payload: { member: ref } })
    if (isNew && body.send_invitation !== false) record(invited(row))
    for (const { facts } of made) for (const fact of facts) record(fact)
    if (!isKnown) return { status: 'pending' as const, email: body.email, course_ids: body.course_ids }
    return studentView(context, row.id)
  },
})

const inviteStudent = operation({
  id: 'inviteStudent',
  route: 'PUT /students/:student_id/invitation',
  summary: 'Resend a student invitation',
  description:
    'Sends a new invitation to a student who has not signed in yet. Earlier links and codes stop working; the new ones are valid for 7 days.',
  scope: 'students:write',
  who: 'lecturer_of',
  mode: 'write',
  params: StudentRef,
  returns: Student,
  fails: [invalidState],
  example: { params: { student_id: 'external:invited-1' } },
  async handle(context) {
    const { caller, params, changed, record } = context
    const row = await holdStudent(context, params.student_id)
    checkMayTouch(caller.member, row)
    if (row.status !== 'invited') throw new Refusal(invalidState, 'This student has come already.')
    changed({ ids: [toId('mem', row.id)], fields: [], memberId: row.id })
    record(invited(row))
    return studentView(context, row.id)
  },
})

/** Students as people, in the order of the documentation. */
export const peopleOperations = [listStudents, getOneStudent, createStudent, inviteStudent]
