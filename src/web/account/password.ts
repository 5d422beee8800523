import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import {
  browserOf,
  changePassword,
  createSession,
  findPasswordError,
  hashPassword,
  redirectInto,
  type Session,
  type SessionStart,
  signIn,
} from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { isReply, personOf, readForm } from '#src/web/page/index.ts'
import { changeView } from './change.ts'
import { type Complaint, passwordPage } from './pages/change.ts'
import type { AccountPagesParts } from './parts.ts'

const show = async (request: EndpointRequest, { secret }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  return isReply(session) ? session : passwordPage(changeView(request, secret, session))
}

type PasswordForm = { readonly current: string; readonly password: string; readonly disconnectsApps: boolean }

// Counted against the limits of sign-in, so that the password cannot be guessed in an open browser.
const proofOf = async (
  request: EndpointRequest,
  secret: string,
  session: Session,
  current: string,
): Promise<{ readonly proof: string } | Complaint> => {
  const { school, database, network } = request
  const { trustedDevice } = browserOf(request)
  const { email, id } = session.member
  const result = await signIn(database, school, {
    email,
    password: current.slice(0, 1024),
    network,
    trustedDevice,
    secret,
  })
  if (result.kind === 'too_many') return { error: 'too_many_tries', wait: result.wait }
  if (result.kind === 'refused' || result.memberId !== id) return { error: 'current' }
  return { proof: result.proof }
}

const change = async (
  request: EndpointRequest,
  { secret, random }: AccountPagesParts,
  session: Session,
  { current, password, disconnectsApps }: PasswordForm,
): Promise<SessionStart | Complaint> => {
  const { school, database } = request
  const { id: memberId, email, name } = session.member
  const error = await findPasswordError(password, { email, name, school })
  if (error !== undefined) return { error }
  const proven = await proofOf(request, secret, session, current)
  if ('error' in proven) return proven
  const passwordHash = await hashPassword(password)
  return database.transaction(school.id, async (db, now) => {
    const planned = { memberId, sessionId: session.id, proof: proven.proof, passwordHash, disconnectsApps }
    if (!(await changePassword(db, school, now, planned))) return { error: 'current' }
    return createSession(db, request, memberId, { now, random })
  })
}

const submit = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const form = await readForm(request, parts.secret, { session })
  const disconnectsApps = formField(form, 'apps') === 'disconnect'
  const input = { current: formField(form, 'current'), password: formField(form, 'password'), disconnectsApps }
  const changed = await change(request, parts, session, input)
  if ('error' in changed) return passwordPage(changeView(request, parts.secret, session, changed))
  return redirectInto(changed, `/account?done=password${disconnectsApps ? '_apps' : ''}`)
}

/** GET and POST /account/password. */
export const passwordEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/password', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /account/password', handle: request => submit(request, parts) }),
]
