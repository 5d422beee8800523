import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { conflict } from '#src/contract/problems.ts'
import { refusalOf } from '#src/db/sqlstates.ts'
import {
  type CodeBinding,
  checkCode,
  completeEmailChange,
  findCode,
  refundCode,
  type Session,
  startEmailChange,
} from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { formField } from '#src/kit/form.ts'
import { cleanEmail, isEmail, isStorable } from '#src/kit/text.ts'
import { isReply, personOf, readForm, recentPersonOf, redirect } from '#src/web/page/index.ts'
import { changeView } from './change.ts'
import { type Complaint, emailCodePage, emailPage } from './pages/change.ts'
import type { AccountPagesParts } from './parts.ts'

const PATH = '/account/email'

// The code is bound to the session in which it was requested; after a new sign-in a new code is needed.
const placeOf = (session: Session): CodeBinding => ({
  boundTo: sha256(`session:${session.id}`),
  purpose: 'email_change',
})

const show = async (request: EndpointRequest, { secret }: AccountPagesParts): Promise<Reply> => {
  const session = await recentPersonOf(request)
  return isReply(session) ? session : emailPage(changeView(request, secret, session))
}

const errorOf = (email: string, { member }: Session): Complaint | undefined => {
  if (!isEmail(email) || !isStorable(email)) return { error: 'email' }
  return email === member.email && member.emailVerified ? { error: 'same' } : undefined
}

const submit = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const session = await recentPersonOf(request)
  if (isReply(session)) return session
  const { school, database, network } = request
  const email = cleanEmail(formField(await readForm(request, parts.secret, { session }), 'email'))
  const again = (complaint: Complaint): Reply =>
    emailPage({ ...changeView(request, parts.secret, session, complaint), typed: email.slice(0, 254) })
  const complaint = errorOf(email, session)
  if (complaint !== undefined) return again(complaint)
  const { id: memberId, locale } = session.member
  const plan = { memberId, email, network, locale: locale ?? school.locale, boundTo: placeOf(session).boundTo }
  const answer = await startEmailChange(database, school, parts, plan)
  return answer.kind === 'sent' ? redirect(`${PATH}/code`) : again({ error: 'too_many_codes', wait: answer.wait })
}

const sentTo = async ({ database, school }: EndpointRequest, session: Session): Promise<string | undefined> =>
  (await database.statements(school.id, db => findCode(db, school.id, placeOf(session))))?.email

const showCode = async (request: EndpointRequest, { secret }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const email = await sentTo(request, session)
  return email === undefined
    ? redirect(PATH)
    : emailCodePage({ ...changeView(request, secret, session), sentTo: email })
}

const isTaken = (error: unknown): boolean => refusalOf(error)?.problem.status === conflict.status

// If two members verify one address at once, the later commit violates the constraint.
const complete = async (
  { database, school, network }: EndpointRequest,
  secret: string,
  session: Session,
  typed: string,
): Promise<Complaint | undefined> => {
  const place = placeOf(session)
  const code = await checkCode(database, school.id, secret, place, typed)
  if (code === undefined) return { error: 'code' }
  const proven = { memberId: session.member.id, sessionId: session.id, place, code }
  try {
    const done = await database.transaction(school.id, (db, now) => completeEmailChange(db, school, now, proven))
    if (!done) return { error: 'code' }
    await refundCode(database, school, network, code)
    return undefined
  } catch (error) {
    if (isTaken(error)) return { error: 'taken' }
    throw error
  }
}

const submitCode = async (request: EndpointRequest, { secret }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const form = await readForm(request, secret, { session })
  const email = await sentTo(request, session)
  if (email === undefined) return redirect(PATH)
  const complaint = await complete(request, secret, session, formField(form, 'code'))
  if (complaint === undefined) return redirect('/account?done=email')
  return emailCodePage({ ...changeView(request, secret, session, complaint), sentTo: email })
}

/** GET and POST /account/email and the page for its code. */
export const emailEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/email', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /account/email', handle: request => submit(request, parts) }),
  endpoint({ route: 'GET /account/email/code', handle: request => showCode(request, parts) }),
  endpoint({ route: 'POST /account/email/code', handle: request => submitCode(request, parts) }),
]
