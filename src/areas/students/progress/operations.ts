import Type from 'typebox'
import { CourseRef, checkRunsCourse, getCourse } from '#src/areas/courses/index.ts'
import { shownBy } from '#src/contract/example.ts'
import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { fromId } from '#src/kit/ids.ts'
import { findEnrollment } from '../enrollments/queries.ts'
import { AtQuery, StudentLessonRef } from '../openings/schema.ts'
import { progressView } from './actions.ts'
import { Progress } from './schema.ts'

const dev = shownBy('mem', 'listMembers', { having: { email: 'dev@crumb.example' } })

const getStudentProgress = operation({
  id: 'getStudentProgress',
  route: 'GET /students/:student_id/progress',
  summary: 'How far a student is in a course',
  description:
    'Counted anew by the lessons that learners see today. Of an instant that is over, what was open and completed then; of one to come, what will be open by the rules of today.',
  scope: 'students:read',
  who: 'lecturer_of',
  mode: 'read',
  params: Type.Object({ student_id: StudentLessonRef.properties.student_id }),
  query: Type.Object({
    ...CourseRef.properties,
    ...AtQuery,
  }),
  returns: Progress,
  example: { params: { student_id: dev }, query: { course_id: 'slug:sourdough-from-scratch' } },
  async handle(context) {
    const { db, school, caller, params, query } = context
    const course = await getCourse(context, query.course_id)
    checkRunsCourse(caller, course)
    const memberId = fromId('mem', params.student_id)
    const row = memberId && (await findEnrollment(db, school.id, { memberId, courseId: course.id }))
    if (!row) throw new Refusal(notFound, 'There is no such student in this course.')
    return progressView(context, row, query.at === undefined ? undefined : new Date(query.at))
  },
})

/** The operations of progress, in the order of the documentation. */
export const progressOperations = [getStudentProgress]
