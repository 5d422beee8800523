import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFault, findWeakness } from './pages-host.rules.ts'

const SCHOOL = 'https://learn.example.org'

test('a host for static pages is better on a domain that the school uses for nothing else', () => {
  for (const [school, pages, expected] of [
    [SCHOOL, 'https://learn-pages.example.net', undefined],
    [SCHOOL, 'https://pages.example.org', /the domain example\.org/],
    [SCHOOL, 'https://example.org', /the domain example\.org/],
    ['https://school.co.uk', 'https://pages.school.co.uk', /the domain school\.co\.uk/],
    ['https://school.co.uk', 'https://other.co.uk', undefined],
    ['http://localhost:3000', 'http://pages.localhost:3000', undefined],
    ['http://rye.localhost:3000', 'http://pages.rye.localhost:3000', undefined],
    ['http://localhost:3000', 'http://127.0.0.1:3001', undefined],
  ] as const) {
    const found = findWeakness(school, pages)
    if (expected === undefined) assert.equal(found, undefined, pages)
    else assert.match(found ?? '', expected, pages)
  }
})

test('what answers at the host tells a host for static pages from the school, from a host nobody has, and from others', () => {
  const answer = (status: number, location: string | null = null, type = 'text/html') =>
    findFault(SCHOOL, { status, location, type })
  assert.equal(answer(302, `${SCHOOL}/`), undefined)
  assert.equal(answer(302, '/welcome/'), undefined)
  assert.match(answer(200) ?? '', /shows another site/)
  assert.match(answer(404, null, 'application/problem+json') ?? '', /not known to the server/)
  for (const [status, location] of [
    [302, 'https://other.example/'],
    [302, '//other.example/'],
    [301, `${SCHOOL}/`],
    [404, null],
    [502, null],
  ] as const)
    assert.match(answer(status, location) ?? '', new RegExp(`answers with status ${status}`), `${status} ${location}`)
})
