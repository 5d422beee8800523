import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HOME, returnTo } from './return-to.ts'

// As in the fuzz test: a change decides what fails, not chance; another seed looks elsewhere.
const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

const OWN = ['/account', '/account/apps', '/account/email/code', '/staff', '/staff/confirm/cnf_1?dry_run=true&a=%2F']

const FOREIGN = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/%09/evil.example',
  'http:evil.example',
  'evil',
  '/\t/evil.example',
  '///evil',
  '/account//evil',
  '/account/../oauth/authorize',
  '/account/./x',
  '/account/%2e%2e/x',
  '/oauth/authorize?client_id=c1_x',
  '/accounts',
  '/accountevil',
  '/account@evil.example',
  '/account:80',
  '',
  '/account\r\nset-cookie: a=b',
  '/account#x',
  '/account?x=\u0000',
  ' /account',
  '/account ',
  '/ACCOUNT',
  '/account\n',
  'javascript:alert(1)',
  '/account/sign-in',
  '/account/sign-in?return_to=/account',
  '/account/sign-out',
]

test('E-17 only addresses of the account and the staff are come back to', () => {
  for (const path of OWN) assert.equal(returnTo(path), path)
  for (const path of FOREIGN) assert.equal(returnTo(path), HOME, JSON.stringify(path))
})

test('E-17 whatever is asked for, a browser stays with the school and with these pages', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.string().map(rest => `/account${rest}`),
  )
  fc.assert(
    fc.property(text, target => {
      const { origin, pathname } = new URL(returnTo(target), 'https://school.example')
      assert.equal(origin, 'https://school.example')
      assert.match(pathname, /^\/(?:account|staff)(?:\/|$)/)
    }),
    { seed },
  )
})
