import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { type ImportRow, importer } from '#testing/imports.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'

// With a mailbox the worker runs.
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

type Importer = Awaited<ReturnType<typeof importer>>

const DAY = 24 * 3600
const someone = (): string => `${randomUUID()}@states.example`
const toFile = (...lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`)

/** An import whose file was read. */
const readIn = async (by: Importer, ...lines: readonly string[]) => {
  const { status, json, text } = await by.begin(toFile(...lines))
  assert.equal(status, 201, text)
  const read = await by.read(json.id)
  assert.equal(read.status, 'ready', JSON.stringify(read.problem))
  return read
}

const checkIn = async (by: Importer, ...lines: readonly string[]): Promise<string> => {
  const { id } = await readIn(by, ...lines)
  const { status } = await by.check(id)
  assert.equal(status, 'checked')
  return id
}

const readEtag = async (by: Importer, id: string) => ({
  'if-match': String((await by.get(`${by.base}/${id}`)).headers.etag),
})

const listErrors = ({ json }: { json: { errors?: { pointer: string; code: string }[] } }) =>
  json.errors?.map(({ pointer, code }) => [pointer, code])

const summarise = ({ status, values, member_id: memberId }: ImportRow) => [status, values?.Email, memberId]

test('a change names the revision that it is of, and what is wrong at its field', async () => {
  const ada = await importer(app, 'ada')
  const { id, format } = await readIn(ada, 'Email,Name,Joined,Tags', `${someone()},One,2026-04-03,a`)
  const path = `${ada.base}/${id}`
  const options = { existing: 'skip' }
  assert.equal((await ada.write('PATCH', path, { options })).status, 428)
  const headers = await readEtag(ada, id)
  assert.equal((await ada.write('PATCH', path, { options }, headers)).status, 200)
  assert.equal((await ada.write('PATCH', path, { options: { tags: ['x'] } }, headers)).status, 412)
  assert.deepEqual((await ada.find(id)).options.tags, [])
  assert.equal((await ada.write('PUT', `${path}/run`)).status, 428)
  const mapped = (...columns: readonly (readonly [number, string, string?])[]) => ({
    mapping: columns.map(([column, field, one]) => ({ column, field, ...(one === undefined ? {} : { format: one }) })),
  })
  const cases = [
    [mapped([9, 'email']), '/mapping/0/column', 'unknown'],
    [mapped([0, 'email'], [0, 'name']), '/mapping/1/column', 'repeated'],
    [mapped([0, 'email'], [1, 'salary']), '/mapping/1/field', 'unknown'],
    [mapped([0, 'email'], [1, 'course']), '/mapping/1/field', 'unknown'],
    [mapped([0, 'email'], [1, 'custom:nothing']), '/mapping/1/field', 'unknown'],
    [mapped([0, 'email'], [1, 'email']), '/mapping/1/field', 'repeated'],
    [mapped([0, 'email'], [2, 'joined_at', 'backwards']), '/mapping/1/format', 'unknown'],
    [{ ...mapped([0, 'email']), format: { delimiter: ';' } }, '/mapping', 'contradiction'],
  ] as const
  for (const [body, pointer, code] of cases) {
    const refused = await ada.change(id, body)
    assert.deepEqual([refused.status, listErrors(refused)], [422, [[pointer, code]]], refused.text)
  }
  assert.equal((await ada.change(id, mapped([1, 'name']))).status, 200)
  const early = await ada.write('PUT', `${path}/check`)
  assert.deepEqual(
    [early.status, early.json.code, listErrors(early)],
    [422, 'mapping_incomplete', [['/mapping', 'email_missing']]],
  )
  assert.deepEqual((await ada.find(id)).format, format)
})

test('an import that has not run can be deleted, and no other', async () => {
  const ada = await importer(app, 'ada')
  const remove = async (id: string) => (await ada.write('DELETE', `${ada.base}/${id}`)).status
  const line = () => `${someone()},Somebody`
  const begun = (await ada.begin(toFile('Email,Name', line()))).json.id
  assert.equal(await remove(begun), 204)
  assert.equal((await ada.get(`${ada.base}/${begun}`)).status, 404)
  assert.equal(await remove((await readIn(ada, 'Email,Name', line())).id), 204)
  const checking = (await readIn(ada, 'Email,Name', line())).id
  assert.equal((await ada.write('PUT', `${ada.base}/${checking}/check`)).status, 202)
  assert.equal(await remove(checking), 204)
  assert.equal(await remove(await checkIn(ada, 'Email,Name', line())), 204)
  const stale = await checkIn(ada, 'Email,Name', line())
  const headers = await readEtag(ada, stale)
  assert.equal((await ada.change(stale, { options: { existing: 'skip' } })).status, 200)
  assert.equal((await ada.write('DELETE', `${ada.base}/${stale}`, undefined, headers)).status, 412)
  const done = await checkIn(ada, 'Email,Name', line())
  await ada.run(done)
  assert.equal(await remove(done), 409)
  await ada.undo(done)
  assert.equal(await remove(done), 409)
  assert.equal((await ada.find(done)).status, 'undone')
})

test('one import of a school runs at a time, also of two that start at the same moment', async () => {
  const ada = await importer(app, 'ada')
  const ids = await Promise.all(
    ['one', 'two'].map(name => checkIn(ada, 'Email,Name', `${someone()},${name}`, `${someone()},${name}`)),
  )
  // Without the worker, whoever starts first still runs when the other starts.
  await app.database.query(`update jobs set due_at = 'infinity' where kind = 'import'`)
  await app.database.query(`
    create function wait_for_import() returns trigger language plpgsql as $$ begin
      new.due_at = 'infinity'; return new;
    end $$`)
  await app.database.query(
    `create trigger wait_for_import before insert or update on jobs for each row when (new.kind = 'import') execute function wait_for_import()`,
  )
  const outcomes = await Promise.allSettled(ids.map(id => ada.startRun(id)))
  const statuses = await Promise.all(ids.map(async id => (await ada.find(id)).status))
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.deepEqual([...statuses].sort(), ['checked', 'running'])
  const waiting = ids[statuses.indexOf('checked')] ?? ''
  const running = ids[statuses.indexOf('running')] ?? ''
  const refused = await ada.write('PUT', `${ada.base}/${waiting}/run`, undefined, await readEtag(ada, waiting))
  assert.deepEqual([refused.status, refused.json.code, refused.json.retryable], [409, 'import_running', true])
  const again = await ada.write('PUT', `${ada.base}/${running}/run`, undefined, await readEtag(ada, running))
  assert.equal(again.status, 200, 'who starts it twice reads that it runs')
  await app.database.query('drop trigger wait_for_import on jobs')
  await app.database.query(`update jobs set due_at = stoa.now() where kind = 'import'`)
  await until(async () => (await ada.find(running)).status === 'completed', 'the import that runs')
  assert.equal((await ada.run(waiting)).status, 'completed')
})

test('thirty days after its end an import has its counts and no values, and cannot be undone', async () => {
  const ada = await importer(app, 'ada')
  const email = someone()
  const id = await checkIn(ada, 'Email,Name,Phone', `${email},Kept,12345678`, `${someone()},Bad,"4,91701E+11"`)
  const done = await ada.run(id)
  const never = await checkIn(ada, 'Email,Name', `${someone()},Never`)
  assert.equal((await ada.listRows(id))[0]?.values?.Email, email)
  await app.moveClock(29 * DAY)
  const early = await importer(app, 'ada')
  assert.equal((await early.listRows(id))[0]?.values?.Email, email)
  await app.moveClock(DAY + 60)
  const later = await importer(app, 'ada')
  await until(async () => (await later.listRows(id))[0]?.values === null, 'the values of the rows')
  const item = await later.find(id)
  assert.deepEqual([item.status, item.counts, item.file], ['completed', done.counts, done.file])
  assert.deepEqual(
    (await later.listRows(id)).map(({ status, values, errors }) => [status, values, errors]),
    [
      ['created', null, []],
      ['failed', null, []],
    ],
  )
  assert.ok(!item.allowed_actions.includes('undoMemberImport'))
  const late = await later.write('PUT', `${later.base}/${id}/undo`)
  assert.deepEqual([late.status, late.json.code], [409, 'undo_over'])
  await until(async () => (await later.get(`${later.base}/${never}`)).status === 404, 'the import that never ran')
  assert.equal((await later.get(`/members?email=${encodeURIComponent(email)}`)).json.data.length, 1)
})

test('of whoever an undo or staff erase, rows have no values any more, nor those that repeat them', async () => {
  const ada = await importer(app, 'ada')
  const [gone, stays, erased] = [someone(), someone(), someone()]
  const known = await ada.write('POST', '/members', { email: stays, name: 'Known before', send_invitation: false })
  assert.equal(known.status, 201, known.text)
  const lines = ['Email,Name', `${gone},Gone`, `${stays},Known After`, `${gone.toUpperCase()},Gone Again`]
  const id = await checkIn(ada, ...lines, `${erased},Erased`, `${erased},Erased Again`)
  assert.equal((await ada.find(id)).format.columns[0].samples[0], gone)
  await ada.run(id)
  const { format } = await ada.find(id)
  assert.deepEqual(
    format.columns.map(({ samples }: { samples: string[] }) => samples),
    [[], []],
  )
  const member = (await ada.listRows(id))[3]?.member_id
  const erasure = await ada.write('POST', `/members/${member}/erasure`)
  assert.equal(erasure.status, 202, erasure.text)
  await approveAs(app, 'ada', erasure.json.confirmation.url)
  assert.deepEqual((await ada.listRows(id)).slice(3).map(summarise), [
    ['created', undefined, null],
    ['failed', undefined, null],
  ])
  await ada.undo(id)
  assert.deepEqual((await ada.listRows(id)).map(summarise), [
    ['undone', undefined, null],
    ['undone', stays, known.json.id],
    ['failed', undefined, null],
    ['created', undefined, null],
    ['failed', undefined, null],
  ])
  assert.doesNotMatch(await ada.readReport(id), new RegExp(`${gone}|${erased}`, 'i'))
  const files = await app.database.query<{ status: string }>(
    `select u.status from uploads u where u.school_id = $1 and u.purpose = 'import' and u.status = 'ready'
       and exists (select from imports i where i.school_id = u.school_id and i.file_id = u.id and i.status = 'undone')`,
    [app.a.id],
  )
  assert.deepEqual(files, [])
})
