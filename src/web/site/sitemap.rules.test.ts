import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesFor, MAX_ADDRESSES, renderSitemap, renderSitemapIndex } from './sitemap.rules.ts'

test('a file has at most 50,000 addresses, and there is always one', () => {
  assert.equal(MAX_ADDRESSES, 50_000)
  for (const [count, files] of [
    [0, 1],
    [1, 1],
    [50_000, 1],
    [50_001, 2],
    [150_000, 3],
  ] as const)
    assert.equal(filesFor(count), files, String(count))
})

test('addresses are escaped', () => {
  assert.match(
    renderSitemap([{ url: 'https://a.example/?a=1&b="' }]),
    /<loc>https:\/\/a\.example\/\?a=1&amp;b=&quot;<\/loc>/,
  )
  assert.match(renderSitemapIndex(['https://a.example/<']), /<loc>https:\/\/a\.example\/&lt;<\/loc>/)
})
