import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { enterAccount, formTo, listFields, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const enter = (name: PersonName) =>
  enterAccount({ port: app.port, school: app.a, email: `${name}@crumb.example`, password: PASSWORD })

type Tile = { readonly state: string; readonly about: string; readonly href: string | undefined }

const readTiles = (text: string): Map<string, Tile> =>
  new Map(
    [...text.matchAll(/<li class="tile">([\s\S]*?)<\/li>/g)].map(([, tile = '']) => {
      const [, href] = /<a href="([^"]*)">/.exec(tile) ?? []
      const [, name = ''] = /<(?:a|strong)[^>]*>([^<]*)<\/(?:a|strong)>/.exec(tile) ?? []
      const [, state = ''] = /<span class="pill \w+">([^<]*)</.exec(tile) ?? []
      const [, about = ''] = /<small><bdi>([^<]*)</.exec(tile) ?? []
      return [name, { state, about, href }] as const
    }),
  )

const tilesFor = async (name: PersonName): Promise<Map<string, Tile>> => {
  const { status, text } = await (await enter(name)).open('/staff/settings')
  assert.equal(status, 200)
  return readTiles(text)
}

test('each tile says how its part stands, and leads to a page that its reader may open', async () => {
  for (const name of ['ada', 'ben'] as const) {
    const browser = await enter(name)
    for (const [title, { href }] of await tilesFor(name))
      if (href !== undefined) assert.equal((await browser.open(href)).status, 200, `${name}: ${title}`)
  }
  const tiles = await tilesFor('ada')
  assert.equal(tiles.get('Payments')?.href, '/staff/payments')
  assert.equal((await tilesFor('ben')).get('Payments')?.href, undefined, 'payments are for owners')
  assert.equal(tiles.get('Domain')?.state, 'This computer only')
  assert.match(tiles.get('Staff and roles')?.about ?? '', /^1 owner, 1 admin, \d+ lecturers?\.$/)
  assert.match(tiles.get('Name, languages, time zone')?.about ?? '', /^English.*, Europe\/Lisbon, Euro\.$/)
  for (const name of ['carla', 'dev'] as const) {
    const browser = await enter(name)
    for (const path of ['', '/mail', '/domain', '/school'])
      assert.equal((await browser.open(`/staff/settings${path}`)).status, 403, `${name} ${path}`)
  }
})

test('the tile of mails follows the server, a test message and what fails', async () => {
  const stateNow = async () => (await tilesFor('ada')).get('E-mail')
  assert.equal((await stateNow())?.state, 'Not tested')
  assert.match((await stateNow())?.about ?? '', /^From school@mail\.example, sent by mail\.example\./)
  const owner = await enter('ada')
  const form = formTo(await owner.open('/staff/settings/mail'), '/staff/settings/mail')
  assert.equal((await post(app.port, owner, '/staff/settings/mail', listFields(form))).status, 303)
  await mailbox.waitFor('ada@crumb.example', 1, /^Test message of /)
  await until(async () => (await stateNow())?.state === 'Working', 'the server has accepted the message')
  assert.match((await owner.open('/staff/settings/mail')).text, /Last test message<\/dt><dd><bdi>[^<]* · sent</)
  await app.database.query(
    `insert into mails (school_id, id, kind, recipient, locale, "values", recorded_at, not_before, attempts, parked_at, last_error)
     values ($1, gen_random_uuid(), 'reset', 'gone@crumb.example', 'en', '{}', stoa.now(), stoa.now(), 5, stoa.now(), 'EENVELOPE 550')`,
    [app.a.id],
  )
  assert.equal((await stateNow())?.state, '1 not delivered')
  const { text } = await owner.open('/staff/settings/mail')
  assert.match(text, /EENVELOPE 550/)
  assert.doesNotMatch(text, /gone@crumb/, 'the page names no recipients')
})

test('a test message goes to oneself, at most ten in an hour, and only for staff', async () => {
  const dev = await enter('dev')
  const token = new Map(listFields(formTo(await dev.open('/account'), '/account/sign-out'))).get('token') ?? ''
  assert.equal((await post(app.port, dev, '/staff/settings/mail', [['token', token]])).status, 403)
  const ben = await enter('ben')
  const fields = listFields(formTo(await ben.open('/staff/settings/mail'), '/staff/settings/mail'))
  const statuses: number[] = []
  for (let sent = 0; sent < 11; sent++)
    statuses.push((await post(app.port, ben, '/staff/settings/mail', fields)).status)
  assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 303), 429])
  const [{ count } = { count: 0 }] = await app.database.query<{ count: number }>(
    `select count(*)::integer as count from mails where school_id = $1 and kind = 'mail_test' and recipient = $2`,
    [app.a.id, 'ben@crumb.example'],
  )
  assert.equal(count, 10)
})
