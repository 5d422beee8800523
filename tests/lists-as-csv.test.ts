import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { isUuid } from '#src/kit/ids.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser } from '#testing/browser.ts'
import { operations } from '#testing/matrix.ts'
import { signInOn } from '#testing/oauth.ts'
import { listConsolePaths } from '#testing/staff-pages.ts'
import { addShownWebhook } from '#testing/webhooks.ts'

const app = testApp({ hasSubscriptions: true })

const ID = /^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$/

const cellsIn = (line: string): string[] => line.split(',').map(cell => cell.replaceAll('"', ''))

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

suite('lists as CSV in the API', () => {
  const lists = operations.filter(({ csv, path }) => csv !== undefined && !path.includes(':'))

  test('a cell that is an id has the value that JSON has', async () => {
    const ada = await app.actor('ada', { scopes: [...new Set(lists.map(({ scope }) => scope))] })
    const seen = new Set<string>()
    for (const { id, path } of lists) {
      const at = id === 'getMetricSeries' ? `${path}?metric=enrollments` : path
      const json = await ada.get(at)
      const csv = await ada.get(at, { accept: 'text/csv' })
      assert.deepEqual([json.status, csv.status], [200, 200], `${id} ${json.text} ${csv.text}`)
      const [heading = '', ...lines] = csv.text.split('\r\n').slice(0, -2)
      const columns = cellsIn(heading)
      const inJson = new Set(textsIn(json.json))
      for (const line of lines.slice(0, 20))
        for (const [at, cell] of cellsIn(line).entries()) {
          assert.ok(!isUuid(cell), `${id} ${columns[at]}: ${cell}`)
          if (!ID.test(cell) || json.json.has_more) continue
          seen.add(`${id}.${columns[at]}`)
          // Lists of orders leave out their lines in JSON.
          if (columns[at] !== 'line_id') assert.ok(inJson.has(cell), `${id} ${columns[at]}: ${cell}`)
        }
    }
    for (const column of ['listReviews.author_id', 'listQuizAttempts.student_id', 'listSubmissions.student_id'])
      assert.ok(seen.has(column), column)
  })

  test('dialect is for CSV alone, and the file is named after the list and the day of the school', async () => {
    const ada = await app.actor('ada', { scopes: ['orders:read', 'school:read'] })
    const { json: school } = await ada.get('/school')
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: school.time_zone }).format(new Date())
    const plain = await ada.get('/orders', { accept: 'text/csv' })
    assert.equal(plain.headers['content-disposition'], `attachment; filename="orders-${day}.csv"`)
    assert.match(plain.text, /^id,number.*\r\n# complete\r\n$/s)
    const comma = await ada.get('/orders?dialect=spreadsheet_semicolon', { accept: 'text/csv' })
    assert.match(comma.text, /^\ufeffid;number;/)
    assert.match(comma.text, /;\d+,\d\d;EUR;\d{4}-\d\d-\d\d \d\d:\d\d:\d\d;/)
    assert.doesNotMatch(comma.text, /# complete|;\d+\.\d\d;/)
    const points = await ada.get('/orders?dialect=spreadsheet', { accept: 'text/csv' })
    assert.match(points.text, /^\ufeffid,number,.*,\d+\.\d\d,EUR,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,/s)
    assert.equal((await ada.get('/orders?dialect=spreadsheet')).status, 400)
    assert.equal((await ada.get('/orders?dialect=excel', { accept: 'text/csv' })).status, 400)
  })
})

suite('lists of the console', () => {
  // Pages that are no list.
  const NO_LIST =
    /^\/staff(?:$|\/(?:confirmations|teaching|payments|appearance|settings|analytics(?:\/reports)?|integrations)$)/

  test('each has a download in the usual dialect of the school and links to the others', async () => {
    await addShownWebhook(app)
    const browser = openBrowser(app.port, app.a)
    const signIn = await browser.open('/staff')
    await signInOn(browser, signIn, { email: people.ada.email, password: PASSWORD })
    const paths = await listConsolePaths(browser, await browser.open('/staff'))
    const lists = paths.filter(path => !NO_LIST.test(path))
    assert.ok(lists.length >= 15, lists.join(' '))
    for (const path of lists) {
      const { text } = await browser.open(path)
      const hrefs = [...text.matchAll(/href="(\/staff\/(?:[^"]*\/)?csv(?:[/?][^"]*)?)"/g)].map(([, href = '']) =>
        href.replaceAll('&amp;', '&'),
      )
      if (hrefs.length === 0) {
        assert.doesNotMatch(text, /<tbody/, `${path} has no download`)
        continue
      }
      const [usual = '', points = '', programs = ''] = hrefs
      const file = await browser.open(usual)
      assert.equal(file.status, 200, `${usual} ${file.text}`)
      assert.match(
        String(file.headers['content-disposition']),
        /^attachment; filename="[a-z-]+-\d{4}-\d\d-\d\d\.csv"$/,
        usual,
      )
      assert.ok(file.text.startsWith('\ufeff'), usual)
      assert.match(points, /dialect=spreadsheet/)
      assert.match((await browser.open(programs)).text, /# complete\r\n$/)
    }
    assert.equal((await browser.open('/staff/csv/listNothing')).status, 404)
    assert.equal((await browser.open('/staff/csv/createMember')).status, 404)
    assert.equal((await browser.open('/staff/csv/getSchool')).status, 404)
  })

  test('the report of an import too', async () => {
    const browser = openBrowser(app.port, app.a)
    await signInOn(browser, await browser.open('/staff'), { email: people.ada.email, password: PASSWORD })
    const { text: list } = await browser.open('/staff/imports')
    const [, path = ''] = /href="(\/staff\/imports\/people\/imp_\w+)"(?:(?!<\/tr>).)*Completed/s.exec(list) ?? []
    const { text } = await browser.open(path)
    for (const [dialect, start] of [
      ['', /^\ufeffmember_id,Email,result,why\r\n/],
      ['?dialect=spreadsheet_semicolon', /^\ufeffmember_id;Email;result;why\r\n/],
      ['?dialect=rfc4180', /^member_id,Email,result,why\r\n/],
    ] as const) {
      assert.ok(text.includes(`"${path}/csv${dialect}"`), dialect)
      const report = await browser.open(`${path}/csv${dialect}`)
      assert.equal(report.status, 200, report.text)
      assert.match(report.text, start)
    }
  })

  test('only staff download them', async () => {
    const browser = openBrowser(app.port, app.a)
    await signInOn(browser, await browser.open('/staff'), { email: people.dev.email, password: PASSWORD })
    const refused = await browser.open('/staff/csv/listMembers')
    assert.doesNotMatch(String(refused.headers['content-type']), /csv/)
    assert.doesNotMatch(refused.text, /@crumb\.example,/)
  })
})
