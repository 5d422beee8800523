import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { browserOf, clearCookies, endSession } from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { html } from '#src/kit/html.ts'
import { framed, languageAt, readForm, redirect, sessionOf } from '#src/web/page/index.ts'
import { signInText as text } from './pages/text.ts'
import type { AccountPagesParts } from './parts.ts'

const DONE = '/account/signed-out'

const submit = async (request: EndpointRequest, { secret }: AccountPagesParts): Promise<Reply> => {
  const { database, school } = request
  const session = await sessionOf(request)
  if (session === undefined) return redirect(DONE)
  await readForm(request, secret, { session })
  const cookie = browserOf(request).session ?? ''
  await database.statements(school.id, db => endSession(db, school.id, sha256(cookie)))
  return redirect(DONE, { 'set-cookie': clearCookies(request), 'clear-site-data': '"cache"' })
}

const show = async (request: EndpointRequest): Promise<Reply> => {
  const language = languageAt(request)
  return framed({
    school: request.school,
    language,
    title: fill(text.signedOutTitle, language),
    body: html`<p>${fill(text.signedOutText, language)}</p>
<p><a href="/account/sign-in">${fill(text.signInAgain, language)}</a></p>`,
  })
}

/** POST /account/sign-out and the page after it. */
export const signOutEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'POST /account/sign-out', handle: request => submit(request, parts) }),
  endpoint({ route: 'GET /account/signed-out', handle: show }),
]
