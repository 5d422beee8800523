import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser } from '#testing/browser.ts'
import { fromAnywhere, putForm } from '#testing/school-forms.ts'
import { formWith, once, openFile, press, readNotice, sendFiles, type TextFile } from '#testing/staff-pages.ts'
import { people } from '../src/demo/index.ts'

const app = testApp({ trustProxy: '127.0.0.1' })
const email = { id: 'email', type: 'email', label: 'E-mail', required: true }
const note = { id: 'note', type: 'long_text', label: 'Your note' }

const staffBrowser = once(() =>
  enterAccount({ port: app.port, school: app.a, email: people.ada.email, password: PASSWORD }),
)

const readCount = async (slug: string): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>(
    'select count(*)::integer as count from form_submissions where form_id = (select id from forms where slug = $1)',
    [slug],
  )
  return row?.count ?? -1
}

const opened = async (slug: string) => {
  const browser = openBrowser(app.port, app.a)
  const page = await browser.open(`/forms/${slug}`)
  assert.equal(page.status, 200, page.text)
  return { browser, form: formWith(page, 'form_token') }
}

const PAUSE = 3

test('somebody without an account answers a form; pressing twice is one submission', async () => {
  await putForm(app, { slug: 'page', fields: [email, note], done_text: 'Well *done*.' })
  const { browser, form } = await opened('page')
  const fields = [['answer.email', 'a@b.example']] as const
  const fast = await browser.submit(form, fields, fromAnywhere())
  assert.deepEqual([fast.status, await readCount('page')], [429, 0])
  assert.match(fast.text, /value="a@b\.example"/)
  await app.moveClock(PAUSE)
  const sent = await browser.submit(form, fields, fromAnywhere())
  assert.deepEqual([sent.status, await readCount('page')], [200, 1], readNotice(sent))
  assert.match(sent.text, /Well <em>done<\/em>/)
  const again = await browser.submit(form, fields, fromAnywhere())
  assert.deepEqual([again.status, await readCount('page')], [200, 1])
})

test('a number that may mean two is shown as it is read before the form is sent', async () => {
  await putForm(app, { slug: 'numbers', fields: [{ id: 'loaves', type: 'number', label: 'Loaves' }] })
  const { browser, form } = await opened('numbers')
  await app.moveClock(PAUSE)
  const asked = await browser.submit(form, [['answer.loaves', '1,250']], fromAnywhere())
  assert.deepEqual([asked.status, await readCount('numbers')], [422, 0])
  assert.equal(readNotice(asked), '“1,250” is read as 1250. Change it if you mean something else.')
  assert.match(asked.text, /value="1,250"/)
  const sent = await browser.submit(formWith(asked, 'form_token'), [], fromAnywhere())
  assert.deepEqual([sent.status, await readCount('numbers')], [200, 1], sent.text)
  const [row] = await app.database.query<{ answers: unknown }>(
    `select answers from form_submissions where form_id = (select id from forms where slug = 'numbers')`,
  )
  assert.match(JSON.stringify(row?.answers), /1250/)
})

test('what was typed stays when the form is refused, and the error is beside its field', async () => {
  await putForm(app, { slug: 'refused', fields: [email, note] })
  const { browser, form } = await opened('refused')
  await app.moveClock(PAUSE)
  const refused = await browser.submit(
    form,
    [
      ['answer.email', 'nobody'],
      ['answer.note', '<b>Keep me</b>'],
    ],
    fromAnywhere(),
  )
  assert.equal(refused.status, 422)
  assert.match(refused.text, /&lt;b&gt;Keep me&lt;\/b&gt;<\/textarea>/)
  assert.match(refused.text, /id="field-email-error">This is not an e-mail address/)
  const sent = await browser.submit(formWith(refused, 'form_token'), [['answer.email', 'a@b.example']], fromAnywhere())
  assert.deepEqual([sent.status, await readCount('refused')], [200, 1], readNotice(sent))
})

