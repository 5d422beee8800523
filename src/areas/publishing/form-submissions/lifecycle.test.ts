import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { requestCopy } from '#testing/copies.ts'
import { startMailbox } from '#testing/mail.ts'
import { fromAnywhere, putForm, sendFileTo, submitTo } from '#testing/school-forms.ts'
import { until } from '#testing/until.ts'

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  trustProxy: '127.0.0.1',
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

const DAY = 24 * 3600
const email = { id: 'email', type: 'email', label: 'E-mail', required: true }
const photo = { id: 'photo', type: 'file', label: 'Photo', max: 1 }

const count = async (
  table: 'form_submissions' | 'form_submission_files' | 'uploads',
  where = 'true',
): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(
    `select count(*)::integer as count from ${table} where ${where}`,
  )
  return row?.count ?? -1
}

const submitWithFile = async (form: string): Promise<string> => {
  const { json } = await sendFileTo(app, form, { field: 'photo', name: 'loaf.txt', bytes: 'Rye' })
  const sent = await submitTo(app, form, { email: 'a@b.example', photo: json.file_id })
  assert.equal(sent.status, 201, sent.text)
  return json.file_id
}

test('a file that no submission refers to is gone within the hour, and one that is referred to stays', async () => {
  const form = await putForm(app, { slug: 'unused', fields: [email, photo] })
  await submitWithFile(form)
  await sendFileTo(app, form, { field: 'photo', name: 'unused.txt', bytes: 'Spelt' })
  assert.equal(await count('uploads', `purpose = 'form'`), 2)
  await app.moveClock(3600)
  await until(async () => (await count('uploads', `purpose = 'form'`)) === 1, 'the removal of the unused file')
  assert.equal(await count('form_submission_files'), 1)
})

test('submissions go with their files at the end of their retention, and those of other forms stay', async () => {
  const brief = await putForm(app, { slug: 'brief', fields: [email, photo], retention_days: 2 })
  const long = await putForm(app, { slug: 'long', fields: [email, photo], retention_days: 60 })
  await submitWithFile(brief)
  await submitWithFile(long)
  const before = await count('form_submissions')
  await app.moveClock(3 * DAY)
  await until(async () => (await count('form_submissions')) === before - 1, 'the sweep of submissions')
  await until(
    async () => (await count('form_submission_files')) === (await count('uploads', `purpose = 'form'`)),
    'files',
  )
})

test('staff are told at most once an hour, with numbers and without answers', async () => {
  const ada = await app.database.query<{ id: string }>(
    `select id from members where email = 'ada@crumb.example' and school_id = $1`,
    [app.a.id],
  )
  const form = await putForm(app, { slug: 'digest', title: 'Digest', fields: [email] })
  await app.database.query(`update forms set notify = array[$1::uuid] where slug = 'digest'`, [ada[0]?.id])
  await submitTo(app, form, { email: 'one@person.example' })
  await submitTo(app, form, { email: 'two@person.example' }, { trap: 'x' })
  await app.moveClock(3601)
  const mails = () =>
    (mailbox?.arrived ?? []).map(one => one.email.text ?? '').filter(text => text.includes('“Digest”'))
  await until(async () => mails().length > 0, 'the mail about submissions')
  const [mail] = mails()
  assert.match(mail ?? '', /New submissions: 2\. Of these, suspected of being spam: 1\./)
  assert.ok(mail?.includes(`/staff/forms/${form}/submissions`) && !mail.includes('person.example'))
})

test('erasing a member deletes what they submitted, with its files', async () => {
  const form = await putForm(app, { slug: 'erased', fields: [email] })
  const eli = await app.actor('eli', { scopes: ['account:read'] })
  const body = { version: 1, answers: [{ field_id: 'email', value: 'eli@elsewhere.example' }] }
  assert.equal((await eli.write('POST', `/forms/${form}/submissions`, body, fromAnywhere())).status, 201)
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const { json } = await ada.get('/members?q=eli')
  const erasure = await ada.write('POST', `/members/${json.data[0].id}/erasure`)
  assert.equal(erasure.status, 202, erasure.text)
  await approveAs(app, 'ada', erasure.json.confirmation.url)
  assert.equal(await count('form_submissions', `answers::text like '%eli@elsewhere.example%'`), 0)
})

