import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOf } from '#src/contract/language.ts'
import { scopesOf } from '#src/oauth/index.ts'
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

// Scopes without an operation: they are shown and never granted. This list only ever becomes shorter.
const LATER = words(`
  analytics:read orders:read appearance:read appearance:write
  events:read events:write membership_plans:read membership_plans:write coupons:read coupons:write posts:read posts:write
  subscriptions:read subscriptions:write digital_products:read digital_products:write comments:read
  forms:read pages:read pages:write
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

const sorted = (list: readonly string[]): string[] => [...list].sort()

test('exactly the 38 promised scopes are advertised, alike in all three documents', async () => {
  assert.equal(new Set(PROMISED).size, 38)
  const names = ['oauth-authorization-server', 'openid-configuration', 'oauth-protected-resource']
  const [server, openid, resource] = await Promise.all(names.map(name => app.send({ path: `/.well-known/${name}` })))
  assert.deepEqual(sorted(server?.json.scopes_supported), sorted(PROMISED))
  assert.deepEqual(openid?.json, server?.json)
  assert.deepEqual(resource?.json.scopes_supported, server?.json.scopes_supported)
})

test('each scope belongs to the one area it is named after, and every area has one', () => {
  assert.equal(areas.length, 20)
  assert.equal(new Set(areas.map(({ name }) => name)).size, 20)
  assert.equal(new Set(areaScopes).size, areaScopes.length)
  for (const { name, scopes } of areas) {
    assert.ok(Object.keys(scopes).length > 0, name)
    for (const scope of Object.keys(scopes)) assert.match(scope, new RegExp(`^${name}:(read|write)$`))
  }
})

test('every operation stands in the area that owns its scope and its path, and has an id of its own', () => {
  assert.equal(new Set(operations.map(({ id }) => id)).size, operations.length)
  const segments = areas.flatMap(area => area.segments)
  assert.equal(new Set(segments).size, segments.length, 'a segment belongs to one area')
  for (const [index, area] of areas.entries()) {
    const borrows = area.borrows ?? []
    const earlier = areas.slice(0, index).flatMap(one => Object.keys(one.scopes))
    for (const scope of borrows) assert.ok(earlier.includes(scope), `${area.name} borrows ${scope} of an earlier area`)
    for (const { id, scope, path } of area.operations) {
      const isOwned = Object.hasOwn(area.scopes, scope) || borrows.includes(scope)
      assert.ok(scope === 'none' || isOwned, `${id} needs ${scope}`)
      const isOwn = area.segments.includes(path.split('/')[1] ?? '') || area.paths?.includes(path) === true
      assert.ok(isOwn, `${id} is at ${path}`)
    }
  }
})

test('a scope that reads guards nothing that writes, and one that writes no reading where another reads', () => {
  for (const { id, scope, method, mode } of operations) {
    const reads = scope.replace(/:write$/, ':read')
    if (scope.endsWith(':read')) assert.ok(mode === 'read' || mode === 'stream', `${id} does ${mode} behind ${scope}`)
    else assert.ok(method !== 'GET' || !areaScopes.includes(reads), `${id} is a GET behind ${scope}`)
  }
})

test('the scopes without an operation are exactly those of the list that shrinks', () => {
  assert.deepEqual(sorted(areaScopes.filter(scope => !grantable.includes(scope))), sorted(LATER))
})

test('each scope is offered from the role of the table on', () => {
  const declared = Object.entries(OFFERED).flatMap(([role, list]) => list.map(scope => [scope, role] as const))
  const offered = areas.flatMap(area => Object.entries(area.scopes).map(([scope, { offeredTo }]) => [scope, offeredTo]))
  assert.deepEqual(Object.fromEntries(offered), Object.fromEntries(declared))
})

test('every scope says what it does in English and in Portuguese', () => {
  const said = [...scopesOf(areas).values()]
  assert.equal(said.length, 38)
  for (const language of ['en', 'pt'] as const) {
    assert.equal(languageOf(language), language)
    const sentences = said.map(({ sentence }) => sentence[language])
    for (const [index, sentence] of sentences.entries())
      assert.match(sentence, /^\p{Lu}.{8,}[^.\s]$/u, said[index]?.name)
    assert.equal(new Set(sentences).size, 38, `${language} says each in its own words`)
  }
  for (const { name, sentence } of said) assert.notEqual(sentence.en, sentence.pt, name)
})
