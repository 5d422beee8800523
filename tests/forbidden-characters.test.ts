import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import ICAL from 'ical.js'
import { testApp } from '#testing/app.ts'
import { awardTo, newcomer } from '#testing/awards.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { textOfPdf, titleOfPdf } from '#testing/pdf.ts'
import { fetched, type Uploader, uploader } from '#testing/uploads.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

// Noncharacters (The Unicode Standard, §23.7), and control characters as versions before stored them.
const UNWANTED = [
  '\ufffe',
  '\uffff',
  '\ufdd0',
  '\ufdef',
  '\u{1fffe}',
  '\u{10ffff}',
  '\u0001',
  '\u000b',
  '\u001f',
  '\u007f',
]
const TEXT = `Rye${UNWANTED.join('')}bread`

const STORED = [
  `update schools set name = $1 where id = $2`,
  `update members set name = $1 where school_id = $2`,
  `update courses set name = $1, subtitle = $1, description = $1 where school_id = $2`,
  `update post_versions set title = $1, excerpt = $1 where school_id = $2`,
  `update post_tags set tag = $1 where school_id = $2 and (post_id, tag) in
     (select post_id, min(tag) from post_tags where school_id = $2 group by post_id)`,
  `update events set name = $1, description = $1,
     location = '{"name": "Oven", "address": "", "latitude": null, "longitude": null, "note": ""}'::jsonb ||
       jsonb_build_object('name', $1::text, 'note', $1::text) where school_id = $2`,
  `update digital_products set name = $1 where school_id = $2`,
  `update certificates set name = $1, course_name = $1, school_name = $1, design = jsonb_set(design, '{title}', to_jsonb($1::text))
     where school_id = $2`,
  `update uploads set filename = $1 || '.txt' where school_id = $2`,
]

const SCOPES = ['courses:read', 'courses:write', 'members:read', 'members:write']
let ada: Uploader
let uploadId: string
let pdf: Buffer

// XML 1.0 §2.2, Char.
const CHARS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u
const FORBIDDEN = new RegExp(`[${UNWANTED.join('')}]`, 'u')

const get = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { status, text } = await app.send({ path, headers })
  assert.equal(status, 200, `${path} ${text.slice(0, 300)}`)
  return text
}

/** The text of an XML document, whose characters are those that XML allows. */
const xml = async (path: string): Promise<string> => {
  const text = await get(path)
  assert.match(text, CHARS, path)
  return text
}

const calendar = async (): Promise<string> => {
  const text = await get('/calendar.ics')
  // RFC 5545 §3.1, CONTROL.
  assert.doesNotMatch(text.replaceAll('\r\n', ''), /[\u0000-\u0008\u000a-\u001f\u007f]/)
  const root = new ICAL.Component(ICAL.parse(text))
  const events = root.getAllSubcomponents('vevent').map(one => new ICAL.Event(one))
  assert.ok(events.length > 0)
  return [
    root.getFirstPropertyValue('x-wr-calname'),
    ...events.flatMap(one => [one.summary, one.description, one.location]),
  ].join('\n')
}

const csv = async (path: string): Promise<string> => {
  const reply = await ada.get(path, { accept: 'text/csv' })
  assert.deepEqual([reply.status, reply.text.includes('# complete\r\n')], [200, true], path)
  return reply.text
}

const structuredData = async (path: string): Promise<string> => {
  const page = await get(path, { accept: 'text/html' })
  const found = [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)]
  assert.ok(found.length > 0, path)
  const texts: string[] = []
  for (const [, json = ''] of found)
    JSON.parse(json, (_, value) => {
      if (typeof value === 'string') texts.push(value)
      return value
    })
  return texts.join('\n')
}

const download = async (): Promise<string> => {
  const { headers } = await fetched((await ada.get(`/uploads/${uploadId}`)).json.file.url)
  const header = headers.get('content-disposition') ?? ''
  assert.match(header, /^\w+; filename="[\w .()-]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/)
  return decodeURIComponent(header.split("filename*=UTF-8''")[1] ?? '')
}

const mail = async (): Promise<string> => {
  const dev = await app.actor('dev', { scopes: ['account:read'] })
  assert.ok(dev)
  const [arrived] = await mailbox.waitFor('dev@crumb.example')
  return [arrived?.email.subject, arrived?.email.from?.name, arrived?.email.text].join('\n')
}

const outputs: readonly (readonly [what: string, textOf: () => Promise<string>])[] = [
  ['/feed.xml', () => xml('/feed.xml')],
  ['/assets/icon.svg', () => xml('/assets/icon.svg')],
  ['/calendar.ics', calendar],
  ['members as CSV', () => csv('/members')],
  ['courses as CSV', () => csv('/courses')],
  ['the structured data of courses', () => structuredData('/courses')],
  ['the words of a PDF', () => textOfPdf(pdf)],
  ['the title of a PDF', () => titleOfPdf(pdf)],
  ['the name of a download', download],
  ['a mail', mail],
]

suite('characters that formats forbid, in texts of older versions and in new ones', () => {
  before(async () => {
    ada = await uploader(app, 'ada', app.a, SCOPES)
    uploadId = (await ada.upload(Buffer.from('Rye'))).json.id
    const { pdf_url: url } = await awardTo(ada, await newcomer(ada, 'New'))
    for (const statement of STORED) await app.database.query(statement, [TEXT, app.a.id])
    const printed = await fetched(url)
    assert.equal(printed.status, 200, printed.bytes.toString('utf8').slice(0, 300))
    pdf = printed.bytes
  })

  for (const [what, readText] of outputs)
    test(`${what} is written without them`, async () => {
      const text = await readText()
      assert.doesNotMatch(text, FORBIDDEN)
      assert.match(text, /Rye\s*bread/)
    })

  test('the sitemap is written without them', async () => assert.match(await xml('/sitemap.xml'), /<loc>/))

  for (const one of UNWANTED)
    test(`a new text with U+${one.codePointAt(0)?.toString(16).padStart(4, '0')} is refused at its field`, async () => {
      const line = await ada.write('POST', '/courses', { name: `Rye${one}bread`, description: `Rye${one}bread` })
      assert.equal(line.status, 422, line.text)
      assert.deepEqual(
        line.json.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
        [
          ['/name', 'text'],
          ['/description', 'text'],
        ],
      )
    })
})
