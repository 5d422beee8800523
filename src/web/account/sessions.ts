import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { endOtherSessions, endSessionOf, listSessions } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { doneOf, formToken, isReply, isRowId, languageAt, personOf, readForm, redirect } from '#src/web/page/index.ts'
import { sessionsPage } from './pages/sessions.ts'
import type { AccountPagesParts } from './parts.ts'

const show = async (request: EndpointRequest, { secret }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const { school, database } = request
  return sessionsPage({
    school,
    language: languageAt(request, session),
    session,
    sessions: await database.statements(school.id, db => listSessions(db, school.id, session.member.id)),
    token: formToken(secret, school.id, { session }),
    done: doneOf(request),
  })
}

const submit = async (request: EndpointRequest, { secret }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const { school, database } = request
  const ended = formField(await readForm(request, secret, { session }), 'session')
  const memberId = session.member.id
  if (ended === 'others') {
    await database.statements(school.id, db => endOtherSessions(db, school.id, memberId, session.id))
    return redirect('/account/sessions?done=others')
  }
  if (!isRowId(ended)) return redirect('/account/sessions')
  const count = await database.statements(school.id, db => endSessionOf(db, school.id, memberId, ended))
  return redirect(count === 0 ? '/account/sessions' : '/account/sessions?done=one')
}

/** GET and POST /account/sessions. */
export const sessionsEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/sessions', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /account/sessions', handle: request => submit(request, parts) }),
]
