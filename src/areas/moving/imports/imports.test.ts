import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { importer } from '#testing/imports.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

test('a run stops when its starter is no longer staff, and goes on as the person who starts it again', async () => {
  const ada = await importer(app, 'ada')
  const { json } = await ada.begin(
    Buffer.from('Email,Name\nfirst@stop.example,First One\nsecond@stop.example,Second One\n'),
  )
  await ada.read(json.id)
  const checked = await ada.check(json.id)
  assert.deepEqual([checked.status, checked.counts.created, checked.progress], ['checked', 2, 100])
  await app.database.query(
    `update imports i set status = 'running', position = 0, handled_count = 0, started_by = m.id,
       counts = counts || '{"created": 0}' from members m
     where i.file_name = 'people.csv' and i.status = 'checked' and i.counts ->> 'created' = '2'
       and m.school_id = i.school_id and m.email_folded = $1`,
    ['eli@crumb.example'],
  )
  await app.database.query(`update jobs set due_at = stoa.now() where kind = 'import'`)
  await until(async () => (await ada.find(json.id)).status === 'stopped', 'an import that is stopped')
  const stopped = await ada.find(json.id)
  assert.equal(stopped.problem.code, 'role_required')
  assert.equal((await ada.get('/members?email=first%40stop.example')).json.data.length, 0)
  const done = await ada.run(json.id)
  assert.deepEqual([done.status, done.counts.created, done.problem], ['completed', 2, null])
  assert.equal(done.started_by.name, 'Ada Moreira')
})

test('an import is run as it was checked, deleted before it ran, and undone once', async () => {
  const ada = await importer(app, 'ada')
  const { json } = await ada.begin(Buffer.from('Email,Name\nonce@undo.example,Only Once\n'))
  await ada.read(json.id)
  const early = await ada.write('PUT', `${ada.base}/${json.id}/run`, undefined, {
    'if-match': String((await ada.get(`${ada.base}/${json.id}`)).headers.etag),
  })
  assert.deepEqual([early.status, early.json.code], [409, 'not_checked'])
  await ada.check(json.id)
  const changed = await ada.change(json.id, { options: { existing: 'skip' } })
  assert.deepEqual([changed.status, changed.json.status], [200, 'ready'])
  assert.deepEqual(await ada.listRows(json.id), [])
  await ada.check(json.id)
  await ada.run(json.id)
  const late = await ada.write('DELETE', `${ada.base}/${json.id}`)
  assert.deepEqual([late.status, late.json.code], [409, 'invalid_state'])
  const undone = await ada.undo(json.id)
  assert.equal(undone.status, 'undone')
  assert.deepEqual(
    (await ada.listRows(json.id)).map(({ status }) => status),
    ['undone'],
  )
  const again = await ada.write('PUT', `${ada.base}/${json.id}/undo`)
  assert.deepEqual([again.status, again.json.code], [409, 'invalid_state'])
})

test('a file that is no table is unreadable, and says why', async () => {
  const ada = await importer(app, 'ada')
  const { json } = await ada.begin(Buffer.from('One line without an address\n'))
  const read = await ada.read(json.id)
  assert.equal(read.status, 'unreadable')
  assert.match(read.problem.message, /\w/)
  const refused = await ada.write('PUT', `${ada.base}/${json.id}/check`)
  assert.deepEqual([refused.status, refused.json.code], [409, 'file_unreadable'])
  assert.equal((await ada.write('DELETE', `${ada.base}/${json.id}`)).status, 204)
})

test('people are enrolled in the courses that rows name, keep what they completed, and lose both by the undo', async () => {
  const ada = await importer(app, 'ada', 'learning')
  const rows = ['new@learn.example,New One,first-loaf,50', 'other@learn.example,Other One,no-such-course,10']
  const { json } = await ada.begin(Buffer.from(`Email,Name,Course,Percent complete\n${rows.join('\n')}\n`))
  await ada.read(json.id)
  const checked = await ada.check(json.id)
  assert.deepEqual([checked.status, checked.counts.created, checked.counts.failed], ['checked', 1, 1])
  assert.equal((await ada.get('/members?email=new%40learn.example')).json.data.length, 0)
  await ada.run(json.id)
  const [stored, failed] = await ada.listRows(json.id)
  assert.deepEqual([stored?.status, failed?.status, failed?.errors[0]?.code], ['created', 'failed', 'unknown'])
  const enrolled = await ada.get(`/enrollments?member_id=${stored?.member_id}`)
  assert.equal(enrolled.json.data.length, 1, enrolled.text)
  const undone = await ada.undo(json.id)
  assert.equal(undone.status, 'undone')
  assert.deepEqual(
    (await ada.listRows(json.id)).map(({ status }) => status),
    ['undone', 'failed'],
  )
})
