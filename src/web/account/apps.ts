import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { endEveryApp, listApps, withdrawApp } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { doneOf, formToken, isReply, isRowId, languageAt, personOf, readForm, redirect } from '#src/web/page/index.ts'
import { appsPage } from './pages/apps.ts'
import type { AccountPagesParts } from './parts.ts'

const show = async (request: EndpointRequest, { secret, scopes }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const { school, database } = request
  return appsPage({
    school,
    language: languageAt(request, session),
    person: session.member,
    apps: await database.statements(school.id, db => listApps(db, school.id, session.member.id)),
    scopes,
    token: formToken(secret, school.id, { session }),
    done: doneOf(request),
  })
}

const submit = async (request: EndpointRequest, { secret }: AccountPagesParts): Promise<Reply> => {
  const session = await personOf(request)
  if (isReply(session)) return session
  const { school, database } = request
  const app = formField(await readForm(request, secret, { session }), 'app')
  const memberId = session.member.id
  if (app === 'all') {
    await database.transaction(school.id, (db, now) => endEveryApp(db, school.id, memberId, now))
    return redirect('/account/apps?done=all')
  }
  if (!isRowId(app)) return redirect('/account/apps')
  const ended = await database.transaction(school.id, (db, now) => withdrawApp(db, school.id, memberId, app, now))
  return redirect(ended === undefined ? '/account/apps' : '/account/apps?done=app')
}

/** GET and POST /account/apps. */
export const appsEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/apps', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /account/apps', handle: request => submit(request, parts) }),
]
