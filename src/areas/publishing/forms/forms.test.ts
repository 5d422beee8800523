import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { putForm, runForms, submitTo } from '#testing/school-forms.ts'

const app = testApp({ trustProxy: '127.0.0.1' })
const email = { id: 'email', type: 'email', label: 'E-mail', required: true }
const name = { id: 'name', type: 'text', label: 'Name' }
const scopes = ['forms:read', 'school:read']

const publicForm = (slug: string) => app.send({ path: `/api/v1/forms/slug:${slug}` })

test('a draft is seen by staff alone; anybody reads the published version, and staff the newest', async () => {
  const id = await putForm(app, { slug: 'draft', fields: [email] }, { isDraft: true })
  const [ada, dev] = await Promise.all([app.actor('ada', { scopes }), app.actor('dev')])
  assert.equal((await publicForm('draft')).status, 404)
  assert.equal((await dev.get(`/forms/${id}`)).status, 403)
  assert.equal((await submitTo(app, id, { email: 'a@b.example' })).status, 404)
  const { json } = await ada.get(`/forms/${id}`)
  assert.deepEqual([json.status, json.state, json.version, json.published_version], ['draft', 'draft', 1, null])
  await putForm(app, { slug: 'draft', fields: [email] })
  await putForm(app, { slug: 'draft', fields: [email, name] }, { isDraft: true })
  const shown = await publicForm('draft')
  assert.deepEqual([shown.json.version, shown.json.fields.length, shown.json.state], [1, 1, 'open'])
  for (const hidden of ['notify', 'retention_days', 'submission_counts', 'on_submit', 'status'])
    assert.ok(!(hidden in shown.json), hidden)
  const newest = (await ada.get(`/forms/${id}`)).json
  assert.deepEqual([newest.version, newest.published_version, newest.has_changes], [2, 1, true])
})

test('a change after publication makes one next version, and publishing twice makes none', async () => {
  const id = await putForm(app, { slug: 'versions', fields: [email] })
  const ada = await app.actor('ada', { scopes })
  await putForm(app, { slug: 'versions', fields: [email, name] }, { isDraft: true })
  await putForm(app, { slug: 'versions', title: 'Other', fields: [email, name] }, { isDraft: true })
  await putForm(app, { slug: 'versions', title: 'Other', fields: [email, name] })
  await putForm(app, { slug: 'versions', title: 'Other', fields: [email, name] })
  const { json } = await ada.get(`/forms/${id}/versions`)
  assert.deepEqual(
    json.data.map((one: { number: number; title: string; is_published: boolean }) => [
      one.number,
      one.title,
      one.is_published,
    ]),
    [
      [2, 'Other', true],
      [1, 'A form', false],
    ],
  )
  assert.equal((await ada.get(`/forms/${id}/versions/1`)).json.fields.length, 1)
  assert.equal((await ada.get(`/forms/${id}/versions/3`)).status, 404)
})

test('answers to the version before are taken for an hour, and those to an older one are not', async () => {
  const id = await putForm(app, { slug: 'hour', fields: [email] })
  await putForm(app, { slug: 'hour', fields: [email, name] })
  assert.equal((await submitTo(app, id, { email: 'a@b.example' }, { version: 1 })).status, 201)
  await app.moveClock(3601)
  const late = await submitTo(app, id, { email: 'a@b.example' }, { version: 1 })
  assert.deepEqual([late.status, late.json.code], [409, 'form_changed'])
  assert.equal((await submitTo(app, id, { email: 'a@b.example' }, { version: 2 })).status, 201)
  await putForm(app, { slug: 'hour', fields: [name] })
  assert.equal((await submitTo(app, id, { email: 'a@b.example' }, { version: 1 })).status, 409)
})

test('a form is closed by the clock at closes_at, and publishing it needs a later one', async () => {
  const [row] = await app.database.query<{ at: Date }>(
    `select date_trunc('second', stoa.now()) + interval '1 hour' as at`,
  )
  const closes_at = row?.at.toISOString()
  const id = await putForm(app, { slug: 'night', fields: [email], closes_at })
  assert.equal((await publicForm('night')).json.state, 'open')
  await app.moveClock(3600)
  assert.equal((await publicForm('night')).json.state, 'closed')
  const refused = await submitTo(app, id, { email: 'a@b.example' })
  assert.deepEqual([refused.status, refused.json.code, refused.json.state], [409, 'form_not_open', 'closed'])
  const ada = await app.actor('ada', { scopes })
  assert.ok((await ada.get('/forms?status=closed')).json.data.some((one: { id: string }) => one.id === id))
  const path = join(app.folder, 'night.json')
  await writeFile(path, JSON.stringify({ slug: 'night', title: 'Changed' }))
  const { code, err } = await runForms(app, 'import', path, '--publish')
  assert.equal(code, 1)
  assert.match(err, /closes_at has passed/)
})

test('fields that contradict themselves are refused with their place', async () => {
  const bad: readonly [Readonly<Record<string, unknown>>, RegExp][] = [
    [{ id: 'a', type: 'choice', label: 'A' }, /fields\/1\/options/],
    [{ id: 'email', type: 'text', label: 'A' }, /fields\/1\/id/],
    [{ id: 'a', type: 'date', label: 'A', min: 1 }, /fields\/1\/min/],
    [{ id: 'a', type: 'file', label: 'A', max: 26 }, /fields\/1\/max/],
    [{ id: 'a', type: 'text', label: 'A', pattern: 'pdf' }, /fields\/1\/pattern/],
    [{ id: 'a', type: 'text', label: 'A', show_if: { field_id: 'email', is: 'x' } }, /fields\/1\/show_if\/field_id/],
    [{ id: 'A!', type: 'text', label: 'A' }, /fields\/1\/id/],
  ]
  for (const [field, expected] of bad) {
    const path = join(app.folder, 'bad.json')
    await writeFile(path, JSON.stringify({ title: 'Bad', slug: 'bad', retention_days: 1, fields: [email, field] }))
    const { code, err } = await runForms(app, 'import', path)
    assert.equal(code, 1)
    assert.match(err, expected)
  }
  assert.equal((await publicForm('bad')).status, 404)
})

test('what is exported is imported as it was, and nothing of members and answers is in it', async () => {
  const id = await putForm(app, { slug: 'export', intro: 'Hello *there*', fields: [email, name] })
  await submitTo(app, id, { email: 'secret@person.example' })
  const { out, code } = await runForms(app, 'export', '--json')
  assert.equal(code, 0)
  assert.ok(!out.includes('secret@person.example') && !out.includes('mem_'))
  const exported = JSON.parse(out)
  const path = join(app.folder, 'all.json')
  await writeFile(path, out)
  assert.equal((await runForms(app, 'import', path)).code, 0)
  assert.deepEqual(JSON.parse((await runForms(app, 'export', '--json')).out), exported)
  assert.ok((await readFile(path, 'utf8')).includes('Hello *there*'))
})

test('a file that is no form is refused in one line', async () => {
  const path = join(app.folder, 'broken.json')
  for (const [text, expected] of [
    ['{', /is not JSON/],
    ['[1]', /form 1 of .* is not an object/],
    ['{"title":"No retention"}', /retention_days/],
  ] as const) {
    await writeFile(path, text)
    const { code, err } = await runForms(app, 'import', path)
    assert.equal(code, 1)
    assert.match(err, expected)
  }
})
