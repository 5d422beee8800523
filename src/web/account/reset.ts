import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import {
  type CodeBinding,
  createSession,
  endApprovalsUnderWay,
  findCode,
  proveByCode,
  redirectInto,
  requestReset,
  type SessionStart,
} from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { formField } from '#src/kit/form.ts'
import { cleanEmail } from '#src/kit/text.ts'
import { formToken, languageAt, readForm, redirect } from '#src/web/page/index.ts'
import { browserBindingOf, withBrowserBinding } from './browser-binding.ts'
import type { Complaint } from './pages/change.ts'
import { resetCodePage, resetPage } from './pages/reset.ts'
import type { AccountPagesParts } from './parts.ts'

const PATH = '/account/reset'

// The code is bound to the browser in which it was requested.
const placeOf = (browserBinding: string): CodeBinding => ({
  boundTo: sha256(`visit:${browserBinding}`),
  purpose: 'reset',
})

const viewOf = (request: EndpointRequest, secret: string, browserBinding: string, complaint?: Complaint) => ({
  school: request.school,
  language: languageAt(request),
  token: formToken(secret, request.school.id, { browserBinding }),
  complaint,
})

const show = async (request: EndpointRequest, { secret, random }: AccountPagesParts): Promise<Reply> =>
  withBrowserBinding(request, random, browserBinding =>
    resetPage({ ...viewOf(request, secret, browserBinding), typed: '' }),
  )

const submit = async (request: EndpointRequest, { secret, random }: AccountPagesParts): Promise<Reply> => {
  const browserBinding = browserBindingOf(request) ?? ''
  const form = await readForm(request, secret, ...(browserBinding === '' ? [] : [{ browserBinding }]))
  const email = cleanEmail(formField(form, 'email'))
  const refused = await requestReset(
    request,
    { secret, random },
    {
      email,
      locale: languageAt(request),
      boundTo: placeOf(browserBinding).boundTo,
    },
  )
  return refused === undefined
    ? redirect(`${PATH}/code`)
    : resetPage({ ...viewOf(request, secret, browserBinding, refused), typed: email.slice(0, 254) })
}

const sentTo = async (request: EndpointRequest): Promise<{ browserBinding: string; email: string } | undefined> => {
  const { school, database } = request
  const browserBinding = browserBindingOf(request)
  if (browserBinding === undefined) return undefined
  const code = await database.statements(school.id, db => findCode(db, school.id, placeOf(browserBinding)))
  return code && { browserBinding, email: code.email }
}

const showCode = async (request: EndpointRequest, { secret }: AccountPagesParts): Promise<Reply> => {
  const sent = await sentTo(request)
  if (sent === undefined) return redirect(PATH)
  return resetCodePage({ ...viewOf(request, secret, sent.browserBinding), sentTo: sent.email })
}

type Typed = { readonly code: string; readonly password: string }

const complete = async (
  request: EndpointRequest,
  { secret, random }: AccountPagesParts,
  { browserBinding, email }: { readonly browserBinding: string; readonly email: string },
  typed: Typed,
): Promise<SessionStart | Complaint> => {
  const { school, database } = request
  const proof = await proveByCode(request, secret, { ...placeOf(browserBinding), email }, typed)
  if ('error' in proof) return proof
  const completed = await database.transaction<SessionStart | Complaint>(school.id, async (db, now) => {
    const memberId = await proof.complete(db, now)
    if (memberId === undefined) return { error: 'code' }
    await endApprovalsUnderWay(db, school.id, memberId)
    return createSession(db, request, memberId, { now, random })
  })
  if (!('error' in completed)) await proof.settle()
  return completed
}

const submitCode = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const browserBinding = browserBindingOf(request)
  const form = await readForm(request, parts.secret, ...(browserBinding === undefined ? [] : [{ browserBinding }]))
  const sent = await sentTo(request)
  if (sent === undefined) return redirect(PATH)
  const completed = await complete(request, parts, sent, {
    code: formField(form, 'code'),
    password: formField(form, 'password'),
  })
  if ('error' in completed)
    return resetCodePage({ ...viewOf(request, parts.secret, sent.browserBinding, completed), sentTo: sent.email })
  return redirectInto(completed, '/account?done=reset')
}

/** GET and POST /account/reset and the page for its code and the new password. */
export const resetEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/reset', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /account/reset', handle: request => submit(request, parts) }),
  endpoint({ route: 'GET /account/reset/code', handle: request => showCode(request, parts) }),
  endpoint({ route: 'POST /account/reset/code', handle: request => submitCode(request, parts) }),
]
