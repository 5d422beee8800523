import { OutboxMailText, OutboxPage } from '#src/areas/school/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { atPage, isReply, languageAt } from '#src/web/page/index.ts'
import { staffOf } from '../../page-request.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { type Filters, listPage, mailPage } from './pages.ts'
import { outboxText as text } from './text.ts'

const filtersOf = ({ query }: EndpointRequest): Filters => {
  const parameters = new URLSearchParams(query)
  const part = (name: string): string => (parameters.get(name) ?? '').trim()
  return { state: part('state'), cursor: part('cursor') }
}

const showList = async (request: EndpointRequest, { performAs }: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  if (isReply(session)) return session
  const filters = filtersOf(request)
  const query = Object.entries(filters).filter(([, value]) => value !== '')
  const page = await performAs(atPage(request, session), { operation: 'listOutboxMails', query, returns: OutboxPage })
  return listPage({
    school: request.school,
    language: languageAt(request, session),
    viewer: session.member,
    filters,
    mails: page.data,
    next: page.next_cursor,
  })
}

const showMail = async (request: EndpointRequest, { performAs }: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request, 'owner')
  if (isReply(session)) return session
  const params = { mail_id: request.params.id ?? '' }
  const call = { operation: 'getOutboxMail', params, returns: OutboxMailText }
  const mail = await performAs(atPage(request, session), call)
  return mailPage({ school: request.school, language: languageAt(request, session), viewer: session.member, mail })
}

/** GET /staff/outbox and /staff/outbox/:id. */
export const outbox: StaffSection = {
  entries: [{ path: '/staff/outbox', name: text.title, about: text.about }],
  pages: [
    parts => endpoint({ route: 'GET /staff/outbox', handle: request => showList(request, parts) }),
    parts => endpoint({ route: 'GET /staff/outbox/:id', handle: request => showMail(request, parts) }),
  ],
}
