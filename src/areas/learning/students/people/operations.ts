import Type from 'typebox'
import { StudentRef } from '#src/areas/learning/access/index.ts'
import {
  coursesFor,
  errorsOfSpan,
  getStudent,
  lockStudent,
  PendingStudent,
  readScope,
  readSpan,
  unknown,
} from '#src/areas/learning/enrollments/index.ts'
import { checkMayTouch, emailTaken, invited } from '#src/areas/people/index.ts'
import type { Db } from '#src/contract/db.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type Cells, declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidState, refuseInvalid } from '#src/contract/problems.ts'
import { listStatement, readList } from '#src/db/list.ts'
import { findWords } from '#src/db/search.ts'
import { toId } from '#src/kit/ids.ts'
import { type StudentFilter, type StudentRow, studentList } from './queries.ts'
import { type ListStudentsParams, NewStudent, Student, StudentPage, StudentsQuery } from './schema.ts'
import { studentView, viewOfStudent } from './views.ts'
import { enrollIn, findOrAddMember } from './writes.ts'

/** A student of the demo data, for the examples. */
export const studentExample = {
  student_id: exampleFrom('mem', 'listStudents', { having: { email: 'eli@crumb.example' } }),
}

const readFilter = (scope: { readonly taughtBy?: string }, query: ListStudentsParams): StudentFilter => ({
  q: query.q,
  enrolled: {
    ...scope,
    courseId: query.course_id === undefined ? undefined : query.course_id,
    state: query.state,
  },
})

const searched = async (db: Db, filter: StudentFilter): Promise<StudentFilter> =>
  filter.q === undefined ? filter : { ...filter, found: await findWords(db, 'member', filter.q) }

const CELLS: Cells<StudentRow> = {
  id: row => row.id,
  name: row => row.name,
  email: row => row.email,
  status: row => row.status,
  enrollment_count: row => row.enrollment_count,
  completed_count: row => row.completed_count,
  last_activity_at: row => row.last_activity_at,
  created_at: row => row.created_at,
}

const listStudents = declareFor('lecturer_of', 'students', {
  id: 'listStudents',
  route: 'GET /students',
  summary: 'List students',
  description:
    'Lists members who are or were enrolled. Lecturers see the students of the courses they teach, with counts for these courses only. `q` finds words by their first letters and ignores case and accents.',
  query: StudentsQuery,
  returns: StudentPage,
  csv: {
    cells: CELLS,
    statement: async context => {
      const filter = readFilter(await readScope(context), context.query)
      return listStatement(studentList(context.school.id, filter), context.query.sort)
    },
  },
  async handle(context) {
    const filter = await searched(context.db, readFilter(await readScope(context), context.query))
    return readList(context, studentList(context.school.id, filter), rows => rows.map(viewOfStudent))
  },
})

const ACTIONS = ['getStudent', 'createEnrollment', 'explainStudentAccess', 'placeHold', 'liftHold']

const getOneStudent = declareFor('lecturer_of', 'students', {
  id: 'getStudent',
  route: 'GET /students/:student_id',
  summary: 'Get a student',
  description: 'Returns one student with their counts. Lecturers see the students of the courses they teach.',
  params: StudentRef,
  returns: Student,
  example: { params: studentExample },
  async handle(context) {
    const row = await getStudent(context, context.params.student_id)
    const actions = row.status === 'invited' ? [...ACTIONS, 'inviteStudent'] : ACTIONS
    return { ...(await studentView(context, row.id)), allowed_actions: context.allowedActions(actions) }
  },
})

const createStudent = declareFor('lecturer_of', 'students', {
  id: 'createStudent',
  route: 'POST /students',
  summary: 'Create and enroll a student',
  description:
    'Enrolls a person by e-mail address and invites them if they have no account. Courses in which the person already has this access stay unchanged. A lecturer also gives the name of a person who is not yet a student of theirs, and the response then has only what was sent, until the person joins the school or begins to learn: see GET /pending-enrollments. A dry run of a lecturer only says whether the request is valid, so that nobody learns who has an account.',
  // Otherwise a lecturer could read the name of any address, without an audit entry.
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
    await readScope(context)
    const requestedIds = body.course_ids
    const span = readSpan(body, now)
    refuseInvalid(errorsOfSpan(span, now))
    const enrollee = await findOrAddMember(context, body)
    const { row, isNew, isDisclosed } = enrollee
    if (row.status === 'deleted' && isDisclosed)
      throw new Refusal(invalidState, 'The member with this address was removed.')
    const courseIds = await coursesFor(context, requestedIds)
    refuseInvalid(
      requestedIds.flatMap((id, index) =>
        courseIds.includes(id) ? [] : [unknown(`/course_ids/${index}`, 'a course you may enroll in')],
      ),
    )
    const enrolled = await enrollIn(context, enrollee, courseIds, span)
    const ref = toId('mem', row.id)
    const ids = [ref, ...enrolled.map(({ enrollment }) => toId('enr', enrollment.id))]
    if (isNew || enrolled.length > 0) changed({ ids, fields: Object.keys(body), memberId: row.id })
    if (enrollee.fact !== undefined) record(enrollee.fact)
    if (isNew && body.send_invitation !== false) record(invited(row))
    for (const { facts } of enrolled) for (const fact of facts) record(fact)
    if (!isDisclosed) return { status: 'pending' as const, email: body.email, course_ids: body.course_ids }
    return studentView(context, row.id)
  },
})

const inviteStudent = declareFor('lecturer_of', 'students', {
  id: 'inviteStudent',
  route: 'PUT /students/:student_id/invitation',
  summary: 'Resend a student invitation',
  description:
    'Sends a new invitation to a student who has not signed in yet. Earlier links and codes stop working; the new ones are valid for 7 days.',
  params: StudentRef,
  returns: Student,
  fails: [invalidState],
  example: { params: { student_id: 'external:invited-1' } },
  async handle(context) {
    const { caller, params, changed, record } = context
    const row = await lockStudent(context, params.student_id)
    checkMayTouch(caller.member, row)
    if (row.status !== 'invited') throw new Refusal(invalidState, 'This student has signed in already.')
    changed({ ids: [toId('mem', row.id)], fields: [], memberId: row.id })
    record(invited(row))
    return studentView(context, row.id)
  },
})

/** The operations of students, in the order of the documentation. */
export const peopleOperations = [listStudents, getOneStudent, createStudent, inviteStudent]
