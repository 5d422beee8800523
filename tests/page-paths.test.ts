import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isReserved } from '#src/areas/publishing/index.ts'

const SOURCE = join(import.meta.dirname, '../src')

const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map(path => ({ path, text: readFileSync(join(SOURCE, path), 'utf8') }))

// Operations of areas are below /api/v1; their other routes are declared as endpoints.
const routesIn = ({ path, text }: (typeof sources)[number]): string[] => {
  const route = path.startsWith('areas/')
    ? /endpoint\(\{\s*route: ['`]GET (\/[^'`]*)/g
    : /['`](?:GET|POST) (\/[^'`\s]*)['`]/g
  return [...text.matchAll(route)].map(([, found = '']) => found)
}

const routes = sources.flatMap(routesIn)

test('no page can be at a path that the server answers', () => {
  assert.ok(routes.length > 80, `${routes.length} routes were found`)
  for (const route of routes) {
    const [, segment = ''] = route.split('/')
    // A segment that no page can have: empty, with a dot, or a parameter of a file below it.
    if (!/^[a-z0-9-]+$/.test(segment)) continue
    assert.ok(isReserved(route), `${route} is not reserved: add ${segment} to reservedSegments`)
  }
})

test('everything below a reserved segment is reserved, and nothing else', () => {
  for (const path of [
    '/account',
    '/account/x',
    '/api',
    '/oauth/authorize',
    '/learn',
    '/courses/x',
    '/files/x',
    '/webhooks',
  ])
    assert.equal(isReserved(path), true, path)
  for (const path of ['/about', '/about/account', '/accounts', '/course']) assert.equal(isReserved(path), false, path)
})
