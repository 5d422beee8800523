import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { School } from '#src/contract/school.ts'
import { errorOfRegistered, errorOfRequested } from './own-host.ts'

const schoolAt = (baseUrl: string, pagesHost?: string): School => ({
  id: 's',
  baseUrl,
  siteOrigin: baseUrl.replace(/127\.0\.0\.1|\[::1\]/, 'localhost'),
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
const NAME = 'http://localhost:3000'
const SITE = 'https://school.example'

suite('a callback on a host of the school', () => {
  type Row = readonly [school: string, uri: string, registered: boolean, requested: boolean]
  const table: readonly Row[] = [
    [PORT, 'http://127.0.0.1/callback', true, true],
    [PORT, 'http://127.0.0.1:53817/account', true, true],
    [PORT, 'http://localhost:53817/account/sign-in', true, true],
    // Every name of this computer on its port. Registered without a port, any port may follow.
    [PORT, 'http://127.0.0.1:3000/callback', false, false],
    [PORT, 'http://localhost:3000/callback', false, false],
    [PORT, 'http://[::1]:3000/callback', false, false],
    [NAME, 'http://127.0.0.1:3000/callback', false, false],
    [NAME, 'http://[::1]:53817/callback', true, true],
    [PLAIN, 'http://127.0.0.1/callback', true, false],
    [PLAIN, 'http://localhost:80/callback', false, false],
    [SITE, 'http://127.0.0.1:53817/account', true, true],
    [SITE, 'https://app.example/account', true, true],
    // Cookies of HTTPS have the path / and tell no ports apart.
    [SITE, 'https://school.example/callback', false, false],
    [SITE, 'https://school.example:8443/callback', false, false],
    [SITE, 'https://www.school.example/callback', true, true],
    ['https://localhost:3443', 'http://localhost/callback', false, false],
    ['https://localhost:3443', 'http://localhost:53817/callback', false, false],
    ['https://localhost:3443', 'http://127.0.0.1:53817/callback', true, true],
  ]
  for (const [school, uri, registered, requested] of table) {
    test(`${uri} at ${school}: registered ${registered}, requested ${requested}`, () => {
      assert.equal(errorOfRegistered(schoolAt(school), uri) === undefined, registered)
      assert.equal(errorOfRequested(schoolAt(school), uri) === undefined, requested)
    })
  }
})

suite('a callback on the host of the uploaded pages of a school', () => {
  type Row = readonly [school: string, pagesHost: string, uri: string, registered: boolean, requested: boolean]
  const table: readonly Row[] = [
    [PORT, '127.0.0.1:3001', 'http://127.0.0.1:3001/callback', false, false],
    [PORT, '127.0.0.1:3001', 'http://127.0.0.1:3002/callback', true, true],
    [PORT, '127.0.0.1:3001', 'http://[::1]:3001/callback', true, true],
    // Registered without a port, any port may follow, except this one.
    [PORT, '127.0.0.1', 'http://127.0.0.1/callback', true, false],
    [PORT, '127.0.0.1', 'http://127.0.0.1:80/callback', false, false],
    [SITE, 'pages.example.org', 'https://pages.example.org/callback', false, false],
    [SITE, 'pages.example.org', 'https://pages.example.org:8443/callback', false, false],
    [SITE, 'pages.example.org:8443', 'https://pages.example.org/callback', false, false],
  ]
  for (const [school, pagesHost, uri, registered, requested] of table)
    test(`${uri} at ${school} with pages at ${pagesHost}: registered ${registered}, requested ${requested}`, () => {
      assert.equal(errorOfRegistered(schoolAt(school, pagesHost), uri) === undefined, registered)
      assert.equal(errorOfRequested(schoolAt(school, pagesHost), uri) === undefined, requested)
    })
})
