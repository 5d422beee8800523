import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { testApp } from '#testing/app.ts'
import { type ImportRow, importer } from '#testing/imports.ts'
import { TEACHING, teach } from '#testing/learning.ts'
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
type Options = Readonly<Record<string, unknown>>

const someone = (): string => `${randomUUID()}@results.example`
const toFile = (lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`)

/** An import that was checked; its rows have the results that the run would give them. */
const checkIn = async (by: Importer, lines: readonly string[], options: Options = {}): Promise<string> => {
  const { status, json, text } = await by.begin(toFile(lines))
  assert.equal(status, 201, text)
  const read = await by.read(json.id)
  assert.equal(read.status, 'ready', JSON.stringify(read.problem))
  if (Object.keys(options).length > 0) {
    const changed = await by.change(json.id, { options })
    assert.equal(changed.status, 200, changed.text)
  }
  assert.equal((await by.check(json.id)).status, 'checked')
  return json.id
}

/** An import that was run. */
const importIn = async (by: Importer, lines: readonly string[], options: Options = {}): Promise<string> => {
  const id = await checkIn(by, lines, options)
  const done = await by.run(id)
  assert.equal(done.status, 'completed', JSON.stringify(done.problem))
  return id
}

const summarise = ({ status, errors, notices, reason }: ImportRow) => [
  status,
  ...[...errors, ...notices].map(({ code }) => code),
  ...(reason === null ? [] : [reason]),
]

const findMember = async (by: Importer, email: string) =>
  (await by.get(`/members?email=${encodeURIComponent(email)}`)).json.data[0]

test('members whom a file calls inactive are reported, or suspended where it says so, and reinstated by the undo', async () => {
  const ada = await importer(app, 'ada')
  const lines = ['Email,Name,Status', `${people.eli.email},Eli,inactive`, `${people.femi.email},Femi,inactive`]
  const all = [...lines, `${someone()},Nobody,inactive`, `${people.ada.email},Ada,inactive`]
  const reported = await importIn(ada, all)
  assert.deepEqual((await ada.listRows(reported)).map(summarise), [
    ['skipped', 'inactive'],
    ['skipped', 'inactive'],
    ['skipped', 'inactive'],
    ['skipped', 'inactive'],
  ])
  assert.equal((await findMember(ada, people.eli.email)).status, 'active')
  const id = await checkIn(ada, all, { inactive: 'suspend' })
  assert.deepEqual((await ada.listRows(id)).map(summarise), [
    ['updated'],
    ['updated'],
    ['skipped', 'inactive'],
    ['skipped', 'inactive'],
  ])
  assert.equal((await findMember(ada, people.eli.email)).status, 'active', 'a check suspends nobody')
  await ada.run(id)
  const [eli, femi] = [await findMember(ada, people.eli.email), await findMember(ada, people.femi.email)]
  assert.deepEqual(
    [eli.status, eli.suspension_reason, (await findMember(ada, people.ada.email)).status],
    ['suspended', 'Inactive in the file people.csv', 'active'],
  )
  // Staff suspend one of them again, for a reason of their own.
  assert.equal((await ada.write('DELETE', `/members/${femi.id}/suspension`)).status, 200)
  const again = await ada.write('PUT', `/members/${femi.id}/suspension`, { reason: 'Asked us to' })
  assert.equal(again.status, 200, again.text)
  assert.equal((await ada.undo(id)).status, 'undone')
  assert.deepEqual((await ada.listRows(id)).map(summarise).slice(0, 2), [['undone'], ['kept', 'changed']])
  const after = [await findMember(ada, people.eli.email), await findMember(ada, people.femi.email)]
  assert.deepEqual(
    after.map(({ status, suspension_reason: reason }) => [status, reason]),
    [
      ['active', null],
      ['suspended', 'Asked us to'],
    ],
  )
  assert.equal((await ada.write('DELETE', `/members/${femi.id}/suspension`)).status, 200)
})

test('learners are put into groups, which the undo deletes where it leaves them empty', async () => {
  const ada = await importer(app, 'ada', 'learning')
  const id = await importIn(ada, ['Email,Name,Course,Groups', `${someone()},Una,first-loaf,Class of an import`])
  const [row] = await ada.listRows(id)
  const find = async () =>
    (await ada.get('/groups?limit=100')).json.data.find(({ name }: { name: string }) => name === 'Class of an import')
  const group = await find()
  assert.equal(group?.member_count, 1)
  assert.equal(row?.status, 'created')
  await ada.undo(id)
  assert.equal(await find(), undefined)
})

test('a person whose enrollment fails is stored, which the row says and the undo takes back', async () => {
  const ada = await importer(app, 'ada', 'learning')
  const email = someone()
  const first = await importIn(ada, ['Email,Name,Course', `${email},Rev Oked,first-loaf`])
  const enrolled = (await ada.get(`/enrollments?member_id=${(await ada.listRows(first))[0]?.member_id}`)).json.data[0]
  assert.equal((await ada.write('DELETE', `/enrollments/${enrolled.id}`)).status, 200)
  const id = await importIn(ada, ['Email,Name,Course,Phone', `${email},Rev Oked,first-loaf,+45 20 12 34 56`])
  assert.deepEqual((await ada.listRows(id)).map(summarise), [['failed', 'revoked', 'person_stored']])
  assert.match((await findMember(ada, email)).phone, /^\+?45/)
  await ada.undo(id)
  assert.deepEqual((await ada.listRows(id)).map(summarise), [['undone', 'revoked', 'person_stored']])
  assert.equal((await findMember(ada, email)).phone, null)
})

test('what several rows did to one person is taken back row by row, and the person with the first', async () => {
  const ada = await importer(app, 'ada', 'learning')
  const course = await teach(await app.actor('ada', { scopes: TEACHING }), 'Rows', [{ name: 'One' }])
  const email = someone()
  // Rows without an address are read in no time and fill up the piece of the first row.
  const filler = Array.from({ length: 200 }, () => ',Nobody,,')
  const id = await importIn(ada, [
    'Email,Name,Course,Phone',
    `${email},Twice Named,first-loaf,`,
    ...filler,
    `${email},Twice Named,${course.id},+45 20 12 34 56`,
  ])
  assert.match((await findMember(ada, email)).phone, /^\+?45/)
  assert.equal((await ada.undo(id)).status, 'undone')
  const undone = (await ada.listRows(id)).filter(({ status }) => status !== 'failed')
  assert.deepEqual(undone.map(summarise), [['undone'], ['undone']])
  assert.equal(await findMember(ada, email), undefined)
})

const SERIES = ['analytics:read']

test('whom an import creates, and what they completed, is in the figures, and not any more after the undo', async () => {
  const figures = await app.actor('ada', { scopes: SERIES })
  const ada = await importer(app, 'ada', 'learning')
  const staff = await app.actor('ada', { scopes: TEACHING })
  const [counted, empty] = [await teach(staff, 'Counted', [{ name: 'One' }]), await teach(staff, 'Empty', [])]
  const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const read = async (metric: string, since: Date): Promise<number[]> => {
    const path = `/analytics/series?metric=${metric}&from=${day(-1)}&to=${day(1)}&time_zone=UTC`
    let reply = await figures.get(path)
    const isCurrent = async () => {
      reply = await figures.get(path)
      assert.equal(reply.status, 200, reply.text)
      return Date.parse(reply.json.as_of) >= since.getTime()
    }
    await until(isCurrent, `${metric} with everything before`)
    return reply.json.series.flatMap(({ points }: { points: { value: number }[] }) => points.map(({ value }) => value))
  }
  const readAll = async (): Promise<[members: number, completions: number]> => {
    const since = new Date()
    return [
      (await read('members', since)).at(-1) ?? 0,
      (await read('completions', since)).reduce((sum, value) => sum + value, 0),
    ]
  }
  const [members, completions] = await readAll()
  const nothing = await checkIn(ada, ['Email,Name,Course,Progress', `${someone()},Cy,${empty.id},80%`])
  assert.deepEqual((await ada.listRows(nothing)).map(summarise), [['created', 'no_lessons']])
  const id = await importIn(ada, [
    'Email,Name,Course,Completed at',
    ...['Ann', 'Bo'].map(name => `${someone()},${name},${counted.id},${new Date().toISOString()}`),
  ])
  assert.deepEqual(await readAll(), [members + 2, completions + 2])
  await ada.undo(id)
  assert.deepEqual(await readAll(), [members, completions])
})

test('the copy of personal data names the rows about a person, and the imports that they began', async () => {
  const ada = await importer(app, 'ada')
  const id = await importIn(ada, ['Email,Name,Tags', `${people.dev.email},Dev Patel,from the file`])
  const readCopy = async (name: 'dev' | 'ada') => {
    const actor = await app.actor(name, { scopes: ['account:read', 'account:write'] })
    const { json } = await actor.write('POST', '/account/exports')
    const path = `/account/exports/${json.id}`
    await until(async () => (await actor.get(path)).json.status === 'ready', 'the copy of their data')
    const { url } = (await actor.get(path)).json.file
    return JSON.parse(await (await fetch(url)).text()).data
  }
  const [row, ...more] = (await readCopy('dev')).import_rows
  assert.deepEqual([row.import_id, row.file_name, row.number, row.status, more], [id, 'people.csv', 2, 'updated', []])
  const { imports } = await readCopy('ada')
  assert.ok(imports.some((one: { id: string }) => one.id === id))
})
