import { AppearanceDraft } from '#src/areas/appearance/index.ts'
import { MemberPage } from '#src/areas/members/index.ts'
import { SchoolUsage } from '#src/areas/school/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { atPage, isReply, languageAt } from '#src/web/account/index.ts'
import { isFor } from './navigation.ts'
import { staffOf } from './page-request.ts'
import { homePage } from './pages/home.ts'
import type { StaffPagesParts } from './parts.ts'
import type { StaffEntry } from './section.ts'

const INVITED = '10'

const show = async (
  request: EndpointRequest,
  { performAs, confirmations }: StaffPagesParts,
  entries: readonly StaffEntry[],
): Promise<Reply> => {
  const session = await staffOf(request)
  if (isReply(session)) return session
  const person = atPage(request, session)
  const invitedOnly = [
    ['status', 'invited'],
    ['limit', INVITED],
  ] as const
  const [{ members: counts }, { data: invited }, waiting, { warnings }] = await Promise.all([
    performAs(person, { operation: 'getSchoolUsage', returns: SchoolUsage }),
    performAs(person, { operation: 'listMembers', query: invitedOnly, returns: MemberPage }),
    confirmations.listPending(request.school, session.member.id),
    performAs(person, { operation: 'getAppearanceDraft', returns: AppearanceDraft }),
  ])
  return homePage({
    school: request.school,
    language: languageAt(request, session),
    entries: entries.filter(entry => isFor(session.member.role, entry)),
    counts,
    invited,
    waiting,
    warnings,
  })
}

/** GET /staff, with a line for each of these entries. */
export const homeEndpoint = (parts: StaffPagesParts, entries: readonly StaffEntry[]): Endpoint =>
  endpoint({ route: 'GET /staff', handle: request => show(request, parts, entries) })
