import type { Db } from '#src/contract/db.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { languageOf } from '#src/contract/language.ts'
import { OAuthError } from '#src/contract/oauth-error.ts'
import type { School } from '#src/contract/school.ts'
import { holdMember, holdSession, recordMail, type Session } from '#src/identity/index.ts'
import { type Random, sha256 } from '#src/kit/crypto.ts'
import { newToken } from '#src/kit/token.ts'
import { grantSeconds } from '../lives.ts'
import { consentPage } from '../pages/consent.ts'
import { redirectToClient, redirectWithin } from '../redirect.ts'
import type { Scopes } from '../scopes.ts'
import { approve } from './approval.ts'
import { isPrefetch, redirectError } from './authorize.ts'
import { grantedScopes, offers } from './choice.ts'
import { anotherPerson, isAddressMeant, isHinted } from './hinted.ts'
import {
  type Decision,
  findConsent,
  isFirstGrant,
  lockPending,
  type Pending,
  replaceCode,
  storeDecision,
} from './queries.ts'
import { coveredScopes } from './silent.ts'
import { field, handleIn, isFresh, refuseCrossSite, type Visit, visitOf } from './visit.ts'

const toSignIn = (handle: string): Reply => redirectWithin(`/oauth/authorize/sign-in?request=${handle}`)

const show = async (request: EndpointRequest, scopes: Scopes, random: Random): Promise<Reply> => {
  const visit = await visitOf(request, handleIn(request.query))
  const { handle, pending, session } = visit
  if (!isFresh(session, pending)) return toSignIn(handle)
  if (!isHinted(pending.hinted_member_id, session)) return refuseOther(request, pending)
  const code = await skip(request, { visit, session, scopes, random })
  if (code !== undefined) return toClient(request, pending, code)
  return consentPage({
    school: request.school,
    language: languageOf(pending.locale),
    handle,
    client: { id: pending.client_id, name: pending.client_name, isArranged: pending.is_arranged },
    redirectUri: pending.redirect_uri,
    person: session.member,
    offers: offers(scopes, pending.scopes, session.member.role),
    lifeSeconds: grantSeconds(request.school.lives, pending.grant_types),
  })
}

const toClient = ({ school }: EndpointRequest, pending: Pending, code: string): Reply =>
  redirectToClient(pending.redirect_uri, { code, state: pending.state ?? undefined, iss: school.baseUrl })

const refuseOther = ({ school }: EndpointRequest, pending: Pending): Reply =>
  redirectError(school.baseUrl, pending.redirect_uri, pending.state ?? undefined, anotherPerson())

const readDecision = (text: string): Decision => {
  if (text === 'approve' || text === 'approve_read' || text === 'deny') return text
  throw new OAuthError('invalid_request', {
    en: 'The form does not say what was decided.',
    pt: 'O formulário não diz o que foi decidido.',
  })
}

const twice = (): OAuthError =>
  new OAuthError('invalid_request', {
    en: 'This request was answered already. Go back to the app and start again.',
    pt: 'Este pedido já foi respondido. Volte à aplicação e comece de novo.',
  })

type Deciding = {
  readonly school: School
  readonly visit: Visit
  readonly session: Session
  readonly decision: Decision
  readonly granted: readonly string[]
  readonly isSilent?: boolean
  readonly now: Date
  readonly random: Random
}

// Pressed twice within a minute: the same decision again, with a fresh code in place of the first.
const repeat = async (db: Db, deciding: Deciding, pending: Pending): Promise<string | undefined> => {
  if (pending.decision !== deciding.decision || !pending.is_recent) throw twice()
  if (pending.grant_id === null) return undefined
  const code = newToken('stoa_ac_', deciding.random)
  if (
    (await replaceCode(
      db,
      deciding.school.id,
      { id: pending.grant_id, sessionId: deciding.session.id, scopes: deciding.granted },
      { hash: sha256(code), seconds: deciding.school.lives.code },
    )) === 0
  )
    throw twice()
  return code
}

const signedOut = (): OAuthError =>
  new OAuthError('invalid_request', {
    en: 'You were signed out meanwhile. Go back to the app and start again.',
    pt: 'Entretanto a sua sessão terminou. Volte à aplicação e comece de novo.',
  })

