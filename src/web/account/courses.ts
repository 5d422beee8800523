import { EnrollmentPage } from '#src/areas/learning/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { atPage, isReply, languageAt, personOf } from '#src/web/page/index.ts'
import { ownCoursesPage, welcomePage } from './pages/courses.ts'
import type { AccountPagesParts } from './parts.ts'

const COURSES = '100'

type Show = typeof welcomePage

const show = async (request: EndpointRequest, { performAs }: AccountPagesParts, page: Show): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const { data } = await performAs(atPage(request, session), {
    operation: 'listAccountEnrollments',
    query: [['limit', COURSES]],
    expand: ['course'],
    returns: EnrollmentPage,
  })
  return page({
    school: request.school,
    language: languageAt(request, session),
    person: session.member,
    courses: data.flatMap(({ course }) => (course === undefined ? [] : [course])),
  })
}

/** GET /account/courses, and /account/welcome for somebody who has just accepted an invitation. */
export const coursesEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/courses', handle: request => show(request, parts, ownCoursesPage) }),
  endpoint({ route: 'GET /account/welcome', handle: request => show(request, parts, welcomePage) }),
]