test('answers that were sent signed out with the address of a member are exported and erased, and nothing of others', async () => {
  const friend = { id: 'friend', type: 'email', label: 'A friend' }
  const words = { id: 'words', type: 'text', label: 'Words' }
  const form = await putForm(app, { slug: 'addresses', fields: [email, friend, words] })
  const send = async (answers: Readonly<Record<string, unknown>>) => {
    const { status, text } = await submitTo(app, form, answers)
    assert.equal(status, 201, text)
  }
  await send({ email: 'Femi@Crumb.example', words: 'only of Femi' })
  await send({ email: 'stranger@there.example', friend: 'femi@crumb.example', words: 'of a stranger' })
  await send({ email: 'dev@crumb.example', words: 'only of Dev' })
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const [{ id }] = (await ada.get('/members?email=femi@crumb.example')).json.data
  assert.equal((await ada.write('POST', `/members/${id}/notes`, { body: 'a note on Femi' })).status, 201)
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  await app.database.query(`update members set email_verified = true where email_folded = 'femi@crumb.example'`)
  const exported = await requestCopy(femi)
  const answered = exported.data.form_submissions.map(({ answers }: { answers: { value: string }[] }) =>
    answers.map(({ value }) => value),
  )
  assert.deepEqual(answered, [['Femi@Crumb.example', 'only of Femi'], ['femi@crumb.example']])
  assert.equal(exported.data.notes.at(-1).body, 'a note on Femi')
  for (const word of ['stranger', 'of Dev']) assert.ok(!exported.text.includes(word), word)
  // An address that nobody has proven shows nothing.
  const dev = await app.actor('dev', { scopes: ['account:read', 'account:write'] })
  assert.deepEqual((await requestCopy(dev)).data.form_submissions, [])
  const erasure = await ada.write('POST', `/members/${id}/erasure`)
  await approveAs(app, 'ada', erasure.json.confirmation.url)
  const rows = await app.database.query<{ values: string[] }>(
    `select array(select a ->> 'value' from json_array_elements(s.answers) as a) as values from form_submissions s
     where s.form_id = (select id from forms where slug = 'addresses') order by s.submitted_at`,
  )
  assert.deepEqual(
    rows.map(({ values }) => values),
    [
      ['stranger@there.example', 'of a stranger'],
      ['dev@crumb.example', 'only of Dev'],
    ],
  )
})

test('answers with an address whose domain is written in Unicode or in ASCII are those of one person', async () => {
  const words = { id: 'words', type: 'text', label: 'Words' }
  const form = await putForm(app, { slug: 'domains', fields: [email, words] })
  for (const domain of ['bücher.example', 'xn--bcher-kva.example', 'BÜCHER.example']) {
    const { status, text } = await submitTo(app, form, { email: `Jan@${domain}`, words: 'only of Jan' })
    assert.equal(status, 201, text)
  }
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const jan = await ada.write('POST', '/members', { name: 'Jan', email: 'jan@xn--bcher-kva.example' })
  assert.equal(jan.status, 201, jan.text)
  const erasure = await ada.write('POST', `/members/${jan.json.id}/erasure`)
  await approveAs(app, 'ada', erasure.json.confirmation.url)
  assert.equal(await count('form_submissions', `answers::text like '%only of Jan%'`), 0)
})

test('answers that were sent signed out with the address of a member who is merged belong to the other one', async () => {
  const friend = { id: 'friend', type: 'email', label: 'A friend' }
  const words = { id: 'words', type: 'text', label: 'Words' }
  const form = await putForm(app, { slug: 'merged', fields: [email, friend, words] })
  const sent = [
    { email: 'Ines@Crumb.example', words: 'only of Ines' },
    { email: 'stranger@there.example', friend: 'ines@crumb.example', words: 'of a stranger' },
  ]
  for (const answers of sent) assert.equal((await submitTo(app, form, answers)).status, 201)
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const [ines, dev] = await Promise.all(
    ['ines', 'dev'].map(async name => (await ada.get(`/members?email=${name}@crumb.example`)).json.data[0].id),
  )
  const merge = await ada.write('POST', `/members/${dev}/merges`, { member_id: ines })
  assert.equal(merge.status, 202, merge.text)
  await approveAs(app, 'ada', merge.json.confirmation.url)
  // Nobody proved the address of Dev: the answers are theirs by the merge, and not by what is in them.
  const asDev = await app.actor('dev', { scopes: ['account:read', 'account:write'] })
  await app.database.query('delete from exports')
  const { data, text } = await requestCopy(asDev)
  const answered = data.form_submissions.map(({ answers }: { answers: { value: string }[] }) =>
    answers.map(({ value }) => value),
  )
  assert.deepEqual(answered, [['Ines@Crumb.example', 'only of Ines']])
  assert.ok(!text.includes('of a stranger'))
})