const tellOfFirst = async (db: Db, deciding: Deciding, grantId: string, pending: Pending): Promise<void> => {
  const { school, session, now } = deciding
  const [schoolId, memberId] = [school.id, session.member.id]
  if (!(await isFirstGrant(db, schoolId, { id: grantId, memberId, clientId: pending.client_id }))) return
  await recordMail(db, schoolId, memberId, { kind: 'app_connected', values: { client: pending.client_name } }, now)
}

const decide = async (db: Db, deciding: Deciding): Promise<string | undefined> => {
  const { school, visit, session, decision, granted, now, random } = deciding
  const schoolId = school.id
  // The person's withdrawals wait for this, or were there first; the row of the member before that of the session.
  if (!(await holdMember(db, schoolId, session.member.id))) throw signedOut()
  // A reset or sign-out that came first has ended the session; one that comes now waits, and ends this grant too.
  if (!(await holdSession(db, schoolId, session.id))) throw signedOut()
  const pending = await lockPending(db, schoolId, visit.handleHash, visit.browserHash)
  if (pending === undefined) throw twice()
  if (pending.decision !== null) return repeat(db, deciding, pending)
  if (granted.length === 0) {
    await storeDecision(db, schoolId, visit.handleHash, decision, undefined)
    return undefined
  }
  const isSilent = deciding.isSilent === true
  const { id, code } = await approve(db, school, { pending, session, granted, isSilent, now, random })
  await storeDecision(db, schoolId, visit.handleHash, decision, id)
  await tellOfFirst(db, deciding, id, pending)
  return code
}

type Skipping = { readonly visit: Visit; readonly session: Session; readonly scopes: Scopes; readonly random: Random }

// The code of an arranged client that the person has agreed to before, asked for by a browser that will follow it.
const skip = async (
  request: EndpointRequest,
  { visit, session, scopes, random }: Skipping,
): Promise<string | undefined> => {
  const { pending } = visit
  if (!pending.may_skip || request.method === 'HEAD' || isPrefetch(request)) return undefined
  if (!isAddressMeant(pending.login_hint, session)) return undefined
  const { school } = request
  return request.database.write(school.id, async (db, now) => {
    // Before the consent is read: a withdrawal that comes between would not be seen.
    if (!(await holdMember(db, school.id, session.member.id))) return undefined
    const consent = await findConsent(db, school.id, session.member.id, pending.client_id)
    const granted = coveredScopes(scopes, pending, session.member.role, consent)
    if (granted === undefined) return undefined
    return decide(db, { school, visit, session, decision: 'approve', granted, isSilent: true, now, random })
  })
}

const submit = async (request: EndpointRequest, scopes: Scopes, random: Random): Promise<Reply> => {
  refuseCrossSite(request)
  const { school, database } = request
  const form = await request.form()
  const visit = await visitOf(request, field(form, 'request'))
  const { pending, session } = visit
  if (!isFresh(session, pending)) return toSignIn(visit.handle)
  if (!isHinted(pending.hinted_member_id, session)) return refuseOther(request, pending)
  const decision = readDecision(field(form, 'decision'))
  const ticked = new Set(form.filter(([name]) => name === 'scope').map(([, value]) => value))
  const granted = grantedScopes(offers(scopes, pending.scopes, session.member.role), pending.scopes, decision, ticked)
  const code = await database.write(school.id, (db, now) =>
    decide(db, { school, visit, session, decision, granted, now, random }),
  )
  const state = pending.state ?? undefined
  const why =
    decision === 'deny'
      ? 'The person did not allow it.'
      : 'Nothing was allowed: no requested scope was ticked, or none can be granted to this person yet.'
  if (code !== undefined) return toClient(request, pending, code)
  return redirectError(school.baseUrl, pending.redirect_uri, state, new OAuthError('access_denied', why))
}

/** GET and POST /oauth/authorize/consent. */
export const consentEndpoints = (scopes: Scopes, random: Random): Endpoint[] => [
  endpoint({ route: 'GET /oauth/authorize/consent', handle: request => show(request, scopes, random) }),
  endpoint({ route: 'POST /oauth/authorize/consent', handle: request => submit(request, scopes, random) }),
]
