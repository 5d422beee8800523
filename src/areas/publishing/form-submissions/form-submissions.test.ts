import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import type { TestReply } from '#testing/http.ts'
import { fromAnywhere, putForm, sendFileTo, submitTo } from '#testing/school-forms.ts'

const app = testApp({ trustProxy: '127.0.0.1' })
const email = { id: 'email', type: 'email', label: 'E-mail', required: true }
const scopes = ['forms:read', 'school:read']
const ada = () => app.actor('ada', { scopes })

const readSubmissions = async (id: string, query = '') =>
  (await (await ada()).get(`/forms/${id}/submissions${query}`)).json.data

const readCount = async (id: string): Promise<number> => (await readSubmissions(id)).length

// A list has at most a hundred.
const readStored = async (slug: string): Promise<number> =>
  (
    await app.database.query('select from form_submissions where form_id = (select id from forms where slug = $1)', [
      slug,
    ])
  ).length

test('200 posts at once from one network: 150, half of what a form takes in an hour, then 429 with Retry-After', async () => {
  const id = await putForm(app, { slug: 'burst', fields: [email] })
  const same = fromAnywhere()
  const replies = await Promise.all(
    Array.from({ length: 200 }, () => submitTo(app, id, { email: 'a@b.example' }, {}, same)),
  )
  // Who waits too long for the form among so many gets 503.
  assert.equal(replies.filter(({ status }) => status === 429).length, 50)
  assert.ok(replies.filter(({ status }) => status === 429).every(({ headers }) => Number(headers['retry-after']) > 0))
  assert.equal(await readStored('burst'), replies.filter(({ status }) => status === 201).length)
})

test('a member behind the address of a whole room is counted alone', async () => {
  const id = await putForm(app, { slug: 'classroom', fields: [email] })
  const room = fromAnywhere()
  const strangers = await Promise.all(
    Array.from({ length: 151 }, () => submitTo(app, id, { email: 'a@b.example' }, {}, room)),
  )
  assert.ok(
    strangers.some(({ status }) => status === 429),
    'the network is used up',
  )
  const dev = await app.actor('dev', { scopes: ['account:read'] })
  const own = await Promise.all(
    Array.from({ length: 61 }, () =>
      submitTo(app, id, { email: 'a@b.example' }, {}, { ...room, authorization: `Bearer ${dev.token}` }),
    ),
  )
  assert.equal(own.filter(({ status }) => status === 429).length, 1)
})

test('from many spoofed X-Forwarded-For: the same, since the proxy names the network last', async () => {
  const id = await putForm(app, { slug: 'spoofed', fields: [email] })
  const network = fromAnywhere()['x-forwarded-for']
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      submitTo(app, id, { email: 'a@b.example' }, {}, { 'x-forwarded-for': `198.51.100.${index}, ${network}` }),
    ),
  )
  assert.equal(replies.filter(({ status }) => status === 429).length, 50)
  assert.ok((await readStored('spoofed')) <= 150)
})

test('a form takes 300 submissions an hour from all networks together', async () => {
  const id = await putForm(app, { slug: 'hourly', fields: [email] })
  assert.equal((await submitTo(app, id, { email: 'a@b.example' })).status, 201)
  await app.database.query(
    `insert into form_submissions (school_id, id, form_id, form_version, answers, status, changed_in, submitted_at)
     select school_id, gen_random_uuid(), form_id, 1, '[]', 'spam', 0, submitted_at
     from form_submissions, generate_series(1, 299) where form_id = (select id from forms where slug = 'hourly')`,
  )
  const refused = await submitTo(app, id, { email: 'a@b.example' })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  await app.moveClock(3601)
  assert.equal((await submitTo(app, id, { email: 'a@b.example' })).status, 201)
})

test('what no form asks for is refused with 422, or 413 where it is too large', async () => {
  const options = [{ id: 'a', label: 'A' }]
  const fields = [
    email,
    { id: 'many', type: 'choices', label: 'Many', options },
    { id: 'amount', type: 'number', label: 'Amount' },
    { id: 'day', type: 'date', label: 'Day' },
    { id: 'long', type: 'long_text', label: 'Long' },
  ]
  const id = await putForm(app, { slug: 'hostile', fields })
  const good = { email: 'a@b.example' }
  const send = (body: string): Promise<TestReply> =>
    app.send({
      method: 'POST',
      path: `/api/v1/forms/${id}/submissions`,
      headers: { ...fromAnywhere(), 'content-type': 'application/json' },
      body,
    })
  const bad: readonly Promise<TestReply>[] = [
    submitTo(app, id, { ...good, long: 'x'.repeat(1_000_000) }),
    submitTo(app, id, { ...good, many: Array.from({ length: 10_000 }, () => 'a') }),
    submitTo(app, id, { ...good, unknown: 'x' }),
    send(
      '{"version":1,"answers":[{"field_id":"email","value":"a@b.example"},{"field_id":"email","value":"b@b.example"}]}',
    ),
    send('{"version":1,"answers":[{"field_id":"email","value":"a@b.example"},{"field_id":"amount","value":1e400}]}'),
    submitTo(app, id, { ...good, day: '2026-02-30' }),
    submitTo(app, id, { email: 'a@a.a.a'.repeat(7000) }),
    submitTo(app, id, {}),
  ]
  for (const { status, text } of await Promise.all(bad))
    assert.ok([400, 413, 422].includes(status), `${status} ${text}`)
  assert.equal(await readCount(id), 0)
})

