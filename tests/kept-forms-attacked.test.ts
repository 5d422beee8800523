import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { people } from '#src/demo/index.ts'
import { enterAccount } from '#testing/account-pages.ts'
import { type PersonName, startApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess } from '#testing/app-process.ts'
import { readShownForms } from '#testing/controls.ts'
import { visitorAt } from '#testing/form-pages.ts'
import { form, send } from '#testing/http.ts'
import { until } from '#testing/until.ts'

let app: Awaited<ReturnType<typeof startApp>>
let other: AppProcess
before(async () => {
  app = await startApp()
  other = await startAppProcess({ databaseUrl: app.database.appUrl, secret: app.secret, ca: '' })
})
after(async () => {
  await other?.stop()
  await app?.stop()
})
beforeEach(async () => {
  await app.database.query('delete from kept_forms')
  await app.database.query('delete from limits')
})

const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"

const show = async (name: PersonName, path: string) => {
  const browser = await enterAccount(visitorAt(app, name))
  const [found] = readShownForms(await browser.open(path)).filter(({ action }) => action === path)
  assert.ok(found)
  return { browser, fields: [...found.hidden, ...found.button] }
}

test('at most five forms of a member are kept, also of those that two processes get at once', async () => {
  const { fields } = await show('dev', '/account/profile')
  const sent = { ...form('/account/profile', fields), host: new URL(app.a.siteOrigin).host }
  const counts: (number | undefined)[] = []
  for (let round = 0; round < 8; round++) {
    await app.database.query('delete from kept_forms')
    await Promise.all(Array.from({ length: 12 }, (_, at) => send(at % 2 === 0 ? app.port : other.port, sent)))
    const [row] = await app.database.query<{ n: number }>('select count(*)::integer as n from kept_forms')
    counts.push(row?.n)
  }
  assert.deepEqual(counts, Array(8).fill(5))
})

test('no form is kept of a member who loses the account at the same time', async () => {
  const { fields } = await show('femi', '/account/profile')
  const sent = { ...form('/account/profile', fields), host: new URL(app.a.siteOrigin).host }
  const ending = new pg.Client({ connectionString: app.database.ownerUrl })
  await ending.connect()
  try {
    await ending.query('begin')
    await ending.query("update members set status = 'suspended' where school_id = $1 and email = $2", [
      app.a.id,
      people.femi.email,
    ])
    const posted = send(app.port, sent)
    await until(async () => (await app.database.query(WAITING)).length > 0, 'the form waits')
    await ending.query('commit')
    assert.doesNotMatch((await posted).headers.location ?? '', /kept/)
    assert.deepEqual(await app.database.query('select from kept_forms'), [])
  } finally {
    await ending.end()
  }
})
