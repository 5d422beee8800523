// One thing: what becomes of comments: reports, moderation, erasure and merge.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { toId } from '#src/kit/ids.ts'
import { writingTo } from '#testing/access.ts'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { COMMENT_STAFF, COMMENTING, comment, commented, commentedCourse, moderate } from '#testing/comments.ts'
import { readMemberId } from '#testing/learning.ts'
import { performAsOperator } from '#testing/orders.ts'

const app = testApp({ trustProxy: '127.0.0.1' })
const writing = writingTo(app)

beforeEach(() => app.moveClock(61))

const actors = new Map<string, Promise<Actor>>()

/** Somebody who was signed in once. */
const as = (name: PersonName): Promise<Actor> => {
  const actor = actors.get(name) ?? app.actor(name, { scopes: name === 'ada' ? COMMENT_STAFF : COMMENTING })
  actors.set(name, actor)
  return actor
}

const course = async (name: string) => commentedCourse(app, await as('ada'), name, ['dev', 'eli'])

const report = (actor: Actor, id: string, body: object = { reason: 'spam' }) =>
  actor.write('PUT', `/account/comments/${id}/report`, body)

const wireId = async (name: PersonName): Promise<string> => toId('mem', await readMemberId(app, name))

test('a member reports a comment once, and its author learns neither of the report nor of the reporter', async () => {
  const { id } = await course('Reports')
  const [dev, eli, ada] = [await as('dev'), await as('eli'), await as('ada')]
  const reported = await commented(dev, id, 'Buy here')
  const first = await report(eli, reported, { reason: 'spam', note: 'An advertisement' })
  assert.deepEqual([first.status, first.json.outcome], [200, null], first.text)
  const again = await report(eli, reported, { reason: 'abuse' })
  assert.deepEqual([again.json.id, again.json.reason], [first.json.id, 'abuse'])
  const { json } = await ada.get(`/comments/${reported}/reports`)
  const [listed, ...others] = json.data
  assert.deepEqual([others.length, listed.reporter.id, listed.reason], [0, await wireId('eli'), 'abuse'])
  const seen = [
    await dev.get(`/comments/${reported}`),
    await dev.get('/account/comments'),
    await dev.get(`/comments?subject=${id}`),
  ]
  for (const { text } of seen) {
    assert.doesNotMatch(text, /abuse|reported|report_count/)
    assert.ok(!text.includes(await wireId('eli')))
  }
  assert.equal((await dev.get(`/comments/${reported}/reports`)).status, 403)
  assert.equal((await ada.get(`/comments/${reported}`)).json.reported, true)
  const own = await report(dev, reported)
  assert.deepEqual([own.status, own.json.code], [409, 'own_comment'])
  assert.equal((await eli.write('DELETE', `/account/comments/${reported}/report`)).status, 204)
  assert.equal((await eli.write('DELETE', `/account/comments/${reported}/report`)).status, 404)
  assert.equal((await ada.get(`/comments/${reported}`)).json.reported, false)
})

test('a hundred reports hide nothing, and the staff settle them', async () => {
  const { id } = await course('Many reports')
  const [dev, eli, ada] = [await as('dev'), await as('eli'), await as('ada')]
  const reported = await commented(dev, id, 'Disliked by many')
  await report(eli, reported)
  await app.database.query(
    `insert into members (school_id, id, email, email_folded, name, name_folded, status, role, created_at, updated_at)
     select $1, gen_random_uuid(), 'r' || n || '@many.example', 'r' || n || '@many.example', 'R', 'r', 'active', 'member',
       stoa.now(), stoa.now() from generate_series(1, 99) as n`,
    [app.a.id],
  )
  await app.database.query(
    `insert into comment_reports (school_id, id, comment_id, member_id, reason, note, created_at, updated_at)
     select m.school_id, gen_random_uuid(), r.comment_id, m.id, 'spam', '', stoa.now(), stoa.now()
     from members m join comment_reports r on r.school_id = m.school_id
     where m.school_id = $1 and m.email like 'r%@many.example'
       and r.comment_id = (select id from comments where school_id = $1 and body = 'Disliked by many')`,
    [app.a.id],
  )
  // The trigger counts only what a connection of a school writes.
  await app.database.query(`update comments set open_reports = 100 where school_id = $1 and body = $2`, [
    app.a.id,
    'Disliked by many',
  ])
  const read = await ada.get(`/comments/${reported}/reports?include_total=true`)
  assert.equal(read.json.total, 100)
  assert.equal((await eli.get(`/comments/${reported}`)).json.status, 'published')
  await moderate(app, 'settleReports', reported)
  assert.equal((await ada.get(`/comments/${reported}`)).json.reported, false)
  const settled = await report(eli, reported, { reason: 'other' })
  assert.deepEqual([settled.status, settled.json.code], [409, 'report_settled'])
  assert.equal((await eli.get(`/comments/${reported}`)).json.status, 'published')
})

