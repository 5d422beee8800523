import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const statements: string[] = []
const app = testApp({ onStatement: text => void statements.push(text) })

const POSTS = 10_000

const fill = async (): Promise<void> => {
  const ids = `('00000000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid`
  await app.database.query(
    `insert into posts (school_id, id, title_folded, words_folded, body_words, slug, access, featured, comments, status,
       published_at, listed_at, version, created_at, updated_at)
     select $1::uuid, ${ids}, 'post ' || n, 'post ' || n, '', 'post-' || n, 'public', false, 'open', 'published', t, t, 1, t, t
     from generate_series(1, $2::integer) as n, lateral (select timestamptz '2040-01-01' + n * interval '1 minute' as t) as at`,
    [app.a.id, POSTS],
  )
  await app.database.query(
    `insert into post_versions (school_id, id, post_id, number, title, subtitle, excerpt, opening, body, body_format, body_html,
       body_allowed, reading_minutes, created_at)
     select school_id, id, id, 1, 'Post <' || slug || '>', '', 'About ' || slug, '', 'Body', 'markdown', '<p>Body</p>', 1, 1, created_at
     from posts where school_id = $1 and id >= '00000000-0000-7000-9000-000000000000'
       and id < '00000000-0000-7000-9001-000000000000'`,
    [app.a.id],
  )
}

test('the feed with 10,000 posts has the 20 newest, an ETag, and no statement for each post', async () => {
  await fill()
  statements.length = 0
  const first = await app.send({ path: '/feed.xml' })
  assert.deepEqual([first.status, first.headers['content-type']], [200, 'application/atom+xml; charset=utf-8'])
  assert.ok(statements.filter(text => /\bposts\b/.test(text)).length <= 2, statements.join('\n'))
  const titles = [...first.text.matchAll(/<entry>[\s\S]*?<title>([^<]*)<\/title>/g)].map(([, title]) => title)
  assert.deepEqual(
    titles,
    Array.from({ length: 20 }, (_, index) => `Post &lt;post-${POSTS - index}&gt;`),
  )
  assert.ok(!first.text.includes('Body'))
  const { etag = '' } = first.headers
  const again = await app.send({ path: '/feed.xml', headers: { 'if-none-match': String(etag) } })
  assert.deepEqual([again.status, again.text], [304, ''])
})
