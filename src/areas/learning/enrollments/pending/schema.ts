import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Instant, OneOf, Personal } from '#src/kit/shapes.ts'

/** An enrollment of a person whom the lecturers of the course may not know yet: it has only the entered address. */
export const PendingEnrollment = Closed('PendingEnrollment', {
  id: Id('enr'),
  course_id: Id('crs'),
  email: Personal(Type.String({ description: 'The address as it was entered' })),
  created_at: Instant,
})

/** One page of such enrollments. */
export const PendingEnrollmentPage = PageOf(PendingEnrollment, 'PendingEnrollmentPage')

/** The query of a list of them. */
export const PendingEnrollmentsQuery = Type.Object({ ...PageQuery, course_id: Type.Optional(Id('crs')) })

/** Such an enrollment in a path. */
export const PendingEnrollmentRef = Type.Object({ enrollment_id: Id('enr') })

/** The answer to a lecturer who enrolls somebody by address: the same whether or not the person has an account. */
export const PendingStudent = Closed('PendingStudent', {
  status: OneOf(['pending'], 'The person has neither joined the school nor begun to learn in a course of yours'),
  email: Personal(Type.String({ description: 'The address as it was entered' })),
  course_ids: Type.Array(Id('crs'), { description: 'The courses of the request' }),
})
