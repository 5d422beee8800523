import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '#src/kit/crypto.ts'
import { buildPolicy, chooseContentType, isNamedByHash, listCandidates, listPagePaths, parseFilePath } from './rules.ts'

test('an address means a file, the index of a folder, or the page for what is missing', () => {
  const found = (rest: string) => listCandidates(rest).map(({ path, is }) => `${is} ${path}`)
  assert.deepEqual(found(''), ['folder index.html', 'missing 404.html'])
  assert.deepEqual(found('/'), ['index index.html', 'missing 404.html'])
  assert.deepEqual(found('/docs/'), ['index docs/index.html', 'missing 404.html'])
  assert.deepEqual(found('/docs'), ['file docs', 'folder docs/index.html', 'missing 404.html'])
  for (const rest of ['/%', '/%ff', '/a%2fb', '/a%00b']) assert.deepEqual(found(rest), ['missing 404.html'], rest)
})

test('an address is decoded once, and its letters are composed', () => {
  for (const [address, path] of [
    ['a%20b.txt', 'a b.txt'],
    ['p%C3%A3o.txt', 'pão.txt'],
    ['pa%CC%83o.txt', 'pão.txt'],
    ['a%252fb', 'a%2fb'],
    ['..%5cb', '..\\b'],
  ] as const)
    assert.equal(parseFilePath(address), path, address)
})

test('a page has up to four segments, and the longest path comes first', () => {
  assert.deepEqual(listPagePaths('/a/b/c.js'), ['/a/b', '/a'])
  assert.deepEqual(listPagePaths('/a/b/c/d/e'), ['/a/b/c/d', '/a/b/c', '/a/b', '/a'])
  for (const address of ['/', '//a', '/A/b', '/%61/b', '/a_b/c', '/../a'])
    assert.deepEqual(listPagePaths(address), [], address)
})

test('only a name with digits of the hash of its content is kept for good', () => {
  const hash = sha256('bread')
  const digits = hash.toString('hex')
  for (const name of [`${digits}.css`, `a-${digits.slice(0, 16)}.js`, `css/a.${digits.slice(0, 20)}.css`])
    assert.equal(isNamedByHash(name, hash), true, name)
  for (const name of [
    'a.css',
    `a-${digits.slice(0, 15)}.js`,
    `a-${digits.slice(1, 17)}.js`,
    `${digits}/a.css`,
    'a-0123456789abcdef.js',
  ])
    assert.equal(isNamedByHash(name, hash), false, name)
})

test('the type of a file follows from its name; unknown ones are handed over', () => {
  assert.equal(chooseContentType('a/INDEX.HTML'), 'text/html; charset=utf-8')
  for (const name of ['a', 'a.', 'html', 'a.constructor', 'a.exe', 'a.html.'])
    assert.equal(chooseContentType(name), 'application/octet-stream', name)
})

test('scripts of uploaded pages reach the API of their school under its base URL and at the origin of its pages', () => {
  for (const [baseUrl, siteOrigin, sources] of [
    ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://127.0.0.1:3000 http://localhost:3000'],
    ['https://learn.example.org', 'https://learn.example.org', 'https://learn.example.org'],
  ] as const) {
    const policy = buildPolicy({ baseUrl, siteOrigin })
    assert.ok(policy.includes(`; connect-src 'self' ${sources}; form-action 'self' ${siteOrigin};`), policy)
  }
})
