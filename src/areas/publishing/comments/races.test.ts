import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import {
  assertCounts,
  COMMENT_STAFF,
  COMMENTING,
  comment,
  commented,
  commentedCourse,
  moderate,
} from '#testing/comments.ts'
import type { TestReply } from '#testing/http.ts'

const app = testApp({ trustProxy: '127.0.0.1' })

const names = ['dev', 'eli', 'femi', 'carla'] as const
const actors = () => Promise.all(names.map(name => app.actor(name, { scopes: COMMENTING })))

test('replies, deletions, hiding and reports at once leave counts that are what the rows add up to', async () => {
  const ada = await app.actor('ada', { scopes: COMMENT_STAFF })
  const { id } = await commentedCourse(app, ada, 'At once')
  const [dev, ...others] = await actors()
  assert.ok(dev !== undefined)
  const root = await commented(dev, id, 'The root')
  const children = await Promise.all(others.map((actor, index) => commented(actor, id, `Child ${index}`, root)))
  const done = await Promise.allSettled([
    ...others.map((actor, index) => comment(actor, id, `Below ${index}`, children[index])),
    ...others.map((actor, index) => actor.write('DELETE', `/account/comments/${children[index]}`)),
    ...others.map(actor => actor.write('PUT', `/account/comments/${root}/report`, { reason: 'spam' })),
    ...children.map(child => moderate(app, 'hideComment', child, { reason: 'At once' })),
    moderate(app, 'settleReports', root),
  ])
  const failed = done.filter(one => one.status === 'fulfilled' && one.value !== undefined && one.value.status >= 500)
  assert.deepEqual(failed, [])
  await assertCounts(app)
})

test('an edit and a reply that arrive at once: either the edit is there before the reply, or it is refused', async () => {
  await app.moveClock(61)
  const ada = await app.actor('ada', { scopes: COMMENT_STAFF })
  const { id } = await commentedCourse(app, ada, 'Edit and reply')
  const [dev, eli] = await actors()
  assert.ok(dev !== undefined && eli !== undefined)
  for (let round = 0; round < 4; round++) {
    const root = await commented(dev, id, `Before ${round}`)
    const [edit, reply]: readonly [TestReply, TestReply] = await Promise.all([
      dev.write('PATCH', `/account/comments/${root}`, { body: `After ${round}` }),
      comment(eli, id, `Reply ${round}`, root),
    ])
    assert.equal(reply.status, 201, reply.text)
    assert.ok(edit.status === 200 || edit.json.code === 'comment_not_editable', edit.text)
    const { json } = await dev.get(`/comments/${root}`)
    assert.equal(json.body, edit.status === 200 ? `After ${round}` : `Before ${round}`)
  }
  await assertCounts(app)
})
