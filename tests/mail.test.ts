import assert from 'node:assert/strict'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { School } from '#src/contract/school.ts'
import { people } from '#src/demo/index.ts'
import { PASSWORD, type PersonName, startApp, testApp } from '#testing/app.ts'
import { startServer } from '#testing/app-process.ts'
import { type Browser, openBrowser } from '#testing/browser.ts'
import { codeIn, type Mailbox, startMailbox } from '#testing/mail.ts'
import { approve } from '#testing/oauth.ts'
import { askForReset, begin } from '#testing/people.ts'
import { startProcess } from '#testing/process.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const connect = (name: PersonName, client = 'Loaf Tracker', browser?: Browser, school: School = app.a) =>
  approve(
    { port: app.port, school, email: people[name].email, password: PASSWORD },
    { metadata: { client_name: client }, ...(browser === undefined ? {} : { browser }) },
  )

const askReset = async (name: PersonName, school: School = app.a): Promise<void> => {
  const reply = await askForReset(await begin({ port: app.port, school }), people[name].email)
  assert.equal(reply.status, 200)
}

const belonging = () => ({ databaseUrl: app.database.appUrl, secret: app.secret })

type Row = {
  id: string
  attempts: number
  sent_at: Date | null
  parked_at: Date | null
  last_error: string | null
  empty: boolean
  has_secrets: boolean
}
const mailsTo = (email: string) =>
  app.database.query<Row>(
    `select id, attempts, sent_at, parked_at, last_error, "values" = '{}' and secrets_sealed is null as empty,
       secrets_sealed is not null as has_secrets
     from mails where recipient = $1 order by id`,
    [email],
  )

/** Asks until it is so; the server promises one second, a busy machine gets more. */
const until = async (what: string, condition: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + 40_000
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`never: ${what}`)
    await pause(10)
  }
}

