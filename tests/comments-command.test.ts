import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { COMMENT_STAFF, COMMENTING, comment, commented, commentedCourse } from '#testing/comments.ts'
import { readMemberId } from '#testing/learning.ts'
import { type Ran, stoaHere } from '#testing/stoa.ts'

const app = testApp({ trustProxy: '127.0.0.1' })

const run = (...args: string[]): Promise<Ran> =>
  stoaHere(['comments', ...args, '--school', app.a.baseUrl], {
    STOA_DATABASE_URL: app.database.appUrl,
    STOA_SECRET: app.secret,
    STOA_DATA: app.folder,
    STOA_STORAGE: app.folder,
  })

test('stoa comments hides, publishes and deletes a comment, settles reports and stops a member', async () => {
  const ada = await app.actor('ada', { scopes: COMMENT_STAFF })
  const { id } = await commentedCourse(app, ada, 'By command', ['dev'])
  const dev = await app.actor('dev', { scopes: COMMENTING })
  const own = await commented(dev, id, 'Words')
  const status = async () => (await ada.get(`/comments/${own}`)).json.status
  const without = await run('hide', own)
  assert.deepEqual([without.code, /--reason/.test(without.err)], [1, true])
  assert.equal((await run('hide', own, '--reason', 'Spam')).code, 0)
  assert.equal(await status(), 'hidden')
  assert.equal((await run('restore', own)).code, 0)
  assert.equal(await status(), 'published')
  assert.equal((await run('settle', own)).code, 0)
  const memberId = toId('mem', await readMemberId(app, 'dev'))
  const muted = await run('mute', memberId, '--reason', 'Spam', '--json')
  assert.deepEqual([muted.code, JSON.parse(muted.out)], [0, { member_id: memberId }])
  assert.equal((await comment(dev, id, 'More')).json.code, 'commenting_muted')
  assert.equal((await run('unmute', memberId)).code, 0)
  assert.equal((await run('delete', own)).code, 0)
  assert.equal(await status(), 'deleted')
  const again = await run('delete', own)
  assert.deepEqual([again.code, /is deleted/.test(again.err)], [1, true])
  assert.equal((await run('burn', own)).code, 1)
})