test('the staff hide a comment for a reason that its author reads, show it again and delete it for good', async () => {
  const { id } = await course('Moderation')
  const [dev, eli, ada] = [await as('dev'), await as('eli'), await as('ada')]
  const own = await commented(dev, id, 'Words')
  await report(eli, own)
  await moderate(app, 'hideComment', own, { reason: 'Names another student' })
  assert.equal((await eli.get(`/comments/${own}`)).status, 404)
  const { json: mine } = await dev.get('/account/comments?status=hidden')
  assert.deepEqual(
    mine.data.map((one: { id: string; hidden_reason: string; body: string }) => [one.id, one.hidden_reason, one.body]),
    [[own, 'Names another student', 'Words']],
  )
  assert.equal((await ada.get(`/comments/${own}/reports`)).json.data[0].outcome, 'hidden')
  const edit = await dev.write('PATCH', `/account/comments/${own}`, { body: 'Other words' })
  assert.deepEqual([edit.status, edit.json.code], [409, 'comment_not_editable'])
  await moderate(app, 'restoreComment', own)
  assert.equal((await eli.get(`/comments/${own}`)).json.body, 'Words')
  await moderate(app, 'deleteComment', own)
  assert.equal((await eli.get(`/comments/${own}`)).status, 404)
  for (const operation of ['hideComment', 'restoreComment', 'deleteComment'])
    await assert.rejects(
      moderate(app, operation, own, operation === 'hideComment' ? { reason: 'Again' } : undefined),
      /is deleted/,
    )
  const operations = await app.database.query<{ operation: string; actor: string }>(
    `select distinct operation, actor from audit_log where school_id = $1 and operation in ('hideComment', 'deleteComment')
     order by operation`,
    [app.a.id],
  )
  assert.deepEqual(operations, [
    { operation: 'deleteComment', actor: 'operator' },
    { operation: 'hideComment', actor: 'operator' },
  ])
})

test('a member who is stopped from commenting reads, and comments again after the end', async () => {
  const { id } = await course('Mutes')
  const eli = await as('eli')
  const own = await commented(eli, id, 'Before the mute')
  const [row] = await app.database.query<{ at: Date }>(`select stoa.now() + interval '2 days' as at`)
  const until = row?.at.toISOString()
  const params = { member_id: await wireId('eli') }
  await performAsOperator(app, { operation: 'muteCommenter', params, body: { reason: 'Spam', until } })
  const refused = await comment(eli, id, 'After the mute')
  assert.deepEqual([refused.status, refused.json.code], [403, 'commenting_muted'])
  assert.equal((await eli.get(`/comments/${own}`)).status, 200)
  await performAsOperator(app, { operation: 'unmuteCommenter', params })
  assert.equal((await comment(eli, id, 'After the mute')).status, 201)
  const staff = performAsOperator(app, {
    operation: 'muteCommenter',
    params: { member_id: await wireId('ada') },
    body: { reason: 'No' },
  })
  await assert.rejects(staff, /Staff cannot be stopped/)
})

test('an erased author leaves places without name and words, and reports of theirs are gone', async () => {
  const { id } = await course('Erasure')
  const [dev, femi] = [await as('dev'), await as('femi')]
  const root = await commented(femi, id, 'Femi was here')
  const reply = await commented(dev, id, 'A reply to it', root)
  assert.equal((await report(femi, reply)).status, 200)
  const memberId = await readMemberId(app, 'femi')
  const exported = await writing(({ db, school }) => personalData.call({ memberId }, { db, school }))
  const named = new Map(exported.flat().map(({ name, rows }) => [name, rows]))
  assert.ok(named.get('comments')?.some(({ body }) => body === 'Femi was here'))
  assert.ok(named.get('comment_reports')?.some(({ comment_id: reported }) => reported === reply))
  await writing(({ db, school }) => memberErasure.call({ memberId }, { db, school }))
  const { json, text } = await dev.get(`/comments?subject=${id}`)
  assert.deepEqual(
    json.data.map((one: { id: string; author: object | null; status: string }) => [
      one.id,
      one.author === null,
      one.status,
    ]),
    [
      [root, true, 'deleted'],
      [reply, false, 'published'],
    ],
  )
  assert.doesNotMatch(text, /Femi/)
  const left = await app.database.query(
    `select from comments where school_id = $1 and (member_id = $2 or body like '%Femi%' or body_html like '%Femi%')
     union all select from comment_reports where school_id = $1 and member_id = $2
     union all select from mails where school_id = $1 and "values"::text like '%Femi was here%'`,
    [app.a.id, memberId],
  )
  assert.equal(left.length, 0)
})

test('a merge moves comments, also where both wrote the same, and keeps one report of a comment', async () => {
  const { id } = await course('Merge')
  const [dev, eli, carla] = [await as('dev'), await as('eli'), await as('carla')]
  const ofDev = await commented(dev, id, 'The same words')
  const ofEli = await commented(eli, id, 'The same words')
  const other = await commented(carla, id, 'Reported twice')
  for (const actor of [dev, eli]) assert.equal((await report(actor, other)).status, 200)
  const [fromId, intoId] = [await readMemberId(app, 'eli'), await readMemberId(app, 'dev')]
  await writing(({ db, school }) => memberMerge.call({ fromId, intoId }, { db, school }))
  const { json } = await dev.get(`/account/comments?subject=${id}&sort=created_at`)
  assert.deepEqual(
    json.data.map((one: { id: string }) => one.id),
    [ofDev, ofEli],
  )
  const reports = await (await as('ada')).get(`/comments/${other}/reports`)
  assert.equal(reports.json.data.length, 1)
})
