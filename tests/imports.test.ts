import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { signInActor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { type ImportRow, importer, readTable } from '#testing/imports.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { mailTo, testMailArea, testMails } from '#testing/mails.ts'
import { checkout, sell } from '#testing/orders.ts'
import { setProvider } from '#testing/payments.ts'
import { acceptInvitation } from '#testing/people.ts'
import { payByTest } from '#testing/test-payments.ts'
import { until } from '#testing/until.ts'

// With a mailbox the worker runs.
let mailbox: Mailbox
const app = testApp({
  moreAreas: [testMailArea],
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const PASSWORD = 'levain at four in the morning'

type Importer = Awaited<ReturnType<typeof importer>>

/** An import of a file whose mapping is as it was guessed. */
const readIn = async (ada: Importer, bytes: Buffer, filename?: string) => {
  const created = await ada.begin(bytes, filename)
  assert.equal(created.status, 201, created.text)
  const read = await ada.read(created.json.id)
  assert.equal(read.status, 'ready', JSON.stringify(read.problem))
  return read
}

const summarise = ({ number, status, errors }: ImportRow) => [number, status, ...errors.map(({ code }) => code)]

const findMember = async (ada: Importer, email: string) =>
  (await ada.get(`/members?email=${encodeURIComponent(email)}`)).json.data[0]

const GERMAN = [
  'E-Mail;Name;Telefon',
  'soren@import.example\u00a0;Søren Sørensen;+45 20 12 34 56',
  ';;',
  'greta@import.example;Greta Weiß;4,91701E+11',
  'SOREN@IMPORT.EXAMPLE;Søren;',
]

test('case 1: of a German Excel file one person is created, lost digits and a duplicate are reported by line', async () => {
  const ada = await importer(app, 'ada')
  const { id, format } = await readIn(ada, Buffer.from(`\ufeff${GERMAN.join('\r\n')}\r\n`))
  assert.deepEqual([format.encoding, format.delimiter, format.rows], ['utf-8', ';', 3])
  const checked = await ada.check(id)
  assert.deepEqual([checked.status, checked.counts.created, checked.counts.failed], ['checked', 1, 2])
  const rows = await ada.listRows(id)
  assert.deepEqual(rows.map(summarise), [
    [2, 'created'],
    [4, 'failed', 'digits_lost'],
    [5, 'failed', 'duplicate'],
  ])
  assert.match(rows[2]?.errors[0]?.message ?? '', /\b2\b/)
  assert.equal(await findMember(ada, 'soren@import.example'), undefined, 'a check changes nothing')
  const done = await ada.run(id)
  assert.deepEqual([done.status, done.counts.created, done.counts.failed], ['completed', 1, 2])
  assert.equal((await findMember(ada, 'soren@import.example')).name, 'Søren Sørensen')
  assert.equal(await findMember(ada, 'greta@import.example'), undefined)
  const report = await ada.readReport(id)
  assert.match(report, /^member_id,E-Mail,Name,Telefon,result,why\r\n/)
  assert.match(report, /\r\n,greta@import\.example,Greta Weiß,"4,91701E\+11",failed,"[^"]*export the file again"\r\n/)
})

test('case 2: the same people are read from UTF-16 with tabs, windows-1252 and a workbook', async () => {
  const ada = await importer(app, 'ada')
  const results = []
  for (const name of ['excel-german.csv', 'excel-german-unicode.txt', 'excel-german-ansi.csv', 'excel-german.xlsx']) {
    const { id } = await readIn(ada, await readTable(name), name)
    const { status } = await ada.check(id)
    assert.equal(status, 'checked', name)
    results.push((await ada.listRows(id)).map(row => [...summarise(row), row.values?.Nachname]))
  }
  const [first, ...others] = results
  assert.deepEqual(first?.slice(0, 2), [
    [2, 'created', 'Sørensen'],
    [3, 'created', 'Conceição'],
  ])
  for (const other of others) assert.deepEqual(other, first)
})

test('case 3: dates that fit two orders have to be chosen, with samples of both, before anything is checked or run', async () => {
  const ada = await importer(app, 'ada')
  const { id, ambiguous } = await readIn(ada, await readTable('google-sheets.csv'), 'google-sheets.csv')
  const [{ column, field, formats }] = ambiguous
  assert.equal(field, 'joined_at')
  const orders = formats.map(({ format }: { format: string }) => format).sort()
  assert.deepEqual(orders, ['day_month_year', 'month_day_year'])
  for (const { samples } of formats) assert.equal(samples.length, 3)
  const refused = await ada.write('PUT', `${ada.base}/${id}/check`)
  assert.deepEqual([refused.status, refused.json.code], [422, 'column_ambiguous'])
  const { mapping } = await ada.find(id)
  const chosen = mapping.map((one: { column: number }) =>
    one.column === column ? { ...one, format: 'month_day_year' } : one,
  )
  const changed = await ada.change(id, { mapping: chosen })
  assert.deepEqual([changed.status, changed.json.ambiguous], [200, []], changed.text)
  assert.equal((await ada.check(id)).status, 'checked')
})

test('case 4: a consent that a person withdrew by the link of a mail is not given again by a file, a batch or a PATCH, and each says so', async () => {
  const eli = await app.actor('eli', { scopes: ['account:read', 'account:write'] })
  assert.equal((await eli.write('PATCH', '/account', { marketing_consent: { granted: true } })).status, 200)
  assert.equal(await mailTo(app, 'eli', { kind: testMails.test_news }), 1)
  const [mail] = await mailbox.waitFor(people.eli.email, 1, /^News/)
  const link = mail?.email.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const path = new URL(link.slice(1, -1)).pathname
  const clicked = await app.send({ method: 'POST', path, headers: form, body: 'List-Unsubscribe=One-Click' })
  assert.equal(clicked.status, 200, clicked.text)
  const ada = await importer(app, 'ada')
  const email = 'eli@crumb.example'
  const { id: memberId } = await findMember(ada, email)
  const { id } = await readIn(ada, Buffer.from(`email,marketing consent,tags\n${email},yes,from file\n`))
  await ada.check(id)
  const done = await ada.run(id)
  assert.deepEqual([done.status, done.counts.updated, done.notices_count], ['completed', 1, 1])
  const [row] = await ada.listRows(id)
  assert.deepEqual([row?.status, row?.notices.map(({ code }) => code)], ['updated', ['consent_withdrawn']])
  const consent = { granted: true, source: 'staff' }
  const batch = await ada.write('POST', '/members/batches', {
    rows: [{ email, marketing_consent: consent }],
  })
  assert.match(batch.text, /consent_withdrawn/)
  const patch = await ada.write('PATCH', `/members/${memberId}`, { marketing_consent: consent })
  assert.match(patch.text, /consent_withdrawn/)
  const after = await ada.get(`/members/${memberId}`)
  assert.equal(after.json.marketing_consent.granted, false)
  assert.ok(after.json.tags.includes('from file'), 'the rest of the row is stored')
})

test('case 6: after an undo those who signed in, were renamed, bought or were enrolled stay, with reasons, and the others are gone', async () => {
  const ada = await importer(app, 'ada')
  const names = ['signs', 'renamed', 'buys', 'enrolled', 'quiet', 'silent']
  const lines = names.map(name => `${name}@undo.example,${name} Person`).join('\n')
  const before = await ada.write('POST', '/members', {
    email: 'known@undo.example',
    name: 'Known before',
    send_invitation: false,
  })
  assert.equal(before.status, 201, before.text)
  const { id } = await readIn(ada, Buffer.from(`email,name\n${lines}\nknown@undo.example,Known after\n`))
  await ada.check(id)
  const done = await ada.run(id)
  assert.deepEqual([done.counts.created, done.counts.updated], [6, 1])
  const memberId = async (name: string) => (await findMember(ada, `${name}@undo.example`)).id
  const at = { port: app.port, school: app.a }
  const signUp = async (name: string): Promise<void> => {
    const invited = await ada.write('PUT', `/members/${await memberId(name)}/invitation`)
    assert.ok(invited.status < 300, invited.text)
    const person = { email: `${name}@undo.example`, name: `${name} Person`, password: PASSWORD }
    const reply = await acceptInvitation(at, mailbox, person)
    assert.ok([200, 303].includes(reply.status), reply.text)
  }
  await signUp('signs')
  await signUp('buys')
  await setProvider(app, 'test', {})
  const sold = await sell(
    await app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] }),
    'Bought',
  )
  const email = 'buys@undo.example'
  const buyer = await signInActor({ ...at, email, password: PASSWORD }, { scopes: ['account:read', 'account:write'] })
  const placed = await checkout(buyer, [sold.priceId])
  assert.equal(placed.status, 201, placed.text)
  await payByTest(app, buyer, placed.json)
  const readOrder = async () => (await buyer.get(`/account/orders/${placed.json.id}`)).json.status
  await until(async () => (await readOrder()) === 'paid', 'an order that is paid')
  const renamed = await ada.write('PATCH', `/members/${await memberId('renamed')}`, { name: 'Another Name' })
  assert.equal(renamed.status, 200, renamed.text)
  const course = (await ada.get('/courses/slug:first-loaf')).json
  const enrolled = await ada.write('POST', '/enrollments', {
    member_id: await memberId('enrolled'),
    course_id: course.id,
  })
  assert.equal(enrolled.status, 201, enrolled.text)
  const undone = await ada.undo(id)
  assert.equal(undone.status, 'undone')
  const results = (await ada.listRows(id)).map(({ status, reason }) => [status, reason])
  assert.deepEqual(results, [
    ['kept', 'signed_in'],
    ['kept', 'changed'],
    ['kept', 'signed_in'],
    ['kept', 'in_use'],
    ['undone', null],
    ['undone', null],
    ['undone', null],
  ])
  const left = await Promise.all(names.map(name => findMember(ada, `${name}@undo.example`)))
  assert.deepEqual(
    left.map(member => member?.name),
    ['signs Person', 'Another Name', 'buys Person', 'enrolled Person', undefined, undefined],
  )
  assert.equal(await readOrder(), 'paid')
  assert.equal((await findMember(ada, 'known@undo.example')).name, 'Known before')
  const again = await ada.write('PUT', `${ada.base}/${id}/undo`)
  assert.equal(again.status, 409, again.text)
})
