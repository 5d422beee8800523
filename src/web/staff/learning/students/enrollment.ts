import { randomUUID } from 'node:crypto'
import {
  AttemptPage,
  CertificatePage,
  Enrollment,
  Explanation,
  Progress,
  SubmissionPage,
} from '#src/areas/learning/index.ts'
import { School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import { doneOf, form, page, redirect, refusalFor } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { namesFor } from '../../teaching/names.ts'
import { actOf, callOf } from './access-acts.ts'
import { enrollmentPage } from './enrollment-page.ts'
import type { EnrollmentShown, EnrollmentView } from './enrollment-view.ts'

const getEnrollment = (context: TeacherContext): Promise<EnrollmentShown> =>
  context.call({
    operation: 'getEnrollment',
    params: { enrollment_id: context.request.params.id ?? '' },
    expand: ['member'],
    returns: Enrollment,
  })

// What is read about a course that was removed, or of a person who was erased, is missing.
const unlessGone = async <Found>(found: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await found
  } catch (error) {
    if (error instanceof Refusal && error.problem === notFound) return undefined
    throw error
  }
}

const learningOf = async (context: TeacherContext, { member_id: member, course_id: course }: EnrollmentShown) => {
  const query: Pairs = [
    ['member_id', member],
    ['course_id', course],
    ['sort', '-created_at'],
    ['limit', '50'],
  ]
  const [progress, works, attempts] = await Promise.all([
    unlessGone(
      context.call({
        operation: 'getStudentProgress',
        params: { student_id: member },
        query: [['course_id', course]],
        returns: Progress,
      }),
    ),
    context.call({ operation: 'listSubmissions', query, returns: SubmissionPage }),
    context.call({ operation: 'listQuizAttempts', query, returns: AttemptPage }),
  ])
  return { progress, works: works.data, attempts: attempts.data }
}

const accessOf = async (context: TeacherContext, { member_id: member, course_id: course }: EnrollmentShown) => {
  const [access, certificates] = await Promise.all([
    unlessGone(
      context.call({
        operation: 'explainStudentAccess',
        params: { student_id: member },
        query: [
          ['course_id', course],
          ['language', context.language],
        ],
        returns: Explanation,
      }),
    ),
    unlessGone(
      context.call({
        operation: 'listCourseCertificates',
        params: { course_id: course },
        query: [['member_id', member]],
        returns: CertificatePage,
      }),
    ),
  ])
  return { access, certificates: certificates?.data ?? [] }
}

const pageOf = async (context: TeacherContext, refused?: EnrollmentView['refused']): Promise<Reply> => {
  const enrollment = await getEnrollment(context)
  const [learning, access, names] = await Promise.all([
    learningOf(context, enrollment),
    accessOf(context, enrollment),
    namesFor(context, [enrollment]),
  ])
  const done = doneOf(context.request)
  return enrollmentPage({ context, enrollment, ...learning, ...access, names, refused, done, formKey: randomUUID() })
}

const submit = async (context: TeacherContext, form: Pairs): Promise<Reply> => {
  const act = actOf(form)
  const [enrollment, { time_zone: timeZone }] = await Promise.all([
    getEnrollment(context),
    context.call({ operation: 'getSchool', returns: School }),
  ])
  const { id: enrollmentId, member_id: memberId, course_id: courseId } = enrollment
  const performed = async () => context.call(callOf(act, form, { enrollmentId, memberId, courseId, timeZone }))
  const refusal = await refusalFor(performed())
  return refusal === undefined
    ? redirect(`${context.request.path}?done=${act}`)
    : pageOf(context, { act, form, refusal })
}

/** GET and POST /staff/students/:id: one enrollment, its progress and its access. */
export const enrollmentDetails: StaffSection = {
  // The list of students leads to each of them.
  entries: [],
  pages: [
    page('GET /staff/students/:id', teachers, context => pageOf(context)),
    form('POST /staff/students/:id', teachers, submit),
  ],
}