test('the first approval of an app sends a mail with a link to withdraw it; later ones do not', async () => {
  const { browser } = await connect('dev', 'Proofing <b>Basket</b>')
  await connect('dev', 'Proofing <b>Basket</b>', browser)
  const [mail, second] = await mailbox.waitFor(people.dev.email)
  assert.equal(second, undefined)
  assert.ok(mail)
  const { email } = mail
  assert.deepEqual([mail.from, mail.to], ['school@mail.example', [people.dev.email]])
  assert.deepEqual([email.from?.name, email.from?.address], ['Crumb & Crust', 'school@mail.example'])
  assert.equal(email.subject, 'An app was connected to your account at Crumb & Crust')
  assert.match(email.text ?? '', /“Proofing <b>Basket<\/b>”/)
  assert.match(email.html ?? '', /“Proofing &lt;b&gt;Basket&lt;\/b&gt;”/)
  for (const part of [email.text, email.html]) assert.ok(part?.includes(`${app.a.baseUrl}/account`))
  // No picture or script, and no style sheet but that of the dark scheme: nothing tells that it was opened.
  assert.doesNotMatch(email.html ?? '', /<img|<script|<link|src|url\(|@import/i)
  assert.equal(email.html?.match(/<style/g)?.length, 1)
  const [row] = await mailsTo(people.dev.email)
  assert.equal(email.messageId, `<${row?.id}@mail.example>`)
  assert.equal((await mailsTo(people.dev.email)).length, 1)
})

test('a mail speaks its reader’s language and is answered to the school', async () => {
  await app.database.query(`update members set locale = 'pt-PT' where email = $1`, [people.carla.email])
  await app.database.query(`update schools set contact_email = 'ola@crumb.example' where id = $1`, [app.a.id])
  await connect('carla')
  const [mail] = await mailbox.waitFor(people.carla.email)
  assert.match(mail?.email.subject ?? '', /foi ligada/)
  assert.deepEqual(
    mail?.email.replyTo?.map(({ address }) => address),
    ['ola@crumb.example'],
  )
})

test('J-04 no stored field breaks a header, adds one or adds a reader', async () => {
  const evil = 'Crumb\r\nBcc: evil@evil.example\r\n\r\n<evil>, "x" <evil2@evil.example>'
  await app.database.query(`update schools set name = $1, contact_email = $2 where id = $3`, [evil, evil, app.b.id])
  await app.database.query(`update members set locale = $1 where school_id = $2`, ['pt\r\nX-Evil: 1', app.b.id])
  await connect('eli', 'App\r\nBcc: evil@evil.example', undefined, app.b)
  const [mail] = await mailbox.waitFor(people.eli.email)
  assert.ok(mail)
  assert.deepEqual(mail.to, [people.eli.email])
  assert.equal(mail.email.bcc, undefined)
  assert.equal(mail.email.replyTo, undefined)
  assert.equal(mail.email.from?.address, 'school@mail.example')
  const head = mail.raw.slice(0, mail.raw.indexOf('\r\n\r\n'))
  assert.doesNotMatch(head, /^(?:bcc|x-evil):/im)
  assert.equal(head.match(/^(?:from|to|subject|message-id):/gim)?.length, 4)
})

test('a mail that is refused is tried five times over a day with growing pauses, then parked; others are not delayed', async () => {
  mailbox.treat(({ to }) => {
    if (to.includes(people.ada.email)) throw new Error(`no room for ${people.ada.email}`)
  })
  const before = mailbox.arrived.length
  await connect('ada')
  const attempts = async () => (await mailsTo(people.ada.email))[0]?.attempts ?? 0
  for (const [index, seconds] of [60, 600, 3 * 3600, 20 * 3600].entries()) {
    await until(`attempt ${index + 1}`, async () => (await attempts()) === index + 1)
    await app.moveClock(seconds - 30)
    // Another member's mail is sent meanwhile, which shows that the worker has polled and skipped this one.
    await connect('ben', `Round ${index}`)
    await mailbox.waitFor(people.ben.email, index + 1)
    assert.equal(await attempts(), index + 1)
    await app.moveClock(31)
  }
  await until('parked', async () => (await mailsTo(people.ada.email))[0]?.parked_at !== null)
  const [row] = await mailsTo(people.ada.email)
  assert.deepEqual([row?.attempts, row?.sent_at, row?.has_secrets], [5, null, false])
  assert.ok(row?.last_error?.includes('450') && !row.last_error.includes('@'), String(row?.last_error))
  // Ben's last mail has arrived a moment before it is marked as sent.
  await until(
    'no mail waits',
    async () => (await app.database.query(`select from jobs where kind = 'mail'`)).length === 0,
  )
  assert.ok(mailbox.arrived.slice(before).every(({ to }) => !to.includes(people.ada.email)))
  mailbox.treat(() => undefined)
})

test('a code that expired before it could be sent is not sent', async () => {
  mailbox.treat(() => {
    throw new Error('down')
  })
  await askReset('femi')
  await until('tried', async () => (await mailsTo(people.femi.email))[0]?.attempts === 1)
  assert.equal((await mailsTo(people.femi.email))[0]?.empty, false)
  mailbox.treat(() => undefined)
  await app.moveClock(16 * 60)
  await until('parked', async () => (await mailsTo(people.femi.email))[0]?.parked_at !== null)
  assert.equal((await mailsTo(people.femi.email))[0]?.empty, true)
  assert.equal(mailbox.arrived.filter(({ to }) => to.includes(people.femi.email)).length, 0)
})

test('hanging mails of one school delay no other school', async () => {
  let release: () => void = () => undefined
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  let hanging = 0
  mailbox.treat(async ({ email }) => {
    if (!email.subject?.includes('Crumb & Crust')) return
    hanging++
    await released
  })
  const { browser } = await connect('dev', 'Hang 0')
  for (let n = 1; n <= 12; n++) await connect('dev', `Hang ${n}`, browser)
  await until('two hang', async () => hanging === 2)
  const before = (await mailsTo(people.carla.email)).length
  await connect('carla', 'Elsewhere', undefined, app.b)
  await until('sent elsewhere', async () => {
    const rows = await mailsTo(people.carla.email)
    return rows.length > before && rows.every(row => row.sent_at !== null)
  })
  assert.equal(hanging, 2)
  release()
  mailbox.treat(() => undefined)
  await until('all sent', async () => (await mailsTo(people.dev.email)).every(row => row.sent_at !== null))
})

test('three concurrent processes send each mail once, and learn of mails that another one created', async () => {
  const processes = await Promise.all([1, 2].map(() => startServer(belonging(), mailbox.url)))
  const from = mailbox.arrived.length
  const { browser } = await connect('ben', 'Many 0')
  // At most 20 requests of one member wait at once.
  for (const first of [1, 16])
    await Promise.all(Array.from({ length: 15 }, (_, n) => connect('ben', `Many ${first + n}`, browser)))
  await until('all sent', async () => (await mailsTo(people.ben.email)).every(row => row.sent_at !== null))
  const ids = mailbox.arrived.slice(from).map(({ email }) => email.messageId)
  assert.equal(ids.length, 31)
  assert.equal(new Set(ids).size, 31)
  await Promise.all(processes.map(process => process.stop()))
})

suite('a process of its own', () => {
  test('killed between SMTP’s 250 and the commit: at most one duplicate, with the same Message-ID', async () => {
    const fresh = await testOfItsOwn()
    const box = await startMailbox()
    const holder = new pg.Client({ connectionString: fresh.database.ownerUrl })
    await holder.connect()
    const first = await startServer(fresh.belonging, box.url)
    let lockedId = ''
    // The row is locked while the server replies 250, so that the process is exactly between the two.
    box.treat(async ({ email }) => {
      if (lockedId !== '') return
      lockedId = /<([^@]+)@/.exec(email.messageId ?? '')?.[1] ?? ''
      await holder.query('begin')
      await holder.query('select from mails where id = $1 for update', [lockedId])
    })
    await fresh.ask()
    await until('the commit waits', async () => {
      const waiting = await fresh.database.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
      return waiting.length > 0
    })
    await first.kill()
    await holder.query('rollback')
    assert.equal(box.arrived.length, 1)
    const [row] = await fresh.database.query<{ sent_at: Date | null }>('select sent_at from mails')
    assert.equal(row?.sent_at, null)
    const second = await startServer(fresh.belonging, box.url)
    await pause(1500)
    assert.equal(box.arrived.length, 1, 'a claim that may still be at work was taken over')
    await fresh.database.query(`update stoa.clock set shift = shift + interval '301 seconds'`)
    await until(
      'sent',
      async () => (await fresh.database.query('select from mails where sent_at is not null')).length === 1,
    )
    assert.equal(box.arrived.length, 2)
    assert.equal(box.arrived[0]?.email.messageId, box.arrived[1]?.email.messageId)
    await second.stop()
    await holder.end()
    await box.stop()
    await fresh.stop()
  })

  test('without SMTP each mail is a file that only its owner may read, and the log contains only its name', async () => {
    const fresh = await testOfItsOwn()
    const process = await startProcess(fresh.belonging, { STOA_LOG_LEVEL: 'info' })
    await fresh.ask()
    const folder = join(process.dataFolder, 'mail')
    await until(
      'written',
      async () => (await fresh.database.query('select from mails where sent_at is not null')).length === 1,
    )
    const [name = '', more] = await readdir(folder)
    assert.equal(more, undefined)
    assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600)
    assert.equal((await stat(folder)).mode & 0o777, 0o700)
    const text = await readFile(join(folder, name), 'utf8')
    assert.match(text, /^To: dev@crumb\.example\r?$/m)
    const code = /^\d{6}\r?$/m.exec(text)?.[0]?.trim() ?? ''
    assert.match(code, /^\d{6}$/)
    await until('logged', async () => process.log().includes(join(folder, name)))
    assert.ok(!process.log().includes('dev@crumb') && !process.log().includes('Enter this code'))
    await process.stop()
    await fresh.stop()
  })
})

test('E-18 sent mails say no more than needed: codes are only in code mails', async () => {
  for (const mail of mailbox.arrived) {
    if (/connected|ligada/.test(mail.email.subject ?? '')) assert.throws(() => codeIn(mail))
    assert.ok(!/stoa_|request=/.test(mail.raw))
  }
})

/** An application without a worker, whose mails wait for a process of its own. */
const testOfItsOwn = async () => {
  const fresh = await startApp()
  const ask = async (): Promise<void> => {
    const authorization = await begin({ port: fresh.port, school: fresh.a }, {}, openBrowser(fresh.port, fresh.a))
    await askForReset(authorization, people.dev.email)
  }
  return {
    database: fresh.database,
    belonging: { databaseUrl: fresh.database.appUrl, secret: fresh.secret },
    ask,
    stop: fresh.stop,
  }
}
