import { isAtLeast } from '#src/contract/caller.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { Session } from '#src/identity/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { isReply, languageAt, personOf, readForm, recentPersonOf } from '#src/web/account/index.ts'
import { notForYouPage } from './pages/not-for-you.ts'
import { staffText } from './pages/text.ts'

const staffOnly = (request: EndpointRequest, session: Session): Session | Reply =>
  isAtLeast(session.member.role, 'admin') ? session : notForYouPage(request.school, languageAt(request, session))

/** The session of a member of the staff, or a redirect to sign-in and back, or a page that refuses others. */
export const staffOf = async (request: EndpointRequest): Promise<Session | Reply> => {
  const session = await personOf(request)
  return isReply(session) ? session : staffOnly(request, session)
}

/** The same for a recent sign-in. */
export const recentStaffOf = async (request: EndpointRequest): Promise<Session | Reply> => {
  const session = await recentPersonOf(request)
  return isReply(session) ? session : staffOnly(request, session)
}

/** The session of a lecturer or a member of the staff, or a redirect to sign-in and back, or a page that refuses others. */
export const lecturerOf = async (request: EndpointRequest): Promise<Session | Reply> => {
  const session = await personOf(request)
  if (isReply(session) || isAtLeast(session.member.role, 'lecturer')) return session
  return notForYouPage(request.school, languageAt(request, session), staffText.notForYou.lecturers)
}

/** A form of a member of the staff with a recent sign-in. */
type StaffForm = { readonly session: Session; readonly form: Pairs }

/** Reads a form of these pages; its token is checked first. */
export const staffFormOf = async (request: EndpointRequest, secret: string): Promise<StaffForm | Reply> => {
  const signedIn = await personOf(request)
  if (isReply(signedIn)) return signedIn
  const form = await readForm(request, secret, { session: signedIn })
  const session = await recentStaffOf(request)
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
