import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import {
  browserOf,
  changePassword,
  createSession,
  hashPassword,
  passwordFault,
  redirectInto,
  type Session,
  type SessionStart,
  signIn,
} from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { changeView } from './change.ts'
import { isReply, personOf, readForm } from './page-request.ts'
import { type Complaint, passwordPage } from './pages/change.ts'
import type { AccountPagesParts } from './parts.ts'

const show = async (request: EndpointRequest, { secret }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  return isReply(session) ? session : passwordPage(changeView(request, secret, session))
}

type Wanted = { readonly current: string; readonly password: string; readonly disconnectsApps: boolean }

// At the doors of sign-in: an open browser is no place to guess the password.
const proofOf = async (
  request: EndpointRequest,
  secret: string,
  session: Session,
  current: string,
): Promise<{ readonly proof: string } | Complaint> => {
  const { school, database, network } = request
  const { known } = browserOf(request)
  const { email, id } = session.member
  const result = await signIn(database, school, { email, password: current.slice(0, 1024), network, known, secret })
  if (result.kind === 'too_many') return { fault: 'too_many_tries', wait: result.wait }
  if (result.kind === 'refused' || result.memberId !== id) return { fault: 'current' }
  return { proof: result.proof }
}

const change = async (
  request: EndpointRequest,
  { secret, random }: AccountPagesParts,
  session: Session,
  { current, password, disconnectsApps }: Wanted,
): Promise<SessionStart | Complaint> => {
  const { school, database } = request
  const { id: memberId, email, name } = session.member
  const fault = await passwordFault(password, { email, name, school })
  if (fault !== undefined) return { fault }
  const proven = await proofOf(request, secret, session, current)
  if ('fault' in proven) return proven
  const passwordHash = await hashPassword(password)
  return database.transaction(school.id, async (db, now) => {
    const planned = { memberId, sessionId: session.id, proof: proven.proof, passwordHash, disconnectsApps }
    if (!(await changePassword(db, school, now, planned))) return { fault: 'current' }
    return createSession(db, request, memberId, { now, random })
  })
}

const submit = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const form = await readForm(request, parts.secret, { session })
  const disconnectsApps = formField(form, 'apps') === 'disconnect'
  const wanted = { current: formField(form, 'current'), password: formField(form, 'password'), disconnectsApps }
  const changed = await change(request, parts, session, wanted)
  if ('fault' in changed) return passwordPage(changeView(request, parts.secret, session, changed))
  return redirectInto(changed, `/account?done=password${disconnectsApps ? '_apps' : ''}`)
}

/** GET and POST /account/password. */
export const passwordEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/password', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /account/password', handle: request => submit(request, parts) }),
]
