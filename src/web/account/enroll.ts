import type { Static } from 'typebox'
import { Course } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { signInRequired } from '#src/contract/problems.ts'
import type { Session } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { atPage, formToken, isReply, languageAt, personOf, readForm, redirect } from '#src/web/page/index.ts'
import { enrollPage } from './pages/enroll.ts'
import type { AccountPagesParts } from './parts.ts'

const PATH = '/account/enroll'

type CourseView = Encoded<Static<typeof Course>>

const courseOf = (request: EndpointRequest, { performAs }: AccountPagesParts, session: Session, slug: string) =>
  performAs(atPage(request, session), {
    operation: 'getCourse',
    params: { course_id: `slug:${slug}` },
    expand: ['prices'],
    returns: Course,
  })

const pageOf = (
  request: EndpointRequest,
  secret: string,
  session: Session,
  course: CourseView,
  refusedFor?: string,
): Reply =>
  enrollPage({
    school: request.school,
    language: languageAt(request, session),
    token: formToken(secret, request.school.id, { session }),
    course,
    refusedFor,
  })

const show = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const slug = new URLSearchParams(request.query).get('course') ?? ''
  return pageOf(request, parts.secret, session, await courseOf(request, parts, session, slug))
}

const submit = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const slug = formField(await readForm(request, parts.secret, { session }), 'course')
  const course = await courseOf(request, parts, session, slug)
  try {
    const body = { course_id: course.id }
    await parts.performAs(atPage(request, session), { operation: 'createAccountEnrollment', body })
    return redirect(`/learn/${course.slug}?done=enrolled`)
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status >= 500) throw error
    if (error.problem === signInRequired) return redirect(`${PATH}?${new URLSearchParams({ course: course.slug })}`)
    return pageOf(request, parts.secret, session, course, error.problem.code)
  }
}

/** GET and POST /account/enroll: somebody enrolls in a free course. */
export const enrollEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: `GET ${PATH}`, handle: request => show(request, parts) }),
  endpoint({ route: `POST ${PATH}`, handle: request => submit(request, parts) }),
]
