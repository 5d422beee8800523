import { MemberPage } from '#src/areas/people/index.ts'
import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { atPage, isReply, languageAt } from '#src/web/page/index.ts'
import { staffOf } from '../../page-request.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffPagesParts } from '../../parts.ts'
import type { StaffSection } from '../../section.ts'
import { type PeopleFilters, peoplePage } from './list-page.ts'

const { home: text } = staffText

// An empty field of the form filters nothing.
const filtersOf = ({ query }: EndpointRequest): PeopleFilters => {
  const parameters = new URLSearchParams(query)
  const part = (name: string): string => (parameters.get(name) ?? '').trim()
  return { q: part('q'), status: part('status'), role: part('role'), cursor: part('cursor') }
}

const show = async (request: EndpointRequest, { performAs }: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  if (isReply(session)) return session
  const filters = filtersOf(request)
  const query = Object.entries(filters).filter(([, value]) => value !== '')
  const page = await performAs(atPage(request, session), { operation: 'listMembers', query, returns: MemberPage })
  return peoplePage({
    school: request.school,
    language: languageAt(request, session),
    filters,
    people: page.data,
    next: page.next_cursor,
  })
}

/** GET /staff/people. */
export const people: StaffSection = {
  entries: [{ path: '/staff/people', name: text.people, about: text.peopleAbout }],
  pages: [parts => endpoint({ route: 'GET /staff/people', handle: request => show(request, parts) })],
}
