import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HOME, returnTo } from './return-to.ts'

// As in the fuzz test: a change decides what fails, not chance; another seed looks elsewhere.
const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

const OWN = [
  '/account',
  '/learn',
  '/learn/first-loaf',
  '/learn/crs_0a',
  '/learn/first-loaf/les_0a?done=les_1',
  '/account/apps',
  '/account/email/code',
  '/staff',
  '/staff/confirm/cnf_1?dry_run=true&a=%2F',
  // As browsers and `URLSearchParams` write "ada l*".
  '/staff/csv/listMembers?q=ada+l*',
]

const SITE = [
  '/',
  '/courses',
  '/courses?category=bread&cursor=a.b-c_d',
  '/courses/sourdough-from-scratch',
  '/courses/sourdough-from-scratch/preview/les_0',
  '/lecturers/carla-nunes',
  '/events',
  '/events/open-kitchen',
  '/plans/bakers-club',
  '/search?q=p%C3%A3o%20com%20%27',
  '/developers',
]

const PRICE = `prc_0${'1'.repeat(25)}`

const CHECKOUT = [
  `/checkout?price=${PRICE}`,
  `/checkout?price=${PRICE}&quantity=2&price=${PRICE}&code=RYE-10&code=p%C3%A3o&campaign=spring`,
  `/checkout?price=${PRICE}&quantity=2&occurrence=occ_0${'1'.repeat(25)}&amount=1500&price=${PRICE}`,
  `/checkout?${Array(20).fill(`price=${PRICE}`).join('&')}`,
  `/checkout/chk_0${'1'.repeat(25)}`,
]

const FOREIGN = [
  '/checkout',
  '/checkout?price=javascript:alert(1)',
  '/checkout?price=//evil.example',
  `/checkout?price=${PRICE}&return_to=//evil.example`,
  `/checkout?code=RYE&price=${PRICE}`,
  `/checkout?price=${PRICE}&occurrence=//evil.example`,
  `/checkout/?price=${PRICE}`,
  `/checkout?price=${PRICE}&`,
  `/checkout?${Array(21).fill(`price=${PRICE}`).join('&')}`,
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
  '/learn/',
  '/learn//evil.example',
  '/learn/First',
  '/learn/first_loaf',
  '/learn/first-loaf/crs_0a',
  '/learn/first-loaf/les_0a/x',
  '/learn/../oauth/authorize',
  '/learn/%2f%2fevil',
  '/learn\\evil',
  '/learnevil',
  '/account/sign-in',
  '/account/sign-in?return_to=/account',
  '/account/sign-out',
  '/account/sign-up',
  '/account/sign-up/code?return_to=/courses',
  '/\\evil',
  '//evil',
  '/courses//evil.example',
  '/courses/\\evil',
  '/courses/../oauth/authorize',
  '/courses/%2f%2fevil',
  '/%2f%2fevil.example',
  '/%5cevil.example',
  '/\tcourses',
  '/courses\t',
  '/courses\n',
  '/courses/pão',
  '/courses/\u2215\u2215evil',
  '/\u3002evil.example',
  '/courses@evil.example',
  '/courses:80',
  '/courses#x',
  '/coursesevil',
  '/?\\evil',
  '/oauth/invitation',
  '/api/v1/school',
  '/~0123456789012345678901/account',
  `/courses/${'a'.repeat(500)}`,
]

test('E-17 people return only to the account, the learning pages, the staff pages, the checkout and the site', () => {
  for (const path of [...OWN, ...SITE, ...CHECKOUT]) assert.equal(returnTo(path), path)
  for (const path of FOREIGN) assert.equal(returnTo(path), HOME, JSON.stringify(path))
})

test('E-17 whatever is asked for, a browser stays with the school and with these pages', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.string().map(rest => `/account${rest}`),
    fc.string().map(rest => `/courses${rest}`),
    fc.string().map(rest => `/learn${rest}`),
    fc.string().map(rest => `/${rest}`),
  )
  fc.assert(
    fc.property(text, target => {
      const { origin, pathname } = new URL(returnTo(target), 'https://school.example')
      assert.equal(origin, 'https://school.example')
      assert.match(
        pathname,
        /^\/(?:(?:account|learn|staff|courses|products|plans|events|forms|blog|search|lecturers|developers)(?:\/|$))?$|^\/(?:account|learn|staff|courses|products|plans|events|forms|blog|search|lecturers|developers)\//,
      )
    }),
    { seed },
  )
})
