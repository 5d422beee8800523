import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { isReply, languageAt } from '#src/web/page/index.ts'
import { staffOf } from '../../page-request.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { confirmationsPage } from './page.ts'

const { home: text } = staffText

const show = async (request: EndpointRequest, { confirmations }: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  if (isReply(session)) return session
  const waiting = await confirmations.listPending(request.school, session.member.id)
  return confirmationsPage(request.school, languageAt(request, session), waiting)
}

/** GET /staff/confirmations; each is decided at /account/confirmations/:id. */
export const confirmations: StaffSection = {
  entries: [{ path: '/staff/confirmations', name: text.confirmations, about: text.confirmationsAbout }],
  pages: [parts => endpoint({ route: 'GET /staff/confirmations', handle: request => show(request, parts) })],
}
