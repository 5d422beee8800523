import { EnrollmentPage } from '#src/areas/learning/index.ts'
import { homePage } from './pages/home.ts'
import { type Answer, read } from './visit.ts'

const COURSES = '100'

/** GET /learn: the courses of the person. */
export const showHome: Answer = async (visit, parts) => {
  const { data } = await read(visit, parts, {
    operation: 'listAccountEnrollments',
    query: [['limit', COURSES]],
    expand: ['course'],
    returns: EnrollmentPage,
  })
  return homePage(visit, data)
}