test('what a spreadsheet would run is neutral in CSV, whose columns stay the same over versions', async () => {
  const note = { id: 'note', type: 'text', label: '=SUM(A1)' }
  const id = await putForm(app, { slug: 'csv', fields: [email, note] })
  await submitTo(app, id, { email: 'a@b.example', note: '=HYPERLINK("http://evil.example")' })
  await putForm(app, {
    slug: 'csv',
    fields: [{ ...note, label: 'Note' }, { id: 'city', type: 'text', label: 'City' }, email],
  })
  await submitTo(app, id, { email: 'b@b.example', city: 'Braga' }, { version: 2 })
  const csv = await (await ada()).get(`/forms/${id}/submissions`, { accept: 'text/csv' })
  assert.equal(csv.status, 200)
  const [head = '', ...rows] = csv.text.split('\r\n')
  assert.ok(head.endsWith('E-mail (email),Note (note),City (city)'), head)
  assert.ok(
    rows.some(row => row.includes(`'=HYPERLINK`)),
    csv.text,
  )
  assert.ok(
    rows.some(row => row.endsWith('b@b.example,,Braga')),
    csv.text,
  )
})

test('show_if answered although hidden: dropped, not stored', async () => {
  const fields = [
    {
      id: 'coming',
      type: 'choice',
      label: 'Coming?',
      options: [
        { id: 'yes', label: 'Yes' },
        { id: 'no', label: 'No' },
      ],
    },
    { id: 'diet', type: 'text', label: 'Diet', required: true, show_if: { field_id: 'coming', is: 'yes' } },
  ]
  const id = await putForm(app, { slug: 'condition', fields })
  assert.equal((await submitTo(app, id, { coming: 'no', diet: 'secret diet' })).status, 201)
  assert.equal((await submitTo(app, id, { coming: 'yes' })).status, 422)
  const stored = await app.database.query<{ answers: string }>(
    `select answers::text from form_submissions where form_id = (select id from forms where slug = 'condition')`,
  )
  assert.equal(stored.length, 1)
  assert.ok(!stored[0]?.answers.includes('secret diet'))
})

test('a filled honeypot is answered like any other submission and kept as suspected', async () => {
  const id = await putForm(app, { slug: 'honeypot', fields: [email] })
  const plain = await submitTo(app, id, { email: 'a@b.example' })
  const caught = await submitTo(app, id, { email: 'b@b.example' }, { trap: 'Buy now' })
  assert.deepEqual([plain.status, caught.status], [201, 201])
  assert.deepEqual(Object.keys(caught.json), Object.keys(plain.json))
  const data = await readSubmissions(id, '?status=suspected')
  assert.deepEqual(
    data.map((one: { answers: { value: string }[] }) => one.answers[0]?.value),
    ['b@b.example'],
  )
  const form = (await (await ada()).get(`/forms/${id}`)).json
  assert.deepEqual(form.submission_counts, { received: 1, suspected: 1, spam: 0 })
})

test('max_submissions is exact when many submit at once', async () => {
  const id = await putForm(app, { slug: 'most', fields: [email], max_submissions: 3 })
  const replies = await Promise.all(Array.from({ length: 12 }, () => submitTo(app, id, { email: 'a@b.example' })))
  assert.deepEqual(
    [201, 409].map(code => replies.filter(({ status }) => status === code).length),
    [3, 9],
  )
  assert.equal(await readCount(id), 3)
})

test('a form for members needs a sign-in, takes one of each, and belongs to the member', async () => {
  const id = await putForm(app, { slug: 'members', fields: [email], one_per_member: true })
  const refused = await submitTo(app, id, { email: 'a@b.example' })
  assert.deepEqual([refused.status, refused.json.code], [403, 'sign_in_required'])
  const dev = await app.actor('dev', { scopes: ['account:read'] })
  const body = { version: 1, answers: [{ field_id: 'email', value: 'dev@elsewhere.example' }] }
  const path = `/forms/${id}/submissions`
  assert.equal((await dev.write('POST', path, body, fromAnywhere())).status, 201)
  const again = await dev.write('POST', path, body, fromAnywhere())
  assert.deepEqual([again.status, again.json.code], [409, 'already_submitted'])
  const own = (await dev.get('/account/form-submissions?limit=100')).json.data
  const ofForm = own.filter((one: { form_id: string }) => one.form_id === id)
  assert.equal(ofForm.length, 1)
  const [eli] = await Promise.all([app.actor('eli', { scopes: ['account:read'] })])
  assert.deepEqual((await eli.get('/account/form-submissions')).json.data, [])
  assert.equal((await dev.get(path)).status, 403)
})