test('the honeypot is hidden by its position, and a submission that fills it is thanked like any other', async () => {
  await putForm(app, { slug: 'trap', fields: [email] })
  const { browser, form } = await opened('trap')
  await app.moveClock(PAUSE)
  const page = await browser.open('/forms/trap')
  assert.match(
    page.text,
    /<div class="unseen" aria-hidden="true">.*name="second_thought" type="text".*tabindex="-1" autocomplete="off"/,
  )
  const caught = await browser.submit(
    form,
    [
      ['answer.email', 'a@b.example'],
      ['second_thought', 'Cheap watches'],
    ],
    fromAnywhere(),
  )
  assert.equal(caught.status, 200)
  const rows = await app.database.query(
    `select status from form_submissions where form_id = (select id from forms where slug = 'trap')`,
  )
  assert.deepEqual(rows, [{ status: 'suspected' }])
})

test('an empty file is refused at its field, and a field for images takes the picture of a phone', async () => {
  const photo = { id: 'photo', type: 'file', label: 'Photo', max: 1, pattern: 'images' }
  await putForm(app, { slug: 'photos', fields: [email, photo] })
  const { browser, form } = await opened('photos')
  await app.moveClock(3)
  const typed = { 'answer.email': 'ines@example.com' }
  const sent = (file: TextFile) => sendFiles(app, browser, form, { 'answer.photo': file }, typed)
  const empty = await sent({ name: 'loaf.png', text: '', type: 'image/png' })
  assert.equal(empty.status, 422)
  assert.match(empty.text, /id="[^"]*photo-error">The file is empty: it has 0 bytes\./)
  assert.match(empty.text, /value="ines@example\.com"/)
  const lie = await sent({ name: 'loaf.png', text: 'no picture', type: 'image/png' })
  assert.match(lie.text, /photo-error">The content of the file is not of the type that its name says\./)
  const other = await sent({ name: 'notes.txt', text: 'no picture' })
  assert.match(other.text, /photo-error">A file of this type does not fit here\./)
  const unknown = await sent({ name: 'a.dxf', text: 'no picture', type: 'image/vnd.dxf' })
  assert.match(unknown.text, /photo-error">A file of this type does not fit here\./)
  const phone = Buffer.concat([
    Buffer.from('00000018', 'hex'),
    Buffer.from('ftypheic\0\0\0\0mif1heic'),
    Buffer.alloc(64),
  ])
  const done = await sent({ name: 'IMG_0001.HEIC', text: new Uint8Array(phone), type: 'image/heic' })
  assert.deepEqual([done.status, await readCount('photos')], [200, 1], readNotice(done))
})

test('a file is sent with the form, and kept when the form is refused', async () => {
  const photo = { id: 'photo', type: 'file', label: 'Photo', max: 1 }
  await putForm(app, { slug: 'file', fields: [email, photo] })
  const { browser, form } = await opened('file')
  await app.moveClock(PAUSE)
  const files = { 'answer.photo': { name: 'loaf.txt', text: 'Rye' } }
  const refused = await sendFiles(app, browser, form, files, { 'answer.email': 'nobody' })
  assert.equal(refused.status, 422, refused.text)
  assert.match(refused.text, /Sent already: loaf\.txt/)
  const sent = await browser.submit(formWith(refused, 'form_token'), [['answer.email', 'a@b.example']], fromAnywhere())
  assert.deepEqual([sent.status, await readCount('file')], [200, 1], readNotice(sent))
  const rows = await app.database.query(
    `select s.field_id from form_submission_files s join form_submissions f on f.id = s.submission_id
     where f.form_id = (select id from forms where slug = 'file')`,
  )
  assert.deepEqual(rows, [{ field_id: 'photo' }])
})

test('a form that is closed, for members or not there says so', async () => {
  await putForm(app, { slug: 'later', fields: [email], opens_at: '2999-01-01T00:00:00.000Z' })
  await putForm(app, { slug: 'for-members', fields: [email], needs_sign_in: true })
  await putForm(app, { slug: 'unpublished', fields: [email] }, { isDraft: true })
  const browser = openBrowser(app.port, app.a)
  assert.match((await browser.open('/forms/later')).text, /not open yet/)
  assert.match((await browser.open('/forms/for-members')).text, /\/account\/sign-in\?return_to=%2Fforms%2Ffor-members/)
  for (const slug of ['unpublished', 'nothing']) assert.equal((await browser.open(`/forms/${slug}`)).status, 404)
  assert.match((await browser.open('/forms/later', { 'accept-language': 'pt' })).text, /ainda não abriu/)
})

const idIn = (text: string): string => /\/staff\/forms\/(frm_\w+)/.exec(text)?.[1] ?? ''

test('staff make a form with fields and publish it, read an answer, mark it as spam and download the list', async () => {
  const ada = await staffBrowser()
  const list = await ada.open('/staff/forms')
  const made = await ada.submit(formWith(list, 'retention_days'), [['title', 'Open day']])
  assert.match(readNotice(made), /was created/)
  const id = idIn(made.text)
  const path = `/staff/forms/${id}`
  const added = await ada.submit(formWith(made, 'title'), [['act', 'add']])
  assert.match(added.text, /not saved yet/)
  const saved = await ada.submit(formWith(added, 'title'), [
    ['act', 'save'],
    ['field.0.label', '=HYPERLINK("x")'],
    ['field.0.type', 'text'],
  ])
  assert.match(readNotice(saved), /was saved/)
  const published = await press(ada, path, 'publish')
  assert.match(readNotice(published), /was published/)
  const { browser, form } = await opened('open-day')
  await app.moveClock(PAUSE)
  const [name = ''] = form.fields.map(([field]) => field).filter(field => field.startsWith('answer.'))
  const sent = await browser.submit(form, [[name, '<script>alert(1)</script>']], fromAnywhere())
  assert.equal(sent.status, 200, readNotice(sent))
  const answers = await ada.open(`${path}/submissions`)
  const one = /\/staff\/forms\/frm_\w+\/submissions\/fsb_\w+/.exec(answers.text)?.[0] ?? ''
  const shown = await ada.open(one)
  assert.ok(shown.text.includes('&lt;script&gt;alert(1)&lt;/script&gt;') && !shown.text.includes('<script>alert'))
  const marked = await ada.submit(formTo(shown, one, { act: 'mark' }), [['status', 'spam']])
  assert.match(readNotice(marked), /was marked/)
  assert.match((await ada.open(`${path}/submissions?status=spam`)).text, /fsb_/)
  const csv = await openFile(ada, answers, 'listFormSubmissions')
  assert.match(csv.text, /'=HYPERLINK/)
})

test('deleting a form keeps its answers or deletes all of them, after a confirmation', async () => {
  const ada = await staffBrowser()
  for (const [slug, choice, left] of [
    ['kept', 'keep', 1],
    ['gone', 'delete', 0],
  ] as const) {
    const id = await putForm(app, { slug, fields: [email] })
    const { browser, form } = await opened(slug)
    await app.moveClock(PAUSE)
    await browser.submit(form, [['answer.email', 'a@b.example']], fromAnywhere())
    const path = `/staff/forms/${id}`
    const removal = formWith(await ada.open(path), 'submissions')
    assert.equal(
      (
        await ada.submit(removal, [
          ['act', 'delete'],
          ['submissions', choice],
        ])
      ).status,
      403,
    )
    const done = await ada.submit(removal, [
      ['act', 'delete'],
      ['submissions', choice],
      ['confirm', 'yes'],
    ])
    assert.match(readNotice(done), /was deleted/)
    assert.deepEqual([(await browser.open(`/forms/${slug}`)).status, await readCount(slug)], [404, left])
  }
})
