import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliCompressSync } from 'node:zlib'
import { people } from '#src/demo/index.ts'
import { limits } from '#src/http/limits.ts'
import { type ModuleName, moduleNames, readModulePath } from '#src/kit/browser-modules.ts'
import { enterAccount } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { once } from '#testing/staff-pages.ts'

const app = testApp()
const KILOBYTES = 1024
// Of each module in kilobytes, as it is sent.
const MOST: Partial<Record<ModuleName, number>> = { base: 5, list: 2 }

const owner = once(() => enterAccount({ port: app.port, school: app.a, email: people.ada.email, password: PASSWORD }))

const listModules = (text: string): string[] =>
  [...text.matchAll(/<script type="module" src="([^"]*)"/g)].map(([, path = '']) => path)

test('a page of the console names its modules, and its policy runs nothing else', async () => {
  const page = await (await owner()).open('/staff/people')
  const names = listModules(page.text).map(path => /^\/assets\/modules\/([\w-]+)\.[0-9a-f]{16}\.js$/.exec(path)?.[1])
  assert.deepEqual(names.sort(), ['base', 'in-place', 'list', 'palette'])
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src (\S+); connect-src 'self';/)
  assert.equal(/script-src (\S+);/.exec(policy)?.[1], `${app.a.siteOrigin}/assets/modules/`)
  assert.doesNotMatch(policy, /unsafe/)
  assert.doesNotMatch(page.text.replaceAll(/<script type="module" [^>]*><\/script>/g, ''), /<script|\son\w+=/)
})

test('pages of the site, of sign-in and of the account name no module, and their policy runs none', async () => {
  for (const path of ['/', '/courses', '/account/sign-in', '/account', '/account/profile', '/learn']) {
    const page = await (await owner()).open(path)
    assert.equal(page.status, 200, path)
    assert.doesNotMatch(page.text, /<script type="module"/, path)
    assert.doesNotMatch(String(page.headers['content-security-policy']), /script-src|connect-src/, path)
  }
})

test('every module is bundled, and everybody who asks at once gets the same bytes of it', async () => {
  for (const name of moduleNames) {
    const path = readModulePath(name)
    const replies = await Promise.all(Array.from({ length: 20 }, () => app.send({ path })))
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200], name)
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1, name)
    const { headers, text } = replies[0] ?? assert.fail()
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['set-cookie'], undefined)
    const size = brotliCompressSync(text).length
    assert.ok(size <= (MOST[name] ?? Number.POSITIVE_INFINITY) * KILOBYTES, `${name} has ${size} bytes`)
    const again = await app.send({ path, headers: { 'if-none-match': String(headers.etag) } })
    assert.deepEqual([again.status, again.text, again.headers['cache-control']], [304, '', headers['cache-control']])
    const { headers: coded } = await app.send({ path, headers: { 'accept-encoding': 'br' } })
    const isSmall = Buffer.byteLength(text) < limits.compressedFrom
    assert.equal(coded['content-encoding'], isSmall ? undefined : 'br', name)
    const elsewhere = await app.send({ path, headers: { host: `127.0.0.1:${app.port}` } })
    assert.deepEqual([elsewhere.status, elsewhere.text], [200, text], 'under another name of this computer')
  }
})

test('an unknown module and an old address of one are not found', async () => {
  const path = readModulePath('base')
  const nothing = await app.send({ path: '/assets/nothing.js' })
  for (const other of [
    path.replace(/[0-9a-f]{16}/, '0123456789abcdef'),
    path.replace('base', 'toasts'),
    path.replace('base', 'nothing'),
    '/assets/modules/base.js',
    '/assets/modules/base.ts',
    '/assets/modules/..%2fbase.ts',
  ]) {
    const { status, headers } = await app.send({ path: other })
    assert.deepEqual([status, headers['content-type']], [404, nothing.headers['content-type']], other)
  }
})
