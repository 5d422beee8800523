import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import {
  browserOf,
  type CodeParts,
  checkCode,
  completeReset,
  endGrantsOf,
  hashPassword,
  passwordFault,
  refundCode,
  startReset,
} from '#src/identity/index.ts'
import { isEmail, isStorable } from '#src/kit/text.ts'
import type { Complaint } from '../pages/form-page.ts'
import { codePage, pathOf, resetPage } from '../pages/people.ts'
import { redirectWithin } from '../redirect.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { authorizationOf, field, handleIn, refuseCrossSite } from './in-progress.ts'
import { endPendingOf } from './queries.ts'
import { pageOf, placeOf, sentTo } from './sign-up.ts'

const show = async (request: EndpointRequest): Promise<Reply> => {
  const visit = await authorizationOf(request, handleIn(request.query))
  return resetPage(pageOf(request, visit), visit.pending.login_hint ?? '')
}

const submit = async (request: EndpointRequest, parts: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const { school, database, network } = request
  const form = await request.form()
  const visit = await authorizationOf(request, field(form, 'request'))
  const email = field(form, 'email').trim()
  const again = (complaint: Complaint): Reply => resetPage(pageOf(request, visit), email, complaint)
  if (!isEmail(email) || !isStorable(email)) return again({ fault: 'email' })
  const { known } = browserOf(request)
  const plan = { email, network, known, locale: visit.pending.locale, boundTo: visit.handleHash }
  const answer = await startReset(database, school, parts, plan)
  if (answer.kind === 'too_many') return again({ fault: 'too_many', wait: answer.wait })
  return redirectWithin(pathOf('reset/code', visit.handle))
}

const showCode = async (request: EndpointRequest): Promise<Reply> => {
  const visit = await authorizationOf(request, handleIn(request.query))
  const email = await sentTo(request, placeOf(visit, 'reset'))
  return codePage(pageOf(request, visit), { page: 'reset', email })
}

const submitCode = async (request: EndpointRequest, { secret }: CodeParts): Promise<Reply> => {
  refuseCrossSite(request)
  const { school, database, network } = request
  const form = await request.form()
  const visit = await authorizationOf(request, field(form, 'request'))
  const place = placeOf(visit, 'reset')
  const email = await sentTo(request, place)
  const wrong = (complaint: Complaint): Reply => codePage(pageOf(request, visit), { page: 'reset', email }, complaint)
  const password = field(form, 'password')
  const fault = await passwordFault(password, { email, name: '', school })
  if (fault !== undefined) return wrong({ fault })
  const code = await checkCode(database, school.id, secret, place, field(form, 'code'))
  if (code === undefined) return wrong({ fault: 'code' })
  const passwordHash = await hashPassword(password)
  const entered = await completeSignIn<Complaint>(request, visit, secret, async (db, now) => {
    const memberId = await completeReset(db, school, now, { place, code, passwordHash })
    if (memberId === undefined) return { refused: { fault: 'code' } }
    await endGrantsOf(db, school.id, memberId, 'password_reset')
    await endPendingOf(db, school.id, memberId, visit.handleHash)
    return { memberId }
  })
  if ('fault' in entered) return wrong(entered)
  await refundCode(database, school, network, code)
  return entered
}

/** GET and POST /oauth/authorize/reset and the page for its code and the new password. */
export const resetEndpoints = (parts: CodeParts): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/reset', handle: show }),
  endpoint({ route: 'POST /oauth/authorize/reset', handle: request => submit(request, parts) }),
  endpoint({ route: 'GET /oauth/authorize/reset/code', handle: showCode }),
  endpoint({ route: 'POST /oauth/authorize/reset/code', handle: request => submitCode(request, parts) }),
]
