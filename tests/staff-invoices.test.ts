import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { openZip } from '#src/kit/archive/zip.ts'
import { enterAccount, formatCookie, formTo, listFields, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, type TestApp, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { settledInvoice } from '#testing/printed-invoices.ts'
import { sales, saleTo, sold, soldLine } from '#testing/sales.ts'
import { openFile } from '#testing/staff-pages.ts'

let mailbox: Mailbox
// With a worker, which prints.
const app: TestApp = testApp({
  moreAreas: [sales],
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const PATH = '/staff/invoices'

const owner = () => app.actor('ada', { scopes: ['orders:read', 'members:read', 'school:read'] })

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const issue = async () => {
  const ada = await owner()
  const buyer = (await ada.get('/members?email=dev@crumb.example')).json.data[0].id
  return sold(ada, saleTo(buyer, { lines: [soldLine('Rye', 12_300)] }))
}

const fetchArchive = async (browser: Browser, month: string): Promise<Response> => {
  const form = formTo(await browser.open(`${PATH}?month=${month}`), PATH)
  return fetch(`${app.a.siteOrigin}${PATH}`, {
    method: 'POST',
    headers: { accept: 'text/html', cookie: formatCookie(browser) },
    body: new URLSearchParams(listFields(form)),
  })
}

// The sum that the page says first.
const readTotal = ({ text }: TestReply): number => Number(/<b>€([\d,]+\.\d\d)<\/b>/.exec(text)?.[1]?.replace(',', ''))

test('the invoices of a month are listed with their sum, and their files are one archive', async () => {
  const ada = await owner()
  const browser = await enter('ada')
  const before = await browser.open(PATH)
  const first = await settledInvoice(ada, (await issue()).id)
  const second = await settledInvoice(ada, (await issue()).id)
  const month = first.issued_on.slice(0, 7)
  const page = await browser.open(PATH)
  assert.equal(page.status, 200)
  for (const { number } of [first, second]) assert.ok(page.text.includes(`<bdi>${number}</bdi>`), number)
  assert.equal(Math.round((readTotal(page) - readTotal(before)) * 100), 24_600)
  assert.match((await openFile(browser, page, 'listInvoices')).text, new RegExp(second.number))
  const one = await browser.open(`${PATH}?month=${month}&number=${first.number}`)
  assert.ok(one.text.includes(`<bdi>${first.number}</bdi>`) && !one.text.includes(`<bdi>${second.number}</bdi>`))
  const earlier = await browser.open(`${PATH}?month=2001-01`)
  assert.doesNotMatch(earlier.text, /<tbody|type="submit">Download all PDFs/)
  const archive = await fetchArchive(browser, month)
  assert.deepEqual([archive.status, archive.headers.get('content-type')], [200, 'application/zip'])
  assert.equal(archive.headers.get('content-disposition'), `attachment; filename="invoices-${month}.zip"`)
  const bytes = Buffer.from(await archive.arrayBuffer())
  const names: string[] = []
  for await (const entry of (await openZip(bytes)).entries()) {
    names.push(String(entry.name))
    assert.equal(String((await entry.read(1_000_000)).subarray(0, 5)), '%PDF-')
  }
  // The files of the demo are not there in tests, and are left out.
  assert.deepEqual(names, [`${first.number}.pdf`, `${second.number}.pdf`])
  const audited = await app.database.query(`select 1 from audit_log where operation = 'listInvoiceFiles'`)
  assert.equal(audited.length, 1)
})

test('nobody but staff sees the invoices of a month or gets their files', async () => {
  const browser = await enter('ada')
  const fields = listFields(formTo(await browser.open(PATH), PATH))
  for (const name of ['dev', 'carla'] as const) {
    const other = await enter(name)
    const token = new Map(listFields(formTo(await other.open('/account'), '/account/sign-out'))).get('token') ?? ''
    assert.equal((await other.open(PATH)).status, 403, name)
    const sent = Object.entries({ ...Object.fromEntries(fields), token })
    assert.equal((await post(app.port, other, PATH, sent)).status, 403, name)
  }
})
