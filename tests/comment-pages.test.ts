import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { COMMENT_STAFF, COMMENTING, commented, commentedCourse, setCommentMode } from '#testing/comments.ts'
import { press, readNotice } from '#testing/staff-pages.ts'

const app = testApp({ trustProxy: '127.0.0.1' })

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: `${name}@crumb.example`, password: PASSWORD })

const site = async (path: string): Promise<string> => (await app.send({ path, headers: { accept: 'text/html' } })).text

const course = async (name: string) =>
  commentedCourse(app, await app.actor('ada', { scopes: COMMENT_STAFF }), name, ['dev', 'eli'])

const write = async (browser: Browser, path: string, body: string) => {
  const page = await browser.open(path)
  return browser.submit(formTo(page, path), [['body', body]])
}

const readId = (text: string, words: string): string => {
  const [, id = ''] = new RegExp(`id="(cmt_\\w+)">(?:(?!id="cmt_)[\\s\\S])*?${words}`).exec(text) ?? []
  assert.notEqual(id, '', text)
  return id
}

test('a visitor reads the comments below a course and is led to the form; a member writes, and a lecturer answers', async () => {
  const { id, slug } = await course('Comments below a course')
  const path = `/courses/${slug}`
  assert.match(await site(path), new RegExp(`href="/account/comments/new\\?subject=${id}"`))
  const [dev, carla] = [await enter('dev'), await enter('carla')]
  await write(dev, `/account/comments/new?subject=${id}`, 'Is <b>this</b> *right*?')
  const shown = await site(path)
  assert.match(shown, /Is &lt;b&gt;this&lt;\/b&gt; <em>right<\/em>\?/)
  const root = readId(shown, 'Is &lt;b&gt;')
  const answer = await write(carla, `/account/comments/new?subject=${id}&parent=${root}`, 'It is.')
  assert.equal(answer.status, 200, answer.text)
  assert.match((await dev.open('/account/comments')).text, /Is &lt;b&gt;this/)
  const visitor = await app.send({ path: `/account/comments/new?subject=${id}`, headers: { accept: 'text/html' } })
  assert.match(String(visitor.headers.location), /^\/account\/sign-in\?return_to=/)
})

test('a member edits and deletes a comment, and reports another one, which staff hide', async () => {
  const { id } = await course('Comments of the account')
  const eli = await app.actor('eli', { scopes: COMMENTING })
  const dev = await enter('dev')
  await write(dev, `/account/comments/new?subject=${id}`, 'To be edited')
  const edited = await press(dev, '/account/comments', 'edit', { body: 'It was edited' })
  assert.equal(readNotice(edited), 'Your comment was changed.')
  assert.match(edited.text, /It was edited/)
  const other = await commented(eli, id, 'Buy my bread')
  const report = `/account/comments/${other}/report`
  const form = formTo(await dev.open(report), report)
  const without = await dev.submit(form, [['note', 'Look']])
  assert.equal(readNotice(without), 'Please choose a reason, and write at most 1,000 characters.')
  const reported = await dev.submit(form, [
    ['reason', 'spam'],
    ['note', 'Look'],
  ])
  assert.equal(readNotice(reported), 'Thank you. The staff will read the comment.')
  const ada = await enter('ada')
  const waiting = await ada.open('/staff/comments?reported=true')
  assert.match(waiting.text, /Buy my bread/)
  assert.match(waiting.text, /Look/)
  const action = '/staff/comments?reported=true'
  const hidden = await ada.submit(formTo(waiting, action, { act: 'hide', comment: other }), [['reason', 'Advertising']])
  assert.equal(readNotice(hidden), 'The comment is hidden.')
  assert.doesNotMatch(hidden.text, /Buy my bread/)
  assert.equal((await eli.get(`/account/comments?status=hidden`)).json.data[0].hidden_reason, 'Advertising')
  const deleted = await press(dev, '/account/comments', 'delete')
  assert.equal(readNotice(deleted), 'Your comment was deleted.')
})

test('a comment that waits for approval is published on the staff page, and lecturers see no buttons of the staff', async () => {
  const { id } = await course('Comments that wait')
  const femi = await enter('femi')
  await setCommentMode(app, 'courses', 'approval')
  const written = await write(femi, `/account/comments/new?subject=${id}`, 'May I?')
  await setCommentMode(app, 'courses', 'open')
  assert.match(readNotice(written), /published once the school has approved it/)
  const carla = await enter('carla')
  const seen = await carla.open('/staff/comments')
  assert.doesNotMatch(seen.text, /May I\?|value="hide"/)
  const ada = await enter('ada')
  const page = await ada.open('/staff/comments?status=pending')
  const done = await ada.submit(formTo(page, '/staff/comments?status=pending', { act: 'publish' }), [])
  assert.equal(readNotice(done), 'The comment is published.')
  assert.match((await carla.open('/staff/comments')).text, /May I\?/)
})

test('a question is answered in the list of the console, once, and what was refused stays', async () => {
  const { id } = await course('Questions in the console')
  const question = await commented(await app.actor('dev', { scopes: COMMENTING }), id, 'Salt first?')
  const carla = await enter('carla')
  const action = '/staff/comments?unanswered=true'
  const form = formTo(await carla.open(action), action, { act: 'reply', comment: question })
  const empty = await carla.submit(form, [['body', ' ']])
  assert.equal(empty.status, 422)
  assert.equal(readNotice(empty), 'Please write something, in at most 5,000 characters.')
  const long = await carla.submit(form, [['body', 'x'.repeat(5001)]])
  assert.ok(long.text.includes('x'.repeat(5001)), 'what was typed is shown again')
  const done = await carla.submit(form, [['body', 'After the flour.']])
  assert.equal(readNotice(done), 'The answer is published.')
  assert.doesNotMatch(done.text, /Salt first/)
  await carla.submit(form, [['body', 'After the flour.']])
  const answers = await app.database.query('select author_role from comments where body = $1', ['After the flour.'])
  assert.deepEqual(answers, [{ author_role: 'lecturer' }])
  const page = await (await enter('ada')).open(action)
  assert.doesNotMatch(page.text, new RegExp(`value="${question}"`))
})

test('a lesson shows its comments to those who can read it', async () => {
  const { slug, lesson } = await course('Comments in a lesson')
  const id = await lesson()
  const dev = await app.actor('dev', { scopes: COMMENTING })
  await commented(dev, id, 'Only for learners')
  const path = `/learn/${slug}/${id}`
  assert.match((await (await enter('dev')).open(path)).text, /Only for learners/)
  assert.doesNotMatch((await (await enter('femi')).open(path)).text, /Only for learners/)
})
