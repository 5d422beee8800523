import { isAtLeast, type Role } from '#src/contract/caller.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Session } from '#src/identity/index.ts'
import { isReply, languageAt, personOf, recentPersonOf } from '#src/web/page/index.ts'
import { notForYouPage } from './pages/not-for-you.ts'
import { staffText } from './pages/text.ts'
import type { StaffRole } from './section.ts'

// Who may see the page of a request, for its navigation.
const viewers = new WeakMap<EndpointRequest, Session>()

/** The session for which a page is shown; undefined where nobody may see it. */
export const viewerOf = (request: EndpointRequest): Session | undefined => viewers.get(request)

const wordsFor = (role: Role, least: StaffRole): Phrase => {
  if (least === 'lecturer') return staffText.notForYou.lecturers
  return isAtLeast(role, 'admin') ? staffText.notForYou.owners : staffText.notForYou.text
}

/** The session, if somebody may see the page and its navigation, or the page that refuses them. */
export const admitted = (request: EndpointRequest, session: Session, least: StaffRole): Session | Reply => {
  const { role } = session.member
  if (!isAtLeast(role, least)) return notForYouPage(request.school, languageAt(request, session), wordsFor(role, least))
  viewers.set(request, session)
  return session
}

/** Shows the navigation of the console on the page of a request, for a lecturer or a member of the staff who may see the page. */
export const showConsole = (request: EndpointRequest, session: Session): void => {
  if (isAtLeast(session.member.role, 'lecturer')) viewers.set(request, session)
}

/** The session of an admin, or of another role and above, or a redirect to sign-in and back, or a page that refuses others. */
export const staffOf = async (request: EndpointRequest, least: StaffRole = 'admin'): Promise<Session | Reply> => {
  const session = await personOf(request)
  return isReply(session) ? session : admitted(request, session, least)
}

/** The same for a recent sign-in. */
export const recentStaffOf = async (request: EndpointRequest, least: StaffRole = 'admin'): Promise<Session | Reply> => {
  const session = await recentPersonOf(request)
  return isReply(session) ? session : admitted(request, session, least)
}
