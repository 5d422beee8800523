import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Role } from '#src/contract/caller.ts'
import type { Scope, Scopes } from '../scopes.ts'
import type { Consent } from './queries.ts'
import { coveredScopes } from './silent.ts'

const SCHOOL = 'https://rye.example'
const scope = (name: string, more: Partial<Scope> = {}): Scope => ({
  name,
  sentence: { en: name, pt: name },
  offeredTo: 'member',
  isAvailable: true,
  ...more,
})
const trustedDevice = [
  scope('openid'),
  scope('email'),
  scope('school:read'),
  scope('school:write', { offeredTo: 'admin' }),
  scope('pages:read', { isAvailable: false }),
]
const scopes: Scopes = new Map(trustedDevice.map(one => [one.name, one]))
const SITE = 'https://books.example/callback'
const consented: Consent = {
  scopes: ['openid', 'email', 'school:read'],
  resources: [SCHOOL],
  redirect_uri: SITE,
  is_active: true,
}

type Row = {
  readonly says: string
  readonly asks: string
  readonly gives?: string
  readonly consent?: Partial<Consent> | 'none'
  readonly resources?: readonly string[]
  readonly role?: Role
  readonly goesTo?: string
}

const table: readonly Row[] = [
  { says: 'the same again', asks: 'openid email school:read', gives: 'openid email school:read' },
  { says: 'less than before', asks: 'openid', gives: 'openid' },
  { says: 'in another order', asks: 'email openid', gives: 'email openid' },
  { says: 'never agreed', asks: 'openid', consent: 'none' },
  { says: 'withdrawn, or too long ago', asks: 'openid', consent: { is_active: false } },
  { says: 'one more than was granted', asks: 'openid email', consent: { scopes: ['openid'] } },
  { says: 'offline_access was not asked for before', asks: 'openid offline_access' },
  { says: 'other resources', asks: 'openid', resources: [`${SCHOOL}/mcp`] },
  { says: 'more resources', asks: 'openid', resources: [SCHOOL, `${SCHOOL}/mcp`] },
  { says: 'fewer resources', asks: 'openid', consent: { resources: [SCHOOL, `${SCHOOL}/mcp`] } },
  { says: 'what the role cannot have is left out', asks: 'openid school:write', gives: 'openid' },
  { says: 'a role that can have it is asked', asks: 'openid school:write', role: 'admin' },
  { says: 'what is not available yet is left out', asks: 'email pages:read', gives: 'email' },
  { says: 'another path of the same site', asks: 'openid', goesTo: 'https://books.example/other', gives: 'openid' },
  { says: 'another host', asks: 'openid', goesTo: 'https://other.example/callback' },
  { says: 'another port of the site', asks: 'openid', goesTo: 'https://books.example:8443/callback' },
  { says: 'an app on this computer instead', asks: 'openid', goesTo: 'http://127.0.0.1/callback' },
  {
    says: 'the app on this computer at another port',
    asks: 'openid',
    consent: { redirect_uri: 'http://127.0.0.1:50001/cb' },
    goesTo: 'http://127.0.0.1:50002/cb',
    gives: 'openid',
  },
  {
    says: 'another loopback address',
    asks: 'openid',
    consent: { redirect_uri: 'http://127.0.0.1:50001/cb' },
    goesTo: 'http://[::1]:50001/cb',
  },
  { says: 'nothing of it can be granted', asks: 'pages:read', consent: { scopes: ['pages:read'] } },
]

suite('when the consent page is left out', () => {
  for (const { says, asks, gives, consent = {}, resources = [SCHOOL], role = 'member', goesTo = SITE } of table) {
    test(`${says}: ${gives ?? 'a page'}`, () => {
      const last = consent === 'none' ? undefined : { ...consented, ...consent }
      const requestedAccess = { scopes: asks.split(' '), resources, redirectUri: goesTo }
      assert.deepEqual(coveredScopes(scopes, requestedAccess, role, last), gives?.split(' '))
    })
  }
})
