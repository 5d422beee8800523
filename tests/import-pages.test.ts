import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { enterAccount, formTo, listFields, post } from '#testing/account-pages.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { listSent } from '#testing/controls.ts'
import { visitorAt } from '#testing/form-pages.ts'
import type { TestReply } from '#testing/http.ts'
import { importer } from '#testing/imports.ts'
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

type Fields = Readonly<Record<string, string>>

const enter = (name: PersonName): Promise<Browser> => enterAccount(visitorAt(app, name))

const pathOf = (kind: string, id: string): string => `/staff/imports/${kind}/${id}`

/** Sends the form of a page with these fields. */
const submit = (browser: Browser, page: TestReply, path: string, found: Fields, fields: Fields): Promise<TestReply> =>
  post(app.port, browser, path, listFields(formTo(page, path, found), fields))

/** An import of a file that was read, with its page in a browser. */
const begin = async (name: PersonName, kind: 'people' | 'learning', lines: readonly string[]) => {
  const own = await importer(app, name, kind)
  const { json, text } = await own.begin(Buffer.from(lines.join('\n')))
  assert.ok(json.id, text)
  const read = await own.read(json.id)
  assert.equal(read.status, 'ready', JSON.stringify(read.problem))
  const browser = await enter(name)
  const path = pathOf(kind, json.id)
  const check = async (fields: Fields): Promise<TestReply> => {
    const sent = listSent(await browser.open(path), path).filter(([field]) => !(field in fields))
    return post(app.port, browser, path, [...sent, ...Object.entries(fields), ['act', 'check']])
  }
  return { own, id: json.id as string, path, browser, open: () => browser.open(path), check }
}

const DATES = ['Email,Name,Joined', 'ida@pages.example,Ida,03/04/2025', 'jo@pages.example,Jo,05/06/2025']

test('the reading of dates is asked, and can be changed after the check', async () => {
  const { own, id, check, open } = await begin('ada', 'people', DATES)
  assert.match((await open()).text, /name="format-2" value="day_month_year"/)
  const refused = await check({})
  assert.equal(refused.status, 422)
  assert.match(refused.text, /<p class="note" role="alert"/)
  assert.equal((await check({ 'format-2': 'day_month_year' })).status, 303)
  await own.check(id)
  assert.equal((await own.find(id)).mapping[2].format, 'day_month_year')
  const checked = await open()
  assert.match(checked.text, /<option value="day_month_year" selected>/)
  assert.equal((await check({ 'format-2': 'month_day_year' })).status, 303)
  await own.check(id)
  await own.run(id)
  const joined = (await own.get('/members?email=ida@pages.example')).json.data[0].joined_at
  assert.match(joined, /^2025-03-0[34]T/)
})

test('a consent that is chosen by hand is one, whatever the heading says', async () => {
  const { own, id, check } = await begin('ada', 'people', ['Email,Name,Unsubscribed', 'kai@pages.example,Kai,yes'])
  assert.deepEqual((await own.find(id)).mapping[2], { column: 2, field: 'marketing_consent', format: 'withdrawn' })
  assert.equal((await check({ 'field-2': 'marketing_consent' })).status, 303)
  assert.equal((await own.find(id)).mapping[2].format, 'granted')
})

test('a file without a course is refused with what is missing', async () => {
  const { check, own, id } = await begin('ada', 'learning', ['Email,Name', 'lin@pages.example,Lin'])
  const refused = await check({})
  assert.equal(refused.status, 422)
  assert.match(refused.text, /No column has the course\./)
  assert.equal((await own.find(id)).status, 'ready')
})

test('lecturers are offered what they may import, and what was guessed beyond it is left out', async () => {
  const file = ['Email,Name,Phone,Tags,Course', 'mia@pages.example,Mia,+351 912 345 678,rye,Sourdough from scratch']
  const { own, id, check, open } = await begin('carla', 'learning', file)
  const { text } = await open()
  assert.doesNotMatch(text, /<option value="(?:phone|tags|groups|marketing_consent)"/)
  assert.match(text, /<option value="course" selected>/)
  assert.equal((await check({})).status, 303)
  const checked = await own.check(id)
  assert.deepEqual([checked.status, checked.counts.failed], ['checked', 0])
})

test('what a lecturer has checked is checked again by staff before they import it', async () => {
  const file = ['Email,Name,Course', 'ola@pages.example,Ola,Sourdough from scratch']
  const { own, id, path, check, open } = await begin('carla', 'learning', file)
  assert.equal((await check({})).status, 303)
  await own.check(id)
  assert.match((await open()).text, /name="act" value="run"/)
  const { text } = await (await enter('ada')).open(path)
  assert.match(text, /A lecturer has checked this import\. Check it again/)
  assert.doesNotMatch(text, /name="act" value="run"/)
})

test('of two tabs that run one import, the second says that it has moved on', async () => {
  const { own, id, path, browser, check, open } = await begin('ada', 'people', ['Email,Name', 'noa@pages.example,Noa'])
  assert.equal((await check({})).status, 303)
  await own.check(id)
  const both = [await open(), await open()] as const
  assert.equal((await submit(browser, both[0], path, { act: 'run' }, {})).status, 303)
  const second = await submit(browser, both[1], path, { act: 'run' }, {})
  assert.ok([409, 412].includes(second.status), String(second.status))
  assert.match(second.text, /<p class="note" role="alert"/)
})

test('the import of somebody else can be undone, and says who started it', async () => {
  const { own, id, path, check } = await begin('ada', 'people', ['Email,Name', 'pia@pages.example,Pia'])
  assert.equal((await check({})).status, 303)
  await own.check(id)
  await own.run(id)
  const ben = await enter('ben')
  const page = await ben.open(path)
  assert.match(page.text, /<dt>Started by<\/dt><dd><bdi>Ada/)
  const [, person = ''] = /href="(\/staff\/people\/mem_\w+)"/.exec(page.text) ?? []
  assert.match((await ben.open(person)).text, /pia@pages\.example/)
  assert.equal((await submit(ben, page, path, { act: 'undo' }, {})).status, 303)
  const undone = await (await importer(app, 'ben')).read(id)
  assert.ok(['undoing', 'undone'].includes(undone.status), undone.status)
})

test('the report, corrected, is a file to import: what it adds to the columns is left out', async () => {
  const first = await begin('ada', 'people', [
    'Email,Name,Phone',
    'quin@pages.example,Quin,',
    'rui@pages.example,Rui,4.91701E+11',
  ])
  assert.equal((await first.check({})).status, 303)
  await first.own.check(first.id)
  assert.deepEqual((await first.own.run(first.id)).counts.failed, 1)
  for (const dialect of ['', '?dialect=spreadsheet_semicolon', '?dialect=rfc4180']) {
    const { text: report } = await first.browser.open(`${first.path}/csv${dialect}`)
    const { own, id, check } = await begin('ada', 'people', [report.replace('4.91701E+11', '')])
    const { mapping, format } = await own.find(id)
    const fields = format.columns.map(({ index, heading }: { index: number; heading: string }) => [
      heading,
      mapping.find(({ column }: { column: number }) => column === index)?.field ?? 'ignore',
    ])
    assert.deepEqual(fields, [
      ['member_id', 'ignore'],
      ['Email', 'email'],
      ['Name', 'name'],
      ['Phone', 'phone'],
      ['result', 'ignore'],
      ['why', 'ignore'],
    ])
    assert.equal((await check({})).status, 303)
    const checked = await own.check(id)
    assert.deepEqual([format.rows, checked.counts.failed, checked.counts.unchanged], [2, 0, 1], dialect)
  }
})
