import { type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { atPage, isReply, languageAt } from '#src/web/page/index.ts'
import { staffOf } from '../page-request.ts'
import type { StaffPagesParts } from '../parts.ts'
import type { StaffSection } from '../section.ts'
import { findEverything } from './find.ts'
import { searchPage } from './page.ts'
import { searchText as text } from './text.ts'

const show = async (request: EndpointRequest, { performAs }: StaffPagesParts): Promise<Reply> => {
  const session = await staffOf(request)
  if (isReply(session)) return session
  const q = (new URLSearchParams(request.query).get('q') ?? '').trim()
  const language = languageAt(request, session)
  const found = q === '' ? [] : await findEverything(performAs, atPage(request, session), { q, language })
  return searchPage({ school: request.school, language, q, found })
}

/** GET /staff/search. */
export const search: StaffSection = {
  entries: [{ path: '/staff/search', name: text.title, about: text.about }],
  pages: [parts => endpoint({ route: 'GET /staff/search', handle: request => show(request, parts) })],
}
