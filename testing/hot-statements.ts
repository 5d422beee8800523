import type { Db, Statement } from '#src/contract/db.ts'
import { claimJob } from '#src/db/jobs.ts'
import { buildUse, consume } from '#src/db/rate-limit.ts'
import { findSchoolByHost } from '#src/db/schools.ts'
import { findStoredOutcome } from '../src/http/queries.ts'
import { endMemberGrants, listApps } from '../src/identity/apps/queries.ts'
import { findPassword, getMember, shareLockMember } from '../src/identity/queries.ts'
import {
  endSession,
  findSessionRow,
  listSessions,
  lockRecentSession,
  lockSession,
  lockSessionMember,
} from '../src/identity/sessions.queries.ts'
import {
  findConsent,
  findPending,
  isFirstGrant,
  lockPending,
  rebindPending,
  replaceCode,
  storeDecision,
} from '../src/oauth/authorize/queries.ts'
import { findClient, touchClient } from '../src/oauth/clients/queries.ts'
import { findCurrentKey } from '../src/oauth/keys/queries.ts'
import { exchangeCode, rotateFamily } from '../src/oauth/token/issue.queries.ts'
import {
  findAccessOwner,
  findActiveRefresh,
  findCodeOwner,
  findFamilyOwner,
  revokeAccess,
} from '../src/oauth/token/presented.queries.ts'
import { findClientAndToken, findToken, revokeGrant, shareLockGrant } from '../src/oauth/token/queries.ts'
import { endReplayed, findAnswer, insertBeside } from '../src/oauth/token/refresh.queries.ts'
import type { buildApproval } from './approvals.ts'
import { captureStatement } from './plans.ts'

type Approval = ReturnType<typeof buildApproval>
const buildBinding = ({ browserHash }: Approval) => ({ browserHash, sessionHash: OTHER })

type Sent = readonly [name: string, send: (db: Db) => Promise<unknown>]

const OTHER = Buffer.alloc(32, 7)
const EVENT = '00000000-0000-7000-8000-0000000000ff'

const tokenPath = (school: string, of: Approval): readonly Sent[] => {
  const lifetimes = { code: 120, access: 3600, idle: 2_592_000, family: 31_536_000 }
  const access = {
    grantId: of.grantId,
    tokenHash: OTHER,
    resource: 'https://a.example/api',
    scopes: ['openid'],
    lifetimes,
  }
  const step = { ...of, nextHash: OTHER, salt: OTHER }
  const asked = {
    ...{
      clientId: of.clientId,
      isAuthenticated: false,
      resource: undefined,
      baseUrl: access.resource,
      kids: [],
      lifetimes,
      tokenHash: OTHER,
    },
    ...{ redirectUri: 'http://127.0.0.1/', challenge: 'x', first: { handleHash: OTHER, secretHash: OTHER } },
  }
  const replay = { grantId: of.grantId, eventId: EVENT, factId: EVENT, payload: '{}' }
  return [
    ['bearer check', db => findToken(db, school, of.tokenHash)],
    ['introspection of an access token', db => findClientAndToken(db, school, of.clientId, of.tokenHash)],
    ['introspection of a refresh token', db => findActiveRefresh(db, school, of)],
    ['grant locked by a write', db => shareLockGrant(db, school, of.grantId)],
    ['code exchange', db => exchangeCode(db, school, { ...asked, codeHash: of.codeHash })],
    ['refresh', db => rotateFamily(db, school, { ...asked, ...step, scopes: undefined, givesAccess: true })],
    [
      'refresh with fewer scopes',
      db => rotateFamily(db, school, { ...asked, ...step, scopes: ['x'], givesAccess: true }),
    ],
    ['repeated answer of a refresh', db => findAnswer(db, school, { ...access, tokenHash: of.tokenHash })],
    ['further token of a repeated refresh', db => insertBeside(db, school, access, of)],
    ['replayed refresh', db => endReplayed(db, school, replay)],
    ['owner of an access token', db => findAccessOwner(db, school, of.tokenHash)],
    ['owner of a refresh token', db => findFamilyOwner(db, school, of.handleHash)],
    ['owner of a code', db => findCodeOwner(db, school, of.codeHash)],
    ['revocation of an access token', db => revokeAccess(db, school, of.tokenHash)],
    ['revocation of an approval', db => revokeGrant(db, school, { id: of.grantId, reason: 'x', eventId: EVENT })],
    ['client', db => findClient(db, school, of.clientId)],
    ['client that was seen', db => touchClient(db, school, of.clientId)],
    ['member', db => getMember(db, school, of.memberId)],
    ['signing key', db => findCurrentKey(db, school, 'RS256')],
  ]
}

const browserPath = (school: string, of: Approval): readonly Sent[] => {
  const place = { newHash: OTHER, memberId: of.memberId }
  const code = { hash: OTHER, seconds: 120 }
  const grant = { id: of.grantId, sessionId: of.sessionId, scopes: ['openid'] }
  return [
    ['browser session', db => findSessionRow(db, school, of.sessionHash)],
    ['browser session locked', db => lockSession(db, school, of.sessionId)],
    ['browser session locked with its member', db => lockSessionMember(db, school, of.sessionId)],
    ['recent browser session locked', db => lockRecentSession(db, school, of.sessionHash, of.memberId)],
    ['end of a browser session', db => endSession(db, school, of.sessionHash)],
    ['sessions of a member', db => listSessions(db, school, of.memberId)],
    ['password', db => findPassword(db, school, of.email, of.browserHash)],
    ['member locked', db => shareLockMember(db, school, of.memberId)],
    ['authorization request', db => findPending(db, school, of.requestHash, buildBinding(of))],
    ['authorization request locked', db => lockPending(db, school, of.requestHash, buildBinding(of))],
    ['authorization requests of a browser', db => rebindPending(db, school, of.browserHash, place)],
    ['decision', db => storeDecision(db, school, of.requestHash, 'approve', of.grantId)],
    ['code replaced', db => replaceCode(db, school, grant, code)],
    ['consent', db => findConsent(db, school, of.memberId, of.clientId)],
    ['first approval of a client', db => isFirstGrant(db, school, { ...of, id: of.grantId })],
    ['apps of a member', db => listApps(db, school, of.memberId)],
    ['approvals of a member ended', db => endMemberGrants(db, school, of.memberId, 'x')],
  ]
}

const CLAIMABLE = ['fact', 'mail'].map(kind => ({ kind, others: [], after: undefined }))

const everyRequest = (school: string, of: Approval): readonly Sent[] => {
  const keyed = { schoolId: school, ...of, operation: 'x', key: 'k', requestHash: OTHER }
  return [
    ['school of a host', db => findSchoolByHost(db, `${school}.example`)],
    ['rate limit', db => consume(db, [buildUse({ name: 'x', uses: 5, seconds: 60 }, school, 'x')])],
    ['stored outcome', db => findStoredOutcome(db, keyed)],
    ['next job', db => claimJob(db, { kinds: CLAIMABLE, others: [] }, { seconds: 60, claimant: undefined })],
  ]
}

/** The statements of the token endpoints, of signed-in browsers and of every request, for one of many approvals. */
export const hotStatements = (school: string, of: Approval): readonly (readonly [string, Statement])[] =>
  [...tokenPath(school, of), ...browserPath(school, of), ...everyRequest(school, of)].map(([name, send]) => [
    name,
    captureStatement(db => send(db as unknown as Db)),
  ])
