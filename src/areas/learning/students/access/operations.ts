import { findCourseName, listTaught } from '#src/areas/courses/index.ts'
import { AccessQuery, Explanation, explain, languageFor, StudentRef } from '#src/areas/learning/access/index.ts'
import { getStudent } from '#src/areas/learning/enrollments/index.ts'
import { isStaff } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'

const explainStudentAccess = declareFor('lecturer_of', 'students', {
  id: 'explainStudentAccess',
  route: 'GET /students/:student_id/access',
  summary: "Explain a student's access",
  description:
    'Says whether a student has access to a course at an instant, and why. For the past, the answer is what was recorded; for the future, it follows from what is known now. Release schedules of single lessons are not included.',
  params: StudentRef,
  query: AccessQuery,
  returns: Explanation,
  example: {
    params: { student_id: exampleFrom('mem', 'listStudents', { having: { email: 'eli@crumb.example' } }) },
    query: { course_id: exampleFrom('crs', 'listCourses', { having: { slug: 'first-loaf' } }) },
  },
  async handle(context) {
    const { db, school, caller, params, query } = context
    const member = await getStudent(context, params.student_id)
    const courseId = query.course_id
    const isOwn = isStaff(caller)
      ? (await findCourseName(db, school.id, courseId)) !== undefined
      : (await listTaught(db, school.id, caller.member.id, [courseId])).length > 0
    if (!isOwn) throw new Refusal(notFound, 'There is no such course.')
    const language = await languageFor(context, query.language)
    return explain(context, { member, courseId, at: query.at, language, withReasons: true })
  },
})

/** The operations that explain access, in the order of the documentation. */
export const accessOperations = [explainStudentAccess]
