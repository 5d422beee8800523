import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { School } from '#src/contract/school.ts'
import { errorOfRegistered, errorOfRequested, lenientPath } from './own-host.ts'

const schoolAt = (baseUrl: string, pagesHost?: string): School => ({
  id: 's',
  baseUrl,
  ...(pagesHost === undefined ? {} : { pagesHost }),
  name: 'Crumb & Crust',
  locale: 'en',
  timeZone: 'UTC',
  currency: 'EUR',
  signupMode: 'open',
  isTest: false,
  lifetimes: { code: 120, access: 3600, idle: 1, family: 1 },
})

const PORT = 'http://127.0.0.1:3000'
const PLAIN = 'http://127.0.0.1'
const SIX = 'http://[::1]:3000'
const SITE = 'https://school.example'

suite('a callback on the host of the school', () => {
  type Row = readonly [school: string, uri: string, registered: boolean, requested: boolean]
  const table: readonly Row[] = [
    [PORT, 'http://127.0.0.1/callback', true, true],
    [PORT, 'http://127.0.0.1:53817/oauth/callback', true, true],
    [PORT, 'http://127.0.0.1:53817/accounts', true, true],
    [PORT, 'http://127.0.0.1:53817/x/account', true, true],
    // RFC 6265 §5.1.4: a path matches itself and everything below it.
    [PORT, 'http://127.0.0.1:53817/account', false, false],
    [PORT, 'http://127.0.0.1:53817/account/', false, false],
    [PORT, 'http://127.0.0.1/staff/x/y', false, false],
    [PORT, 'http://127.0.0.1/oauth/authorize', false, false],
    [PORT, 'http://127.0.0.1/oauth/authorize/callback', false, false],
    // Read as the most forgiving browser or server does.
    [PORT, 'http://127.0.0.1/x/../account', false, false],
    [PORT, 'http://127.0.0.1/x/%2e%2E/account', false, false],
    [PORT, 'http://127.0.0.1//account/x', false, false],
    [PORT, 'http://127.0.0.1/./staff', false, false],
    [PORT, 'http://127.0.0.1/%61ccount', false, false],
    [PORT, 'http://127.0.0.1/%2561ccount', false, false],
    [PORT, 'http://127.0.0.1/x%5c..%5caccount', false, false],
    [PORT, 'http://127.0.0.1/Account/x', false, false],
    [PORT, 'http://127.0.0.1/oauth%2fauthorize', false, false],
    // The school itself. Registered without a port, any port may follow.
    [PORT, 'http://127.0.0.1:3000/callback', false, false],
    [PLAIN, 'http://127.0.0.1/callback', true, false],
    [PLAIN, 'http://127.0.0.1:80/callback', false, false],
    // Other hosts get none of its cookies.
    [PORT, 'http://[::1]:53817/account', true, true],
    [PORT, 'http://localhost:53817/account', true, true],
    [SIX, 'http://[::1]:53817/account', false, false],
    [SIX, 'http://[::1]:3000/callback', false, false],
    [SIX, 'http://127.0.0.1:53817/account', true, true],
    [SITE, 'http://127.0.0.1:53817/account', true, true],
    [SITE, 'https://app.example/account', true, true],
    // Cookies of HTTPS have the path / and tell no ports apart.
    [SITE, 'https://school.example/callback', false, false],
    [SITE, 'https://school.example:8443/callback', false, false],
    [SITE, 'https://www.school.example/callback', true, true],
  ]
  for (const [school, uri, registered, requested] of table) {
    test(`${uri} at ${school}: registered ${registered}, requested ${requested}`, () => {
      assert.equal(errorOfRegistered(schoolAt(school), uri) === undefined, registered)
      assert.equal(errorOfRequested(schoolAt(school), uri) === undefined, requested)
    })
  }
})

suite('a callback on the host of the uploaded pages of a school on loopback', () => {
  type Row = readonly [pagesHost: string, uri: string, registered: boolean, requested: boolean]
  const table: readonly Row[] = [
    ['127.0.0.1:3001', 'http://127.0.0.1:3001/callback', false, false],
    ['127.0.0.1:3001', 'http://127.0.0.1:3002/callback', true, true],
    ['127.0.0.1:3001', 'http://[::1]:3001/callback', true, true],
    ['[::1]:3000', 'http://[::1]:3000/callback', false, false],
    // Registered without a port, any port may follow, except this one.
    ['127.0.0.1', 'http://127.0.0.1/callback', true, false],
    ['127.0.0.1', 'http://127.0.0.1:80/callback', false, false],
  ]
  for (const [pagesHost, uri, registered, requested] of table)
    test(`${uri} with pages at ${pagesHost}: registered ${registered}, requested ${requested}`, () => {
      assert.equal(errorOfRegistered(schoolAt(PORT, pagesHost), uri) === undefined, registered)
      assert.equal(errorOfRequested(schoolAt(PORT, pagesHost), uri) === undefined, requested)
    })
})

test('a path that cannot be decoded, or only after many rounds, is read as far as possible', () => {
  assert.equal(lenientPath('/%zz/account'), '/%zz/account')
  assert.equal(lenientPath('/../../account'), '/account')
  assert.equal(lenientPath(''), '/')
})
