// One thing: comments as people write and read them, of one school.
import assert from 'node:assert/strict'
import { beforeEach, suite, test } from 'node:test'
import { toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import {
  COMMENT_STAFF,
  COMMENTING,
  comment,
  commented,
  commentedCourse,
  fromElsewhere,
  moderate,
  setCommentMode,
} from '#testing/comments.ts'
import type { TestReply } from '#testing/http.ts'
import { readMemberId } from '#testing/learning.ts'
import { isEditable, statusOfNew } from './own/rules.ts'

const app = testApp({ trustProxy: '127.0.0.1' })

// So that no test uses up the limit of a member for the next one.
beforeEach(() => app.moveClock(61))

const actors = new Map<string, Promise<Actor>>()

/** Somebody who was signed in once. */
const as = (name: PersonName): Promise<Actor> => {
  const actor = actors.get(name) ?? app.actor(name, { scopes: name === 'ada' ? COMMENT_STAFF : COMMENTING })
  actors.set(name, actor)
  return actor
}

const anonymous = (path: string): Promise<TestReply> => app.send({ path: `/api/v1${path}` })

const course = async (name: string, learners: readonly PersonName[] = ['dev', 'eli']) =>
  commentedCourse(app, await as('ada'), name, learners)

type Listed = { readonly id: string; readonly body: string; readonly status: string }

const listed = async (path: string, actor?: Actor): Promise<Listed[]> => {
  const { status, json, text } = await (actor === undefined ? anonymous(path) : actor.get(path))
  assert.equal(status, 200, text)
  return json.data
}

const idsIn = async (path: string, actor?: Actor): Promise<string[]> => (await listed(path, actor)).map(({ id }) => id)

test('a comment is public below a public course, with the name and the role of its author and nothing else of them', async () => {
  const { id, path } = await course('Public comments')
  const dev = await as('dev')
  const { status, json, headers } = await comment(dev, `course:${id}`, 'It **rose**, [see](https://bread.example)')
  assert.equal(status, 201)
  assert.equal(headers.location, `${app.a.baseUrl}/api/v1/comments/${json.id}`)
  assert.deepEqual([json.status, json.depth, json.parent_id, json.root_id], ['published', 1, null, json.id])
  assert.deepEqual(json.subject, { type: 'course', id, name: 'Public comments' })
  const { json: read } = await anonymous(`/comments/${json.id}`)
  assert.deepEqual(read.author, {
    ...{ id: toId('mem', await readMemberId(app, 'dev')), name: 'Dev Patel', role: 'student', avatar: null },
  })
  assert.match(read.body_html, /<strong>rose<\/strong>/)
  assert.match(read.body_html, /<a href="https:\/\/bread\.example\/?" rel="nofollow ugc noopener">see<\/a>/)
  assert.deepEqual([read.hidden_reason, read.reported], [undefined, undefined])
  assert.deepEqual(await idsIn(`/comments?subject=${id}`), [json.id])
  assert.doesNotMatch(JSON.stringify(read), /@crumb/)
  assert.equal((await anonymous(`/comments?subject=${path}`)).status, 400)
})

test('a reply is in the thread of its root, and counts where it is published', async () => {
  const { id } = await course('Threads')
  const [dev, eli, carla] = [await as('dev'), await as('eli'), await as('carla')]
  const root = await commented(dev, id, 'How long?')
  const other = await commented(eli, id, 'Another root')
  const answer = await commented(carla, id, 'Twelve hours.', root)
  const thanks = await commented(dev, id, 'Thanks!', answer)
  assert.deepEqual(await idsIn(`/comments/${thanks}/thread`), [root, answer, thanks])
  assert.deepEqual(await idsIn(`/comments?subject=${id}&parent_id=${root}`), [answer])
  assert.deepEqual(await idsIn(`/comments?subject=${id}&root_id=${root}&sort=-created_at`), [thanks, answer, root])
  assert.deepEqual(await idsIn(`/comments?subject=${id}&unanswered=true`), [other])
  assert.equal((await anonymous(`/comments/${root}`)).json.reply_count, 1)
  assert.equal((await anonymous(`/comments/${answer}`)).json.author.role, 'lecturer')
  const memberId = toId('mem', await readMemberId(app, 'dev'))
  assert.deepEqual(await idsIn(`/comments?subject=${id}&author_id=${memberId}`), [root, thanks])
  const counts = await anonymous(`/comments/counts?subject[in]=${id},lesson:les_${'0'.repeat(26)}`)
  assert.deepEqual(counts.json, { data: [{ subject: { type: 'course', id }, count: 4 }] })
  await moderate(app, 'hideComment', answer, { reason: 'Wrong' })
  assert.equal((await anonymous(`/comments/${root}`)).json.reply_count, 0)
  assert.equal((await anonymous(`/comments/counts?subject[in]=${id}`)).json.data[0].count, 3)
})

test('after= reads comments in the order of commits, a changed one again', async () => {
  const { id } = await course('In the order of commits')
  const dev = await as('dev')
  const first = await commented(dev, id, 'First')
  await app.settled()
  const { json: before } = await anonymous(`/comments?subject=${id}&after=0`)
  assert.deepEqual(
    before.data.map((one: Listed) => one.id),
    [first],
  )
  const second = await commented(await as('eli'), id, 'Second', first)
  await app.settled()
  const { json: later } = await anonymous(`/comments?subject=${id}&after=${before.next_after}`)
  assert.deepEqual(later.data.map((one: Listed) => one.id).sort(), [first, second].sort(), 'the first has a reply now')
})

test('without a subject staff list all comments and lecturers those on what they teach; others have to name one', async () => {
  const mine = await course('Taught by Carla')
  const ada = await as('ada')
  const { json: other } = await ada.write('POST', '/courses', { name: 'Taught by nobody' })
  await ada.write('PUT', `/courses/${other.id}/publication`, {})
  const dev = await as('dev')
  const [here, there] = [await commented(dev, mine.id, 'Here'), await commented(dev, other.id, 'There')]
  const all = await idsIn('/comments?limit=100&sort=-created_at', ada)
  assert.ok([here, there].every(id => all.includes(id)))
  const taught = await idsIn('/comments?limit=100&sort=-created_at', await as('carla'))
  assert.deepEqual([taught.includes(here), taught.includes(there)], [true, false])
  for (const reply of [await dev.get('/comments'), await anonymous('/comments')])
    assert.deepEqual([reply.status, reply.json.code], [403, 'role_required'])
})

suite('a parent of another subject, of another school, deleted, hidden or of depth 3', () => {
  const refusals = async (subject: string, parents: readonly string[]) => {
    const dev = await as('dev')
    const found: string[] = []
    for (const parent of parents) {
      const { status, json } = await comment(dev, subject, `A reply to ${parent}`, parent)
      found.push(`${status} ${json.errors?.[0]?.pointer} ${json.errors?.[0]?.code}`)
    }
    return found
  }

  test('is refused with 422, and nothing is written', async () => {
    const [here, there] = [await course('Parents here'), await course('Parents there')]
    const eli = await as('eli')
    const elsewhere = await commented(eli, there.id, 'Elsewhere')
    const hidden = await commented(eli, here.id, 'Hidden')
    await moderate(app, 'hideComment', hidden, { reason: 'Hidden' })
    const deleted = await commented(eli, here.id, 'Deleted')
    await eli.write('DELETE', `/account/comments/${deleted}`)
    const [one] = [await commented(eli, here.id, 'One')]
    const two = await commented(eli, here.id, 'Two', one)
    const three = await commented(eli, here.id, 'Three', two)
    const foreign = await app.database.query<{ id: string }>('select id from comments where school_id = $1 limit 1', [
      app.b.id,
    ])
    const ofB = foreign.map(row => toId('cmt', row.id))
    assert.equal(ofB.length, 1, 'the demo of the other school has a comment')
    const before = await idsIn(`/comments?subject=${here.id}`)
    const unknown = [elsewhere, hidden, deleted, ...ofB, `cmt_${'0'.repeat(26)}`]
    assert.deepEqual(
      await refusals(here.id, unknown),
      unknown.map(() => '422 /parent_id unknown'),
    )
    assert.deepEqual(await refusals(here.id, [three]), ['422 /parent_id too_deep'])
    assert.deepEqual(await idsIn(`/comments?subject=${here.id}`), before)
  })
})

suite('edits', () => {
  test('15 minutes by the clock of the database, to the tenth of a second', () => {
    const created_at = new Date('2026-11-21T09:30:00.000Z')
    const at = (seconds: number) => ({ now: new Date(created_at.getTime() + seconds * 1000), hasReplies: false })
    assert.equal(isEditable({ status: 'published', created_at }, at(899.9)), true)
    assert.equal(isEditable({ status: 'published', created_at }, at(900.1)), false)
    assert.equal(isEditable({ status: 'published', created_at }, { ...at(1), hasReplies: true }), false)
    assert.equal(isEditable({ status: 'hidden', created_at }, at(1)), false)
  })

  test('an edit is shown as one, is refused after 15 minutes and after a reply, and deletion is not', async () => {
    const { id } = await course('Edits')
    const [dev, eli] = [await as('dev'), await as('eli')]
    const own = await commented(dev, id, 'Brad')
    const path = `/account/comments/${own}`
    const edited = await dev.write('PATCH', path, { body: 'Bread' })
    assert.deepEqual([edited.status, edited.json.body, edited.json.revision], [200, 'Bread', 2])
    assert.notEqual(edited.json.edited_at, null)
    assert.equal((await eli.write('PATCH', path, { body: 'Mine' })).status, 404)
    const stale = await dev.write('PATCH', path, { body: 'Breads' }, { 'if-match': '"1-x"' })
    assert.equal(stale.status, 412)
    assert.deepEqual((await dev.get(path)).json.allowed_actions, ['updateAccountComment', 'deleteAccountComment'])
    assert.equal((await eli.get(path)).status, 404)
    await app.moveClock(15 * 60)
    assert.deepEqual((await dev.get(path)).json.allowed_actions, ['deleteAccountComment'])
    const late = await dev.write('PATCH', path, { body: 'Breads' })
    assert.deepEqual([late.status, late.json.code], [409, 'comment_not_editable'])
    const answered = await commented(dev, id, 'Answered')
    await commented(eli, id, 'Yes', answered)
    const refused = await dev.write('PATCH', `/account/comments/${answered}`, { body: 'Changed' })
    assert.deepEqual([refused.status, refused.json.code], [409, 'comment_not_editable'])
    assert.equal((await anonymous(`/comments/${answered}`)).json.body, 'Answered')
    assert.equal((await dev.write('DELETE', `/account/comments/${answered}`)).status, 204)
  })
})

test('a deleted comment with replies stays as a place without author and words; without replies it is gone', async () => {
  const { id } = await course('Places')
  const [dev, eli] = [await as('dev'), await as('eli')]
  const root = await commented(dev, id, 'Secret words')
  const reply = await commented(eli, id, 'A reply', root)
  assert.equal((await dev.write('DELETE', `/account/comments/${root}`)).status, 204)
  assert.equal((await dev.write('DELETE', `/account/comments/${root}`)).status, 404)
  const [place] = await listed(`/comments?subject=${id}`)
  assert.deepEqual(
    { ...place },
    { ...place, id: root, status: 'deleted', author: null, body: '', body_html: '', reply_count: 1 },
  )
  assert.deepEqual(await idsIn(`/comments?subject=${id}&author_id=${toId('mem', await readMemberId(app, 'dev'))}`), [])
  assert.equal((await eli.write('DELETE', `/account/comments/${reply}`)).status, 204)
  assert.deepEqual(await idsIn(`/comments?subject=${id}`), [])
  assert.equal((await anonymous(`/comments/${root}`)).status, 404)
  const own = await listed(`/account/comments?subject=${id}`, dev)
  assert.deepEqual(
    own.map(one => [one.id, one.status, one.body]),
    [[root, 'deleted', '']],
  )
})

suite('comments follow their subject at once', () => {
  const seen = async (subject: string, commentId: string, actor?: Actor) => {
    const get = (path: string) => (actor === undefined ? anonymous(path) : actor.get(path))
    const [list, one, thread, counts] = await Promise.all([
      get(`/comments?subject=${subject}`),
      get(`/comments/${commentId}`),
      get(`/comments/${commentId}/thread`),
      get(`/comments/counts?subject[in]=${subject}`),
    ])
    return [list.json.data.length, one.status, thread.status, counts.json.data.length]
  }
  const SHOWN = [1, 200, 200, 1]
  const GONE = [0, 404, 404, 0]

  test('a course that becomes a draft takes its comments along, and one’s own stay in the account', async () => {
    const { id, path } = await course('Becomes a draft')
    const [dev, eli, ada] = [await as('dev'), await as('eli'), await as('ada')]
    const own = await commented(dev, id, 'Marker of a draft')
    assert.deepEqual(await seen(id, own), SHOWN)
    assert.equal((await ada.write('DELETE', `${path}/publication`)).status, 200)
    for (const actor of [undefined, eli]) assert.deepEqual(await seen(id, own, actor), GONE)
    assert.deepEqual(await seen(id, own, await as('carla')), SHOWN, 'its lecturer sees the draft')
    assert.deepEqual(await idsIn(`/account/comments?subject=${id}`, dev), [own])
    const refused = await comment(dev, id, 'More')
    assert.deepEqual([refused.status, refused.json.errors[0].pointer], [422, '/subject'])
    const edit = await dev.write('PATCH', `/account/comments/${own}`, { body: 'More' })
    assert.deepEqual([edit.status, edit.json.code], [409, 'comments_closed'])
  })

  test('comments on a lesson are for those who can read the lesson now', async () => {
    const { id, path, lesson } = await course('Lessons with comments', ['dev'])
    const lessonId = await lesson()
    const [dev, eli, ada] = [await as('dev'), await as('eli'), await as('ada')]
    const own = await commented(dev, `lesson:${lessonId}`, 'Marker of a paid lesson')
    assert.deepEqual(await seen(lessonId, own, dev), SHOWN)
    for (const actor of [undefined, eli]) assert.deepEqual(await seen(lessonId, own, actor), GONE)
    assert.equal((await comment(eli, lessonId, 'Let me in')).status, 422)
    assert.equal((await eli.write('PUT', `/account/comments/${own}/report`, { reason: 'spam' })).status, 404)
    await app.database.query(
      `update entitlements set revoked_at = stoa.now() where school_id = $1 and member_id = $2`,
      [app.a.id, await readMemberId(app, 'dev')],
    )
    assert.deepEqual(await seen(lessonId, own, dev), GONE, 'without access')
    assert.deepEqual(await seen(lessonId, own, ada), SHOWN)
    assert.deepEqual(await idsIn(`/comments?subject=${id}`, dev), [])
    assert.equal((await ada.write('PATCH', path, { comments: 'off' }, { 'if-match': '*' })).status, 200)
  })

  test('a switch and a setting of the school close comments or hide them', async () => {
    const { id, path } = await course('Switches')
    const [dev, ada] = [await as('dev'), await as('ada')]
    const own = await commented(dev, id, 'Before')
    const change = async (comments: string) =>
      assert.equal((await ada.write('PATCH', path, { comments }, { 'if-match': '*' })).status, 200)
    await change('closed')
    assert.deepEqual(await seen(id, own), SHOWN)
    const refused = await comment(dev, id, 'Too late')
    assert.deepEqual([refused.status, refused.json.code], [409, 'comments_closed'])
    await change('off')
    assert.deepEqual(await seen(id, own), GONE)
    assert.deepEqual(await seen(id, own, ada), SHOWN, 'staff still moderate')
    await change('open')
    await setCommentMode(app, 'courses', 'off')
    assert.deepEqual(await seen(id, own), GONE)
    await setCommentMode(app, 'courses', 'open')
    assert.deepEqual(await seen(id, own), SHOWN)
  })
})

suite('approval', () => {
  test('the first three comments of a member wait, those of staff and lecturers do not', () => {
    const status = (role: 'student' | 'member' | 'lecturer' | 'staff', publishedBefore: number) =>
      statusOfNew({ mode: 'approval' }, { role, publishedBefore })
    assert.deepEqual(
      [status('student', 0), status('member', 2), status('member', 3)],
      ['pending', 'pending', 'published'],
    )
    assert.deepEqual([status('lecturer', 0), status('staff', 0)], ['published', 'published'])
    assert.equal(statusOfNew({ mode: 'open' }, { role: 'member', publishedBefore: 0 }), 'published')
  })

  test('a pending comment is for its author and staff, until it is approved', async () => {
    const { id } = await course('Approval')
    await setCommentMode(app, 'courses', 'approval')
    const [femi, ada] = [await as('femi'), await as('ada')]
    const first = await comment(femi, id, 'Let me say')
    await setCommentMode(app, 'courses', 'open')
    assert.deepEqual([first.status, first.json.status], [201, 'pending'])
    assert.deepEqual(await idsIn(`/comments?subject=${id}`), [])
    assert.equal((await anonymous(`/comments/${first.json.id}`)).status, 404)
    assert.equal((await femi.get(`/comments/${first.json.id}`)).json.body, 'Let me say')
    assert.deepEqual(await idsIn(`/comments?subject=${id}&status=pending`, ada), [first.json.id])
    assert.deepEqual(await idsIn(`/comments?subject=${id}&status=pending`, femi), [])
    await moderate(app, 'restoreComment', first.json.id)
    assert.deepEqual(await idsIn(`/comments?subject=${id}`), [first.json.id])
  })
})

test('the same words at the same place are stored once, also when they arrive twice at once', async () => {
  const { id } = await course('Once')
  const dev = await as('dev')
  const replies = await Promise.all([comment(dev, id, 'Twice  at once'), comment(dev, id, 'twice at ONCE')])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409])
  assert.equal(replies.find(({ status }) => status === 409)?.json.code, 'comment_repeated')
  assert.equal((await idsIn(`/comments?subject=${id}`)).length, 1)
})

test('a comment is written once for one Idempotency-Key, and never in a dry run', async () => {
  const { id } = await course('Keys')
  const dev = await as('dev')
  const send = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    dev.write('POST', path, { subject: id, body: 'With a key' }, { ...fromElsewhere(), ...headers })
  assert.equal((await send('/account/comments?dry_run=true')).status, 200)
  assert.deepEqual(await idsIn(`/comments?subject=${id}`), [])
  const key = { 'idempotency-key': 'comment-once' }
  const [first, second] = [await send('/account/comments', key), await send('/account/comments', key)]
  assert.deepEqual([first.status, second.status, second.json.id], [201, 201, first.json.id])
})
