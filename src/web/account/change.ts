import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { Session } from '#src/identity/index.ts'
import { formToken, languageAt } from '#src/web/page/index.ts'
import type { ChangeView, Complaint } from './pages/change.ts'

/** The view of a page with a change form: the person, the form token, and the error. */
export const changeView = (
  request: EndpointRequest,
  secret: string,
  session: Session,
  complaint?: Complaint,
): ChangeView => ({
  school: request.school,
  language: languageAt(request, session),
  person: session.member,
  token: formToken(secret, request.school.id, { session }),
  complaint,
})
