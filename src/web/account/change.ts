import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { Session } from '#src/identity/index.ts'
import { formToken, languageAt } from './page-request.ts'
import type { ChangeView, Complaint } from './pages/change.ts'

/** What a page of a change is told: whose it is, and what was wrong. */
export const changeView = (
  request: EndpointRequest,
  secret: string,
  session: Session,
  complaint?: Complaint,
): ChangeView => ({
  language: languageAt(request, session),
  person: session.member,
  token: formToken(secret, request.school.id, { session }),
  complaint,
})
