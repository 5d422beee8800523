import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { newUuid, toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { type ImportRow, importer } from '#testing/imports.ts'
import { readMemberId, TEACHING } from '#testing/learning.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'

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

const someone = (): string => `${randomUUID()}@rights.example`

const toFile = (...lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`)

/** An import whose file was read. */
const readIn = async (by: Importer, ...lines: readonly string[]) => {
  const { status, json, text } = await by.begin(toFile(...lines))
  assert.equal(status, 201, text)
  const read = await by.read(json.id)
  assert.equal(read.status, 'ready', JSON.stringify(read.problem))
  return read
}

const listErrors = ({ json }: { json: { errors?: { pointer: string; code: string }[] } }) =>
  json.errors?.map(({ pointer, code }) => [pointer, code])

const summarise = ({ status, member_id: memberId, errors }: ImportRow) => [
  status,
  memberId,
  ...errors.map(({ code, message }) => `${code}: ${message}`),
]

test('a lecturer imports into their own courses, and learns neither who is a member nor which other courses there are', async () => {
  const ada = await app.actor('ada', { scopes: [...TEACHING, 'members:write'] })
  const known = someone()
  const gil = await ada.write('POST', '/members', { email: known, name: 'Gil Known', send_invitation: false })
  assert.equal(gil.status, 201, gil.text)
  const hidden = await ada.write('POST', '/courses', { name: 'Nobody Knows Of It' })
  assert.equal(hidden.status, 201, hidden.text)
  const carla = await importer(app, 'carla', 'learning')
  const { id } = await readIn(
    carla,
    'Email,Name,Course,Percent complete',
    `${known},Gil Known,first-loaf,10`,
    `${someone()},Somebody New,first-loaf,10`,
    `${someone()},Other New,Nobody Knows Of It,10`,
    `${someone()},Third New,There Is No Such Course,10`,
  )
  const unknown = ['failed', null, 'unknown: is not a course you may enroll in']
  const expected = [['created', null], ['created', null], unknown, unknown]
  assert.deepEqual((await carla.check(id)).counts, { created: 2, updated: 0, unchanged: 0, failed: 2, skipped: 0 })
  assert.deepEqual((await carla.listRows(id)).map(summarise), expected)
  assert.equal((await carla.run(id)).status, 'completed')
  assert.deepEqual((await carla.listRows(id)).map(summarise), expected)
  assert.equal((await carla.undo(id)).status, 'undone')
  assert.deepEqual((await carla.listRows(id)).map(({ status, reason }) => [status, reason]).slice(0, 2), [
    ['undone', null],
    ['undone', null],
  ])
  assert.equal((await ada.get(`/members/${gil.json.id}`)).json.name, 'Gil Known')
})

test('a lecturer sees the imports that they started, and no other is there for them', async () => {
  const ada = await importer(app, 'ada', 'learning')
  const { id } = await readIn(ada, 'Email,Name,Course', `${someone()},Of Ada,first-loaf`)
  const carla = await importer(app, 'carla', 'learning')
  const own = await readIn(carla, 'Email,Name,Course', `${someone()},Of Carla,first-loaf`)
  const listed = (await carla.get('/enrollments/imports?limit=100')).json.data.map((one: { id: string }) => one.id)
  assert.deepEqual([listed.includes(own.id), listed.includes(id)], [true, false])
  const nowhere = toId('imp', newUuid(Date.now()))
  const calls = [
    ['GET', ''],
    ['GET', '/rows'],
    ['PATCH', '', { options: { existing: 'skip' } }],
    ['PUT', '/check'],
    ['PUT', '/run'],
    ['PUT', '/undo'],
    ['DELETE', ''],
  ] as const
  const call = (one: string, [method, path, body]: (typeof calls)[number]) => {
    const at = `${carla.base}/${one}${path}`
    return method === 'GET' ? carla.get(at) : carla.write(method, at, body, { 'if-match': '"1"' })
  }
  for (const one of calls) {
    const [theirs, none] = [await call(id, one), await call(nowhere, one)]
    assert.equal(theirs.status, 404, theirs.text)
    assert.deepEqual({ ...theirs.json, request_id: '' }, { ...none.json, request_id: '' })
  }
  assert.equal((await ada.find(id)).status, 'ready')
})

test('neither a lecturer imports people nor a student anything, and a stranger is asked to sign in', async () => {
  const [carla, dev] = [await importer(app, 'carla'), await importer(app, 'dev', 'learning')]
  const upload = { upload_id: toId('upl', newUuid(Date.now())) }
  for (const [who, base] of [
    [carla, '/members/imports'],
    [dev, '/members/imports'],
    [dev, '/enrollments/imports'],
  ] as const) {
    assert.equal((await who.get(base)).status, 403)
    assert.equal((await who.write('POST', base, upload)).status, 403)
  }
  for (const path of ['/api/v1/members/imports', '/api/v1/enrollments/imports']) {
    const { status, json } = await app.send({ path })
    assert.deepEqual([status, json.code], [403, 'sign_in_required'])
  }
})

test('an import takes an upload of the caller with the purpose import, and no other', async () => {
  const [ada, ben] = [await importer(app, 'ada'), await importer(app, 'ben')]
  const bytes = toFile('Email,Name', `${someone()},Somebody`)
  const csv = { filename: 'people.csv', content_type: 'text/csv' }
  const ofBen = await ben.upload(bytes, { ...csv, purpose: 'import' })
  const image = await ada.upload(Buffer.from('Rye\n'), {
    filename: 'rye.txt',
    content_type: 'text/plain',
    purpose: 'submission',
  })
  for (const { json } of [ofBen, image]) {
    const refused = await ada.write('POST', '/members/imports', { upload_id: json.id })
    assert.deepEqual([refused.status, listErrors(refused)], [422, [['/upload_id', 'unknown']]])
  }
  const taken = await ben.write('POST', '/members/imports', { upload_id: ofBen.json.id })
  assert.equal(taken.status, 201, taken.text)
  const again = await ben.write('POST', '/members/imports', { upload_id: ofBen.json.id })
  assert.deepEqual([again.status, listErrors(again)], [422, [['/upload_id', 'taken']]])
  const dev = await importer(app, 'dev')
  assert.equal((await dev.announce({ ...csv, byte_size: bytes.length, purpose: 'import' })).status, 403)
})

test('what a lecturer checked is checked again by staff who run it, who have it from then on', async () => {
  const [carla, ada] = [await importer(app, 'carla', 'learning'), await importer(app, 'ada', 'learning')]
  const dev = toId('mem', await readMemberId(app, 'dev'))
  const email = (await ada.get(`/members/${dev}`)).json.email
  const { id } = await readIn(
    carla,
    'Email,Name,Course',
    `${email},Dev Patel,first-loaf`,
    `${someone()},Somebody New,first-loaf`,
  )
  assert.equal((await carla.check(id)).counts.created, 2)
  const seen = await ada.find(id)
  assert.ok(!seen.allowed_actions.includes('runEnrollmentImport'), seen.allowed_actions.join())
  assert.ok((await carla.find(id)).allowed_actions.includes('runEnrollmentImport'))
  const { etag } = (await ada.get(`${ada.base}/${id}`)).headers
  const refused = await ada.write('PUT', `${ada.base}/${id}/run`, undefined, { 'if-match': String(etag) })
  assert.deepEqual([refused.status, refused.json.code], [409, 'not_checked'])
  const checked = await ada.check(id)
  assert.equal(checked.started_by.name, 'Ada Moreira')
  const done = await ada.run(id)
  assert.deepEqual([done.status, done.counts], ['completed', checked.counts])
  for (const { notices } of await ada.listRows(id))
    assert.ok(notices.every(({ code }) => code !== 'changed_since_check'))
  assert.equal((await carla.get(`${carla.base}/${id}`)).status, 404)
})

test('a lecturer runs no import that does what only staff do, whoever chose it', async () => {
  const [carla, ada] = [await importer(app, 'carla', 'learning'), await importer(app, 'ada', 'learning')]
  const { id, mapping } = await readIn(carla, 'Email,Name,Course,Phone', `${someone()},Somebody,first-loaf,12345678`)
  const phone = mapping.findIndex(({ field }: { field: string }) => field === 'phone')
  const early = await carla.write('PUT', `${carla.base}/${id}/check`)
  assert.deepEqual([early.status, early.json.code], [422, 'mapping_incomplete'])
  assert.deepEqual(listErrors(early), [[`/mapping/${phone}/field`, 'role']])
  assert.deepEqual(listErrors(await carla.change(id, { mapping })), [[`/mapping/${phone}/field`, 'role']])
  const without = mapping.filter(({ field }: { field: string }) => field !== 'phone')
  assert.equal((await carla.change(id, { mapping: without })).status, 200)
  for (const options of [{ tags: ['spring'] }, { inactive: 'suspend' }, { restore_deleted: true }])
    assert.deepEqual(listErrors(await carla.change(id, { options })), [[`/options/${Object.keys(options)[0]}`, 'role']])
  assert.equal((await ada.change(id, { options: { inactive: 'suspend' } })).status, 200)
  const late = await carla.write('PUT', `${carla.base}/${id}/check`)
  assert.deepEqual([late.status, late.json.code], [422, 'mapping_incomplete'])
  assert.deepEqual(listErrors(late), [['/options/inactive', 'role']])
  assert.equal((await ada.change(id, { options: { inactive: 'report' } })).status, 200)
  assert.equal((await carla.check(id)).status, 'checked')
})
