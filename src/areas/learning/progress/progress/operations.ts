import Type from 'typebox'
import { CourseRef } from '#src/areas/courses/index.ts'
import { StudentRef } from '#src/areas/learning/access/index.ts'
import { findEnrollment, getManagedCourse, getStudent } from '#src/areas/learning/enrollments/index.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { AtQuery } from '../availability/schema.ts'
import { Progress } from './schema.ts'
import { progressView } from './views.ts'

const dev = exampleFrom('mem', 'listStudents', { having: { name: 'Dev Patel' } })

const getStudentProgress = declareFor('lecturer_of', 'students', {
  id: 'getStudentProgress',
  route: 'GET /students/:student_id/progress',
  summary: "Get a student's progress",
  description:
    'Returns the progress of a student in a course, counted by the lessons that learners see today. `at` asks about another instant: in the past, what was open and completed then; in the future, what will be open under the current rules.',
  params: StudentRef,
  query: Type.Object({
    ...CourseRef.properties,
    ...AtQuery,
  }),
  returns: Progress,
  example: { params: { student_id: dev }, query: { course_id: 'slug:sourdough-from-scratch' } },
  async handle(context) {
    const { db, school, params, query } = context
    const student = await getStudent(context, params.student_id)
    const course = await getManagedCourse(context, query.course_id)
    const row = await findEnrollment(db, school.id, { memberId: student.id, courseId: course.id })
    if (row === undefined) throw new Refusal(notFound, 'There is no such student in this course.')
    return progressView(context, row, { at: query.at })
  },
})

/** The operations of progress, in the order of the documentation. */
export const progressOperations = [getStudentProgress]
