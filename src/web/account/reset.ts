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
import { browserBindingOf, withBrowserBinding } from './browser-binding.ts'
import { formToken, languageAt, readForm, redirect } from './page-request.ts'
import type { Complaint } from './pages/change.ts'
import { resetCodePage, resetPage } from './pages/reset.ts'
import type { AccountPagesParts } from './parts.ts'

const PATH = '/account/reset'

// The code belongs to the browser in which it was asked for.
const placeOf = (mark: string): CodeBinding => ({ boundTo: sha256(`visit:${mark}`), purpose: 'reset' })

const viewOf = (request: EndpointRequest, secret: string, mark: string, complaint?: Complaint) => ({
  language: languageAt(request),
  token: formToken(secret, request.school.id, { mark }),
  complaint,
})

const show = async (request: EndpointRequest, { secret, random }: AccountPagesParts): Promise<Reply> =>
  withBrowserBinding(request, random, mark => resetPage({ ...viewOf(request, secret, mark), typed: '' }))

const submit = async (request: EndpointRequest, { secret, random }: AccountPagesParts): Promise<Reply> => {
  const mark = browserBindingOf(request) ?? ''
  const form = await readForm(request, secret, ...(mark === '' ? [] : [{ mark }]))
  const email = formField(form, 'email').trim()
  const refused = await requestReset(
    request,
    { secret, random },
    {
      email,
      locale: languageAt(request),
      boundTo: placeOf(mark).boundTo,
    },
  )
  return refused === undefined
    ? redirect(`${PATH}/code`)
    : resetPage({ ...viewOf(request, secret, mark, refused), typed: email.slice(0, 254) })
}

const sentTo = async (request: EndpointRequest): Promise<{ mark: string; email: string } | undefined> => {
  const { school, database } = request
  const mark = browserBindingOf(request)
  if (mark === undefined) return undefined
  const code = await database.statements(school.id, db => findCode(db, school.id, placeOf(mark)))
  return code && { mark, email: code.email }
}

const showCode = async (request: EndpointRequest, { secret }: AccountPagesParts): Promise<Reply> => {
  const sent = await sentTo(request)
  if (sent === undefined) return redirect(PATH)
  return resetCodePage({ ...viewOf(request, secret, sent.mark), sentTo: sent.email })
}

type Typed = { readonly code: string; readonly password: string }

const complete = async (
  request: EndpointRequest,
  { secret, random }: AccountPagesParts,
  { mark, email }: { readonly mark: string; readonly email: string },
  typed: Typed,
): Promise<SessionStart | Complaint> => {
  const { school, database } = request
  const proof = await proveByCode(request, secret, { ...placeOf(mark), email }, typed)
  if ('fault' in proof) return proof
  const completed = await database.transaction<SessionStart | Complaint>(school.id, async (db, now) => {
    const memberId = await proof.complete(db, now)
    if (memberId === undefined) return { fault: 'code' }
    await endApprovalsUnderWay(db, school.id, memberId)
    return createSession(db, request, memberId, { now, random })
  })
  if (!('fault' in completed)) await proof.settle()
  return completed
}

const submitCode = async (request: EndpointRequest, parts: AccountPagesParts): Promise<Reply> => {
  const mark = browserBindingOf(request)
  const form = await readForm(request, parts.secret, ...(mark === undefined ? [] : [{ mark }]))
  const sent = await sentTo(request)
  if (sent === undefined) return redirect(PATH)
  const completed = await complete(request, parts, sent, {
    code: formField(form, 'code'),
    password: formField(form, 'password'),
  })
  if ('fault' in completed)
    return resetCodePage({ ...viewOf(request, parts.secret, sent.mark, completed), sentTo: sent.email })
  return redirectInto(completed, '/account?done=reset')
}

/** GET and POST /account/reset and the page for its code and the new password. */
export const resetEndpoints = (parts: AccountPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /account/reset', handle: request => show(request, parts) }),
  endpoint({ route: 'POST /account/reset', handle: request => submit(request, parts) }),
  endpoint({ route: 'GET /account/reset/code', handle: request => showCode(request, parts) }),
  endpoint({ route: 'POST /account/reset/code', handle: request => submitCode(request, parts) }),
]
