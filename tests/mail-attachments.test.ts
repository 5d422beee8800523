import assert from 'node:assert/strict'
import { rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { mailTo, testMailArea, testMails } from '#testing/mails.ts'
import { until } from '#testing/until.ts'
import { uploader } from '#testing/uploads.ts'

let mailbox: Mailbox
const app = testApp({
  moreAreas: [testMailArea],
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const kind = testMails.test_receipt
const values = { name: 'Dev', lines: [['Rye', '€ 49.00']] }
const PAUSES = [61, 10 * 60 + 1, 3 * 3600 + 1, 20 * 3600 + 1]

const uploaded = async (bytes: Buffer): Promise<string> => {
  const by = await uploader(app, 'dev')
  const { json, text } = await by.upload(bytes, { filename: 'invoice.txt', content_type: 'text/plain' })
  assert.equal(json.status, 'ready', text)
  return fromId('fil', json.file.file_id) ?? ''
}

const readText = (content: string | ArrayBuffer | Uint8Array): string =>
  typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString()

const attached = (mail: Mailbox['arrived'][number] | undefined) =>
  (mail?.email.attachments ?? []).map(({ filename, mimeType, content }) => [filename, mimeType, readText(content)])

const readRows = (name: keyof typeof people) =>
  app.database.query<{ attempts: number; last_error: string | null; sent: boolean; whole: string }>(
    `select attempts, last_error, sent_at is not null as sent, m::text as whole from mails m
     where recipient = $1 and kind = 'test_receipt' order by id`,
    [people[name].email],
  )

test('a mail has a table, a link of its own, a file of the school and a small text, and keeps none of them', async () => {
  const file = await uploaded(Buffer.from('Paid: 49 marker-of-the-file'))
  const calendar = 'BEGIN:VCALENDAR\r\nX-MARKER:marker-of-the-text\r\nEND:VCALENDAR\r\n'
  const sent = mailbox.waitFor(people.dev.email, 1, /^Receipt/)
  await mailTo(app, 'dev', {
    kind,
    values,
    link: '/orders/1?from=mail',
    attachments: [
      { file, name: 'Invoice 1/2026.txt', type: 'text/plain' },
      { text: calendar, name: 'lesson.ics', type: 'text/calendar; method=REQUEST' },
    ],
  })
  const [mail] = await sent
  assert.deepEqual(attached(mail), [
    ['Invoice 1-2026.txt', 'text/plain', 'Paid: 49 marker-of-the-file'],
    // The parser changes the line ends of calendars, the mail does not.
    ['lesson.ics', 'text/calendar', calendar.replaceAll('\r\n', '\n')],
  ])
  assert.ok(mail?.raw.replaceAll('\r\n', '').includes(Buffer.from(calendar).toString('base64')))
  assert.equal(mail?.email.attachments[1]?.method, 'REQUEST')
  assert.match(mail?.email.text ?? '', /^Item {3}Amount\nRye {3}€ 49\.00$/m)
  const link = `${app.a.baseUrl}/orders/1?from=mail`
  assert.ok(mail?.email.text?.includes(`\n${link}\n`))
  assert.ok(mail?.email.html?.includes(`<a class="fill" href="${link}" style="`))
  assert.equal(
    mail?.email.headers.find(({ key }) => key.startsWith('list-unsubscribe')),
    undefined,
  )
  await until(async () => (await readRows('dev')).every(row => row.sent), 'the mail is marked as sent')
  for (const { whole } of await readRows('dev')) assert.doesNotMatch(whole, /marker|Rye|orders|ics|Invoice/)
})

test('a file that is gone, too large or of another school does not stop a mail, which says so', async () => {
  const gone = await uploaded(Buffer.from('gone'))
  const large = await uploaded(Buffer.from('large'))
  const [row] = await app.database.query<{ object_key: string }>('select object_key from uploads where id = $1', [gone])
  await rm(join(app.folder, row?.object_key ?? ''))
  await app.database.query('update uploads set byte_size = 7000001 where id = $1', [large])
  const [foreign] = await app.database.query<{ id: string }>(
    `select id from uploads where school_id = $1 and status = 'ready' limit 1`,
    [app.b.id],
  )
  const files = { 'gone.txt': gone, 'large.txt': large, 'foreign.txt': foreign?.id ?? '' }
  await mailTo(app, 'eli', {
    kind,
    values: { ...values, name: 'Eli' },
    attachments: Object.entries(files).map(([name, file]) => ({ name, file, type: 'text/plain' })),
  })
  const [mail] = await mailbox.waitFor(people.eli.email, 1, /^Receipt/)
  assert.deepEqual(attached(mail), [])
  for (const name of Object.keys(files))
    assert.ok(mail?.email.text?.includes(`The file “${name}” could not be attached`))
})

test('where files cannot be read the mail is tried again, and goes without the file the last time', async () => {
  const file = await uploaded(Buffer.from('later'))
  const attachments = [{ file, name: 'later.txt', type: 'text/plain' }]
  const [row] = await app.database.query<{ object_key: string }>('select object_key from uploads where id = $1', [file])
  const folder = join(app.folder, (row?.object_key ?? '').split('/')[0] ?? '')
  const stop = async () => {
    await rename(folder, `${folder}.away`)
    await symlink(folder, folder)
  }
  const resume = async () => {
    await rm(folder)
    await rename(`${folder}.away`, folder)
  }
  await stop()
  try {
    await mailTo(app, 'femi', { kind, values, attachments })
    await until(async () => (await readRows('femi'))[0]?.attempts === 1, 'the first attempt')
    assert.equal((await readRows('femi'))[0]?.last_error, 'ELOOP')
  } finally {
    await resume()
  }
  await app.moveClock(PAUSES[0] ?? 0)
  const [first] = await mailbox.waitFor(people.femi.email, 1, /^Receipt/)
  assert.deepEqual(attached(first), [['later.txt', 'text/plain', 'later']])
  await stop()
  try {
    await mailTo(app, 'femi', { kind, values, attachments })
    for (const [index, seconds] of PAUSES.entries()) {
      await until(async () => (await readRows('femi'))[1]?.attempts === index + 1, `attempt ${index + 1}`)
      await app.moveClock(seconds)
    }
    const [, second] = await mailbox.waitFor(people.femi.email, 2, /^Receipt/)
    assert.deepEqual(attached(second), [])
    assert.match(second?.email.text ?? '', /“later\.txt” could not be attached/)
  } finally {
    await resume()
  }
})

test('a mail has no link to elsewhere, and no more than 25 attachments', async () => {
  for (const link of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/a\r\nb',
    '',
  ])
    await assert.rejects(mailTo(app, 'dev', { kind, values, link }), /a path of the school/)
  const one = { text: 'x', name: 'x.txt', type: 'text/plain' }
  await assert.rejects(mailTo(app, 'dev', { kind, values, attachments: Array(26).fill(one) }), /at most 25/)
  const long = { ...one, text: 'é'.repeat(40_000) }
  await assert.rejects(mailTo(app, 'dev', { kind, values, attachments: [long] }), /at most 65536 bytes/)
})

test('a mail of a kind that this process does not know is tried again later', async () => {
  await app.database.query(
    `with made as (
       insert into mails (school_id, id, kind, recipient, locale, "values", recorded_at, not_before)
       values ($1, gen_random_uuid(), 'toString', 'kind@crumb.example', 'en', '{}', stoa.now(), stoa.now())
       returning school_id, id, not_before)
     insert into jobs (school_id, kind, id, due_at) select school_id, 'mail', id, not_before from made`,
    [app.a.id],
  )
  const row = async () =>
    (
      await app.database.query<{ attempts: number; waits: boolean }>(
        `select attempts, sent_at is null and parked_at is null as waits from mails where kind = 'toString'`,
      )
    )[0]
  await until(async () => (await row())?.attempts === 1, 'the first attempt')
  assert.equal((await row())?.waits, true)
})