test('a submitted file can be reached by a signed link of staff only, and one never referred to vanishes', async () => {
  const photo = { id: 'photo', type: 'file', label: 'Photo', max: 1 }
  const id = await putForm(app, { slug: 'files', fields: [email, photo] })
  const sent = await sendFileTo(app, id, { field: 'photo', name: '<script>alert(1)</script>.txt', bytes: 'Rye' })
  assert.equal(sent.status, 201, sent.text)
  assert.ok(!sent.text.includes('<script>') && !('url' in sent.json))
  const answers = { email: 'a@b.example', photo: sent.json.file_id }
  assert.equal((await submitTo(app, id, answers)).status, 201)
  assert.equal((await submitTo(app, id, answers)).status, 422, 'a file answers one submission')
  const [{ answers: shown }] = await readSubmissions(id)
  const { file } = shown.find((one: { field_id: string }) => one.field_id === 'photo')
  const path = new URL(file.url)
  assert.equal((await app.send({ path: `${path.pathname}${path.search}` })).text, 'Rye')
  assert.equal((await app.send({ path: path.pathname })).status, 404)
  const unused = await sendFileTo(app, id, { field: 'photo', name: 'unused.txt', bytes: 'Spelt' })
  const jobs = await app.database.query<{ due: boolean }>(
    `select due_at <= stoa.now() + interval '1 hour' as due from jobs where kind = 'form_upload'`,
  )
  assert.deepEqual([unused.status, jobs.length, jobs.every(({ due }) => due)], [201, 2, true])
})

test('a form keeps 500 MB that no submission names, and takes files again once they are used or gone', async () => {
  const photo = { id: 'photo', type: 'file', label: 'Photo', max: 1 }
  const id = await putForm(app, { slug: 'full-of-files', fields: [email, photo] })
  const send = () => sendFileTo(app, id, { field: 'photo', name: 'loaf.txt', bytes: 'Rye' })
  const first = await send()
  assert.equal(first.status, 201, first.text)
  const setSize = (bytes: number) =>
    app.database.query(`update uploads set byte_size = $1 where id = $2`, [bytes, fromId('fil', first.json.file_id)])
  await setSize(499_999_998)
  const refused = await send()
  assert.deepEqual([refused.status, refused.json.code, refused.headers['retry-after']], [429, 'rate_limited', '600'])
  await setSize(499_999_997)
  assert.equal((await send()).status, 201)
  assert.equal((await send()).status, 429)
  await setSize(3)
  assert.equal((await send()).status, 201)
})

test('files that a field does not take are refused and leave nothing', async () => {
  const id = await putForm(app, {
    slug: 'images',
    fields: [{ id: 'photo', type: 'file', label: 'Photo', max: 1, pattern: 'images' }],
  })
  const before = await app.database.query('select id from uploads')
  const file = { field: 'photo', name: 'a.txt' }
  const replies = await Promise.all([
    sendFileTo(app, id, { ...file, bytes: 'Rye' }),
    sendFileTo(app, id, { ...file, bytes: Buffer.alloc(1_000_001) }),
    sendFileTo(app, id, { ...file, bytes: '' }),
    sendFileTo(app, id, { ...file, field: 'other', bytes: 'Rye' }),
    sendFileTo(app, id, { ...file, bytes: 'not an image', type: 'image/png' }),
  ])
  assert.deepEqual(
    replies.map(({ status }) => status),
    [422, 413, 400, 400, 422],
  )
  assert.deepEqual(await app.database.query('select id from uploads'), before)
})

test('reading after= while others submit: nothing missed, nothing twice but what changed', async () => {
  const id = await putForm(app, { slug: 'after', fields: [email] })
  const reader = await ada()
  const seen: string[] = []
  let after = '0'
  const read = async (): Promise<void> => {
    for (let more = true; more; ) {
      const { json } = await reader.get(`/forms/${id}/submissions?after=${after}&limit=2`)
      seen.push(...json.data.map((one: { id: string }) => one.id))
      after = json.next_after
      more = json.has_more
    }
  }
  const submitted: string[] = []
  for (let round = 0; round < 5; round++) {
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => submitTo(app, id, { email: 'a@b.example' })),
      read().then(() => undefined),
    ])
    submitted.push(...replies.flatMap(reply => (reply === undefined ? [] : [reply.json.id])))
  }
  await app.settled()
  await read()
  assert.deepEqual(seen.toSorted(), submitted.toSorted())
})
