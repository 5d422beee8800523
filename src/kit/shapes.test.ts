import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import Value from 'typebox/value'
import { CommentMode, PublicPath, Seo } from './shapes.ts'

test('a path of a page has 1 to 4 segments of at most 60 characters: words in lower case, joined by hyphens', () => {
  for (const path of [
    '/a',
    '/about',
    '/about/team-2',
    '/a/b/c/d',
    `/${'a'.repeat(60)}`,
    `/${'a'.repeat(60)}`.repeat(4),
  ])
    assert.ok(Value.Check(PublicPath, path), path)
  const refused = [
    '',
    '/',
    'about',
    '/About',
    '/a/',
    '//a',
    '/a//b',
    '/a/b/c/d/e',
    `/${'a'.repeat(61)}`,
    '/a-',
    '/-a',
    '/a--b',
  ]
  for (const path of [
    ...refused,
    '/a?b',
    '/a#b',
    '/a%2fb',
    '/../a',
    '/a b',
    '/a\n',
    '/\\a',
    '/é',
    `/a/${'b'.repeat(61)}/c`,
  ])
    assert.ok(!Value.Check(PublicPath, path), path)
})

test('every accepted path is its own path in a URL', () => {
  const segment = fc.stringMatching(/^[a-z0-9]+(-[a-z0-9]+){0,3}$/).filter(text => text.length <= 60)
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), segments => {
      const path = `/${segments.join('/')}`
      assert.ok(Value.Check(PublicPath, path), path)
      assert.equal(new URL(path, 'https://bread.example').pathname, path)
    }),
    { seed: Number(process.env.STOA_TEST_SEED ?? 20_261_122) },
  )
})

test('the shape for search engines has a title and a description, of one line each or null', () => {
  assert.ok(Value.Check(Seo, { title: null, description: 'Bread from flour and water' }))
  for (const seo of [{ title: 'x' }, { title: '', description: null }, { title: 'a\nb', description: null }])
    assert.ok(!Value.Check(Seo, seo), JSON.stringify(seo))
  assert.ok(!Value.Check(Seo, { title: null, description: null, robots: 'none' }))
})

test('comments are open, closed or off', () => {
  for (const mode of ['open', 'closed', 'off']) assert.ok(Value.Check(CommentMode, mode))
  assert.ok(!Value.Check(CommentMode, 'approval'))
})
