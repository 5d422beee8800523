import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toLanguage } from '#src/contract/language.ts'
import { scopeSections } from '#src/contract/scopes.ts'
import { languages } from '#src/kit/locale.ts'
import { buildScopes } from '#src/oauth/index.ts'
import { testApp } from '#testing/app.ts'
import { areaScopes, grantable, operations } from '#testing/matrix.ts'
import { areas } from '../src/areas.ts'

const app = testApp()
const words = (text: string): string[] => text.trim().split(/\s+/)

// Every app may rely on these scopes (docs/oauth.md, Scopes).
const PROMISED = words(`
  openid profile email courses:read courses:write students:read students:write members:read members:write
  analytics:read curriculum:read curriculum:write orders:read school:read school:write appearance:read appearance:write
  events:read events:write membership_plans:read membership_plans:write coupons:read coupons:write posts:read posts:write
  subscriptions:read subscriptions:write digital_products:read digital_products:write comments:read lecturers:read
  lecturers:write storage:write forms:read pages:read pages:write account:read account:write
`)

// The lowest role to which the consent page offers each scope.
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  member: words(`account:read account:write school:read appearance:read pages:read lecturers:read courses:read
    membership_plans:read digital_products:read events:read posts:read comments:read curriculum:read storage:write`),
  lecturer: words(`courses:write curriculum:write students:read students:write analytics:read posts:write events:write
    lecturers:write`),
  admin: words(`members:read members:write coupons:read coupons:write orders:read subscriptions:read subscriptions:write
    forms:read membership_plans:write digital_products:write pages:write appearance:write school:write`),
}

// Where the paths of each section begin; the first that fits counts.
const PATHS: Readonly<Record<string, readonly string[]>> = {
  curriculum:
    words(`/courses/:course_id/outline /courses/:course_id/sections /courses/:course_id/lessons /sections /lessons
    /attachments`),
  students: words(
    '/courses/:course_id/enrollments /students /enrollments /pending-enrollments /submissions /quiz-attempts',
  ),
  courses: words('/courses /categories /reviews /certificates /certificate-templates'),
  digital_products: words('/digital-products'),
  membership_plans: words('/membership-plans'),
  school: words('/school /bin /webhooks'),
  members: words('/members /groups /custom-fields /segments'),
  storage: words('/uploads'),
  appearance: words('/appearance'),
  pages: words('/pages'),
  posts: words('/posts /post-categories'),
  forms: words('/forms'),
  events: words('/events /occurrences /registrations /ticket-types'),
  lecturers: words('/lecturers'),
  coupons: words('/coupons'),
  comments: words('/comments'),
  orders: words('/orders /refunds /invoices'),
  subscriptions: words('/subscriptions'),
  analytics: words('/analytics'),
  account: words('/account'),
}

const sorted = (list: readonly string[]): string[] => [...list].sort()

test('exactly the 38 promised scopes are advertised, alike in all three documents', async () => {
  assert.equal(new Set(PROMISED).size, 38)
  const names = ['oauth-authorization-server', 'openid-configuration', 'oauth-protected-resource']
  const [server, openid, resource] = await Promise.all(names.map(name => app.send({ path: `/.well-known/${name}` })))
  assert.deepEqual(sorted(server?.json.scopes_supported), sorted(PROMISED))
  assert.deepEqual(openid?.json, server?.json)
  assert.deepEqual(resource?.json.scopes_supported, server?.json.scopes_supported)
})

test('each scope belongs to the one section it is named after, and every section has one', () => {
  assert.equal(scopeSections.length, 20)
  assert.equal(new Set(scopeSections.map(({ name }) => name)).size, 20)
  assert.equal(new Set(areaScopes).size, areaScopes.length)
  for (const { name, scopes } of scopeSections) {
    assert.ok(Object.keys(scopes).length > 0, name)
    for (const scope of Object.keys(scopes)) assert.match(scope, new RegExp(`^${name}:(read|write)$`))
  }
})

test('every operation has an id of its own, and a path of the section of its scope', () => {
  assert.equal(new Set(operations.map(({ id }) => id)).size, operations.length)
  const sectionOfPath = (path: string): string | undefined =>
    Object.entries(PATHS).find(([, starts]) => starts.some(start => `${path}/`.startsWith(`${start}/`)))?.[0]
  for (const { id, scope, section, path } of operations) {
    // What is in the bin belongs to the section of its kind.
    const expected = sectionOfPath(path.replace(/^\/bin(?=\/)/, ''))
    assert.equal(section ?? scope.split(':')[0], expected, `${id} is at ${path}`)
  }
})

// A webhook is another way of reading, and changes nothing of the school: decision 301.
const isAboutWebhooks = (path: string): boolean => /^\/webhooks(?:\/|$)/.test(path)

test('a scope that reads guards nothing that writes but webhooks, and one that writes no reading where another reads', () => {
  for (const { id, scope, method, mode, path } of operations) {
    const reads = scope.replace(/:write$/, ':read')
    if (isAboutWebhooks(path)) assert.equal(scope, 'school:read', id)
    else if (scope.endsWith(':read'))
      assert.ok(mode === 'read' || mode === 'stream', `${id} does ${mode} behind ${scope}`)
    else assert.ok(method !== 'GET' || !areaScopes.includes(reads), `${id} is a GET behind ${scope}`)
  }
})

test('every scope guards an operation', () => {
  assert.deepEqual(
    areaScopes.filter(scope => !grantable.includes(scope)),
    [],
  )
})

test('each scope is offered from the role of the table on', () => {
  const declared = Object.entries(OFFERED).flatMap(([role, list]) => list.map(scope => [scope, role] as const))
  const offered = scopeSections.flatMap(({ scopes }) =>
    Object.entries(scopes).map(([scope, { offeredTo }]) => [scope, offeredTo]),
  )
  assert.deepEqual(Object.fromEntries(offered), Object.fromEntries(declared))
})

test('every scope says what it does in every language', () => {
  const scopes = [...buildScopes(areas).values()]
  assert.equal(scopes.length, 38)
  for (const language of languages) {
    assert.equal(toLanguage(language), language)
    const sentences = scopes.map(({ sentence }) => sentence[language] ?? '')
    for (const [index, sentence] of sentences.entries())
      assert.match(sentence, /^\p{Lu}.{8,}[^.\s]$/u, scopes[index]?.name)
    assert.equal(new Set(sentences).size, 38, `${language} says each in its own words`)
  }
  for (const { name, sentence } of scopes)
    for (const language of languages.slice(1)) assert.notEqual(sentence[language], sentence.en, name)
})
