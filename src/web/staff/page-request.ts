import { isAtLeast, type Role } from '#src/contract/caller.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { isReply, languageAt, personOf, readForm, recentPersonOf } from '#src/web/page/index.ts'
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

/** A form of a member of the staff with a recent sign-in. */
type StaffForm = { readonly session: Session; readonly form: Pairs }

/** Reads a form of these pages; its token is checked first. */
export const staffFormOf = async (
  request: EndpointRequest,
  secret: string,
  least: StaffRole = 'admin',
): Promise<StaffForm | Reply> => {
  const signedIn = await personOf(request)
  if (isReply(signedIn)) return signedIn
  const form = await readForm(request, secret, { session: signedIn })
  const session = await recentStaffOf(request, least)
  return isReply(session) ? session : { session, form }
}

/** The refusal of an operation that the page shows; undefined when the operation was done. Other errors are thrown. */
export const refusalOf = async (done: Promise<unknown>): Promise<Refusal | undefined> => {
  try {
    await done
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal) || error.problem.status === 404 || error.problem.status >= 500) throw error
    return error
  }
}
