import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#src/db/database.ts'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'
import { createMailing } from './jobs.ts'

let mailbox: Mailbox | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

const SCOPES = ['posts:read', 'posts:write']
const MARKER = 'zwetschgenmarker'

const staff = (): Promise<Actor> => app.actor('ada', { scopes: SCOPES })

const agree = async (name: PersonName, isAgreed: boolean): Promise<void> => {
  const rows = await app.database.query(
    `update members set marketing_granted = $1 where school_id = $2 and email_folded = $3 returning id`,
    [isAgreed, app.a.id, `${name}@crumb.example`],
  )
  assert.equal(rows.length, 1)
}

const publishedPost = async (ada: Actor, title: string): Promise<string> => {
  const body = `The teaser.\n\n<!--more-->\n\n${MARKER}`
  const { json } = await ada.write('POST', '/posts', { title, access: 'paid', body })
  await ada.write('PUT', `/posts/${json.id}/publication`, {})
  return json.id
}

// As the person whom the app acts for approves it.
const mailIt = async (ada: Actor, id: string, body: object): Promise<void> => {
  const reply = await ada.write('PUT', `/posts/${id}/mailing`, body)
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ada', reply.json.confirmation.url)
}

const mailsAbout = (title: string) => (mailbox?.arrived ?? []).filter(({ email }) => email.subject === title)

// A mailing that has ended, and all of whose mails are delivered or dropped.
const untilMailed = (id: string) =>
  until(async () => {
    const [row] = await app.database.query<{ isOver: boolean }>(
      `select coalesce((select ended_at is not null from post_mailings where post_id = $1), true)
         and not exists (select from jobs where kind in ('mailing', 'bulk_mail')) as "isOver"`,
      [fromId('pst', id)],
    )
    return row?.isOver === true
  }, 'the end of the mailing')

test('a post is mailed once to those who agreed, with its excerpt and nothing behind the fold', async () => {
  const ada = await staff()
  await agree('dev', true)
  await agree('eli', false)
  const id = await publishedPost(ada, 'Mailed once')
  const dry = await ada.write('PUT', `/posts/${id}/mailing?dry_run=true`, { audience: 'all' })
  assert.equal(dry.status, 200, dry.text)
  assert.match(dry.json.effects[0].mail, /to 1 member who/)
  assert.equal((await ada.get(`/posts/${id}`)).json.mailed_at, null)
  await mailIt(ada, id, { audience: 'all' })
  await untilMailed(id)
  const mails = mailsAbout('Mailed once')
  assert.deepEqual(
    mails.map(({ to }) => to),
    [['dev@crumb.example']],
  )
  const [mail] = mails
  assert.match(mail?.email.text ?? '', /The teaser\.[\s\S]*\/blog\/mailed-once/)
  assert.ok(!mail?.raw.includes(MARKER))
  assert.ok(mail?.email.headers.some(({ key }) => key === 'list-unsubscribe'))
  assert.notEqual((await ada.get(`/posts/${id}`)).json.mailed_at, null)
  const again = await ada.write('PUT', `/posts/${id}/mailing`, { audience: 'all' })
  assert.deepEqual([again.status, again.json.audience], [200, 'all'], again.text)
  const other = await ada.write('PUT', `/posts/${id}/mailing`, { audience: 'tags', tags: ['x'] })
  assert.deepEqual([other.status, other.json.code], [409, 'post_already_mailed'])
  await untilMailed(id)
  assert.equal(mailsAbout('Mailed once').length, 1)
})

test('an agreement that is withdrawn by one click before a mail is sent keeps it from being sent', async () => {
  const ada = await staff()
  await agree('dev', true)
  const first = await publishedPost(ada, 'Before the click')
  await mailIt(ada, first, { audience: 'all' })
  await untilMailed(first)
  const header = mailsAbout('Before the click')[0]?.email.headers.find(({ key }) => key === 'list-unsubscribe')
  const address = new URL(/<([^>]+)>/.exec(header?.value ?? '')?.[1] ?? '')
  assert.equal((await app.send({ path: address.pathname })).status, 200)
  const next = await publishedPost(ada, 'After the page')
  await mailIt(ada, next, { audience: 'all' })
  await untilMailed(next)
  assert.equal(mailsAbout('After the page').length, 1, 'opening the page turned nothing off')
  assert.ok((await app.send({ method: 'POST', path: address.pathname })).status < 400)
  const last = await publishedPost(ada, 'After the click')
  await mailIt(ada, last, { audience: 'all' })
  await untilMailed(last)
  assert.equal(mailsAbout('After the click').length, 0)
})

test('only a published post is mailed, to an audience that is complete', async () => {
  const ada = await staff()
  const { json: draft } = await ada.write('POST', '/posts', { title: 'Not yet' })
  const early = await ada.write('PUT', `/posts/${draft.id}/mailing`, { audience: 'all' })
  assert.deepEqual([early.status, early.json.code], [409, 'invalid_state'])
  const id = await publishedPost(ada, 'Audiences')
  for (const [body, pointer] of [
    [{ audience: 'tags' }, '/tags'],
    [{ audience: 'plans' }, '/plan_ids'],
    [{ audience: 'all', tags: ['x'] }, '/tags'],
    [{ audience: 'all', at: '2020-01-01T00:00:00.000Z' }, '/at'],
  ] as const) {
    const { status, json } = await ada.write('PUT', `/posts/${id}/mailing`, body)
    assert.deepEqual([status, json.errors?.[0]?.pointer], [422, pointer])
  }
  const carla = await app.actor('carla', { scopes: SCOPES })
  assert.equal((await carla.write('PUT', `/posts/${id}/mailing`, { audience: 'all' })).status, 403)
})

test('a worker that dies between two runs mails nobody twice', async () => {
  const ada = await staff()
  await agree('dev', true)
  await agree('eli', true)
  const id = await publishedPost(ada, 'Never twice')
  await mailIt(ada, id, { audience: 'all' })
  await untilMailed(id)
  const database = openDatabase(app.database.appUrl, { max: 1, wait: 10_000 })
  try {
    // The same job again, as after a claim that expired: it continues behind the last member.
    const job = { kind: 'mailing', schoolId: app.a.id, id: fromId('pst', id) ?? '', attempt: 1 }
    const { settle } = await createMailing(database)(job)
    await database.transaction(app.a.id, db => settle(db))
  } finally {
    await database.close()
  }
  await untilMailed(id)
  assert.deepEqual(
    mailsAbout('Never twice')
      .map(({ to }) => to[0])
      .sort(),
    ['dev@crumb.example', 'eli@crumb.example'],
  )
})
