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
import { doneOf, redirect } from '#src/web/page/index.ts'
import type { StaffSection } from '../../section.ts'
import { namesFor } from '../../teaching/names.ts'
import { type TeachingVisit, teachingForm, teachingPage } from '../../teaching/visit.ts'
import { perform, refusalFor } from '../../visit.ts'
import { actOf, callOf } from './access-acts.ts'
import { enrollmentPage } from './enrollment-page.ts'
import type { EnrollmentShown, EnrollmentView } from './enrollment-view.ts'

const getEnrollment = (visit: TeachingVisit): Promise<EnrollmentShown> =>
  perform(visit, {
    operation: 'getEnrollment',
    params: { enrollment_id: visit.request.params.id ?? '' },
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

const learningOf = async (visit: TeachingVisit, { member_id: member, course_id: course }: EnrollmentShown) => {
  const query: Pairs = [
    ['member_id', member],
    ['course_id', course],
    ['sort', '-created_at'],
    ['limit', '50'],
  ]
  const [progress, works, attempts] = await Promise.all([
    unlessGone(
      perform(visit, {
        operation: 'getStudentProgress',
        params: { student_id: member },
        query: [['course_id', course]],
        returns: Progress,
      }),
    ),
    perform(visit, { operation: 'listSubmissions', query, returns: SubmissionPage }),
    perform(visit, { operation: 'listQuizAttempts', query, returns: AttemptPage }),
  ])
  return { progress, works: works.data, attempts: attempts.data }
}

const accessOf = async (visit: TeachingVisit, { member_id: member, course_id: course }: EnrollmentShown) => {
  const [access, certificates] = await Promise.all([
    unlessGone(
      perform(visit, {
        operation: 'explainStudentAccess',
        params: { student_id: member },
        query: [
          ['course_id', course],
          ['language', visit.language],
        ],
        returns: Explanation,
      }),
    ),
    unlessGone(
      perform(visit, {
        operation: 'listCourseCertificates',
        params: { course_id: course },
        query: [['member_id', member]],
        returns: CertificatePage,
      }),
    ),
  ])
  return { access, certificates: certificates?.data ?? [] }
}

const pageOf = async (visit: TeachingVisit, refused?: EnrollmentView['refused']): Promise<Reply> => {
  const enrollment = await getEnrollment(visit)
  const [learning, access, names] = await Promise.all([
    learningOf(visit, enrollment),
    accessOf(visit, enrollment),
    namesFor(visit, [enrollment]),
  ])
  const done = doneOf(visit.request)
  return enrollmentPage({ visit, enrollment, ...learning, ...access, names, refused, done, formKey: randomUUID() })
}

const submit = async (visit: TeachingVisit, form: Pairs): Promise<Reply> => {
  const act = actOf(form)
  const [enrollment, { time_zone: timeZone }] = await Promise.all([
    getEnrollment(visit),
    perform(visit, { operation: 'getSchool', returns: School }),
  ])
  const { id: enrollmentId, member_id: memberId, course_id: courseId } = enrollment
  const performed = async () => perform(visit, callOf(act, form, { enrollmentId, memberId, courseId, timeZone }))
  const refusal = await refusalFor(performed())
  return refusal === undefined ? redirect(`${visit.request.path}?done=${act}`) : pageOf(visit, { act, form, refusal })
}

/** GET and POST /staff/students/:id: one enrollment, its progress and its access. */
export const enrollmentDetails: StaffSection = {
  // The list of students leads to each of them.
  entries: [],
  endpoints: parts => [
    teachingPage('GET /staff/students/:id', parts, visit => pageOf(visit)),
    teachingForm('POST /staff/students/:id', parts, submit),
  ],
}
