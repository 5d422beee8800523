import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { StoredFactHandler } from '#src/contract/fact.ts'
import { sql } from '#src/db/sql.ts'
import { fromId, newUuid } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { startServer } from '#testing/app-process.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { stoa } from '#testing/stoa.ts'

// A fact gets its number when no transaction of before is open any more, in any database of the server.
const PATIENCE_MS = 30_000

const until = async (what: string, condition: () => Promise<boolean>): Promise<void> => {
  for (const end = performance.now() + PATIENCE_MS; !(await condition()); await pause(20))
    assert.ok(performance.now() < end, `not within ${PATIENCE_MS} ms: ${what}`)
}

// A subscriber to facts: it writes a note for each, and then fails for those of one person.
const stuck = new Set<unknown>()
const noteDown: StoredFactHandler = async ({ id, payload }, { db, school, now }) => {
  const member = fromId('mem', String(payload.member_id))
  await db.run(sql`
    insert into member_notes (school_id, id, member_id, body, created_at, updated_at)
    values (${school.id}, ${newUuid(now.getTime())}, ${member}, ${id}, stoa.now(), stoa.now())`)
}
const fail: StoredFactHandler = async ({ payload }) => {
  if (stuck.has(payload.member_id)) throw new Error('no oven is free')
}

type FactRow = {
  readonly id: string
  readonly sequence: string | null
  readonly attempts: number
  readonly delivered_at: Date | null
  readonly parked_at: Date | null
  readonly last_error: string | null
  /** The number of seconds until the next try; null when there is none. */
  readonly pause: number | null
  /** How many notes were written for it. */
  readonly notes: number
}

suite('facts that no subscriber can handle', () => {
  let mailbox: Mailbox | undefined
  const app = testApp({
    mailbox: async () => {
      mailbox = await startMailbox()
      return mailbox
    },
    subscribers: { 'member.updated': [noteDown, fail] },
  })
  after(() => mailbox?.stop())

  const readFacts = (memberId: string): Promise<FactRow[]> =>
    app.database.query<FactRow>(
      `select id, sequence, attempts, delivered_at, parked_at, last_error,
        (select extract(epoch from due_at - stoa.now())::float8 from jobs j
          where j.school_id = f.school_id and j.kind = 'fact' and j.id = f.id) as pause,
        (select count(*)::integer from member_notes n where n.school_id = f.school_id and n.body = f.id::text) as notes
       from facts f where type = 'member.updated' and payload ->> 'member_id' = $1 order by f.id`,
      [memberId],
    )

  const readFact = async (memberId: string): Promise<FactRow> => {
    const [row] = await readFacts(memberId)
    if (row === undefined) throw new Error(`no fact about ${memberId}`)
    return row
  }

  const isDelivered = async (memberId: string, count: number): Promise<boolean> => {
    const rows = await readFacts(memberId)
    return rows.length === count && rows.every(({ delivered_at, notes }) => delivered_at !== null && notes === 1)
  }

  /** Returns the fact after one more try. */
  const factAfter = async (memberId: string, tries: number): Promise<FactRow> => {
    let fact = await readFact(memberId)
    await until(`a try after ${tries}`, async () => {
      fact = await readFact(memberId)
      return fact.attempts > tries
    })
    return fact
  }

  test('a stuck fact is tried ten times with growing pauses, then fails for good; other facts do not wait, and doctor reports it', async () => {
    const scopes = ['account:read', 'account:write']
    const [dev, eli] = [await app.actor('dev', { scopes }), await app.actor('eli', { scopes })]
    const there = await app.actor('dev', { scopes, school: app.b })
    const [devId, eliId, thereId] = await Promise.all(
      [dev, eli, there].map(async actor => (await actor.get('/account')).json.id as string),
    )
    assert.ok(devId !== undefined && eliId !== undefined && thereId !== undefined)
    stuck.add(devId)
    await dev.write('PATCH', '/account', { name: 'Dev P.' })
    let [tries, before] = [0, 0]
    for (;;) {
      const { attempts, pause: wait, notes, delivered_at, last_error } = await factAfter(devId, tries)
      assert.deepEqual([notes, delivered_at, last_error], [0, null, 'Error: no oven is free'])
      // The first pauses are seconds, in which a busy machine sees only the next try.
      assert.ok(attempts === tries + 1 || attempts <= 3, `${attempts} tries after ${tries}`)
      tries = attempts
      // These pauses are minutes, which do not pass while the others are waited for.
      if (tries === 4 || tries === 5) {
        // Of this school and of the other one.
        await eli.write('PATCH', '/account', { name: `Eli ${tries}` })
        await there.write('PATCH', '/account', { name: `Dev ${tries}` })
        await until(
          'the others',
          async () => (await isDelivered(eliId, tries - 3)) && (await isDelivered(thereId, tries - 3)),
        )
        assert.equal((await readFact(devId)).attempts, tries)
      }
      if (wait === null) break
      assert.ok(wait > before, `${wait} s after ${before} s`)
      before = Math.ceil(wait)
      await app.moveClock(before + 0.1)
      await app.database.query("select pg_notify('stoa_jobs', '')")
    }
    assert.equal(tries, 10)
    assert.ok(before > 5 * 3600, 'the last pause is one of hours')
    const parked = await readFact(devId)
    assert.ok(parked.parked_at !== null && parked.delivered_at === null)
    assert.equal(parked.notes, 0)
    stuck.delete(devId)
    await app.moveClock(7 * 24 * 3600)
    const settings = { STOA_DATABASE_URL: app.database.appUrl, STOA_SECRET: app.secret }
    const { code, out } = await stoa(['doctor', '--json'], settings)
    assert.notEqual(code, 0)
    const found: { check: string; ok: boolean; says: string }[] = JSON.parse(out).findings
    const about = ({ baseUrl }: { baseUrl: string }) => found.find(({ check }) => check === `facts of ${baseUrl}`)
    assert.equal(about(app.a)?.ok, false)
    assert.match(about(app.a)?.says ?? '', /^1 parked .* member\.updated: Error: no oven is free$/)
    assert.equal(about(app.b)?.ok, true)
    assert.equal((await readFact(devId)).delivered_at, null)
  })
})

suite('numbers of facts', () => {
  let mailbox: Mailbox | undefined
  const app = testApp({
    mailbox: async () => {
      mailbox = await startMailbox()
      return mailbox
    },
  })
  after(() => mailbox?.stop())

  type Written = { readonly id: string; readonly began: number; readonly ended: number }

  /** Records facts in slow transactions of their own until it is stopped; every fifth one is rolled back. */
  const write = async (writer: number, goesOn: (at: number) => boolean): Promise<Written[]> => {
    const client = new pg.Client({ connectionString: app.database.appUrl })
    await client.connect()
    const written: Written[] = []
    for (let at = 0; goesOn(at); at++) {
      const id = newUuid(Date.now())
      const began = performance.now()
      await client.query('begin')
      await client.query("select set_config('stoa.school_id', $1, true)", [app.b.id])
      await client.query(
        `insert into facts (school_id, id, type, payload, recorded_at) values ($1, $2, 'loaf.baked', '{}', stoa.now())`,
        [app.b.id, id],
      )
      await client.query('select pg_sleep($1)', [((writer * 7 + at * 3) % 10) / 40])
      const isKept = (writer + at) % 5 !== 0
      await client.query(isKept ? 'commit' : 'rollback')
      if (isKept) written.push({ id, began, ended: performance.now() })
    }
    await client.end()
    return written
  }

  const numbered = async (): Promise<Map<string, number>> => {
    const rows = await app.database.query<{ id: string; sequence: string }>(
      'select id, sequence from facts where school_id = $1 and sequence is not null order by sequence',
      [app.b.id],
    )
    return new Map(rows.map(({ id, sequence }) => [id, Number(sequence)]))
  }

  test('under twenty slow writers and two workers they have no gap at any moment, never change, and follow the commits', async () => {
    const other = await startServer({ databaseUrl: app.database.appUrl, secret: app.secret })
    try {
      const first = new Map<string, number>()
      const end = performance.now() + PATIENCE_MS
      // Until some were numbered meanwhile: a transaction of another test holds numbers back, too.
      const goesOn = (at: number): boolean => at < 5 || (first.size === 0 && performance.now() < end)
      const writing = Promise.all(Array.from({ length: 20 }, (_, writer) => write(writer, goesOn)))
      let isWriting = true
      const watching = (async () => {
        for (; isWriting; await pause(5)) {
          const counts = await numbered()
          assert.deepEqual(
            [...counts.values()],
            [...counts.keys()].map((_, at) => at + 1),
          )
          for (const [id, sequence] of counts) assert.equal(first.get(id) ?? sequence, sequence, 'a number has changed')
          for (const [id, sequence] of counts) first.set(id, sequence)
        }
      })()
      const written = (await writing).flat()
      isWriting = false
      await watching
      await until('every fact has a number', async () => (await numbered()).size === written.length)
      const numbers = await numbered()
      assert.deepEqual(
        [...numbers.values()],
        written.map((_, at) => at + 1),
      )
      const getNumber = ({ id }: Written): number => numbers.get(id) ?? Number.NaN
      for (const one of written)
        for (const later of written)
          if (one.ended < later.began) assert.ok(getNumber(one) < getNumber(later), 'a later transaction came first')
      await until('all are delivered', async () => {
        const waiting = await app.database.query('select from facts where school_id = $1 and delivered_at is null', [
          app.b.id,
        ])
        return waiting.length === 0
      })
      assert.ok(first.size > 0, 'some were numbered while others were written')
    } finally {
      await other.stop()
    }
  })
})

const INVITATIONS = "mails where kind = 'invitation'"

suite('a process that dies', () => {
  // Nothing works in the background of this one.
  const app = testApp()
  const count = async (from: string): Promise<number> => {
    const [row] = await app.database.query<{ count: number }>(`select count(*)::integer as count from ${from}`)
    return row?.count ?? -1
  }

  test('a kill between the effects of a fact and its acknowledgement undoes both, and another process does both once', async () => {
    const ada = await app.actor('ada', { scopes: ['members:write'] })
    const body = { email: 'gil@crumb.example', name: 'Gil Tavares' }
    assert.equal((await ada.write('POST', '/members', body)).status, 201)
    const [fact] = await app.database.query<{ id: string }>("select id from facts where type = 'member.invited'")
    assert.ok(fact !== undefined)
    // Numbered already, so that the mark is the first thing that needs the row.
    await app.database.query('update facts set sequence = 1 where id = $1', [fact.id])
    const holding = new pg.Client({ connectionString: app.database.ownerUrl })
    await holding.connect()
    await holding.query('begin')
    await holding.query('select from facts where id = $1 for update', [fact.id])
    const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
    const first = await startServer(belonging)
    await until('the process waits to mark the fact', async () => {
      const waiting = await app.database.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query ~ 'update facts set delivered_at'`,
      )
      return waiting.length > 0
    })
    await first.kill()
    await holding.query('rollback')
    await holding.end()
    assert.deepEqual([await count(INVITATIONS), await count('address_codes')], [0, 0])
    assert.equal(await count(`facts where id = '${fact.id}' and delivered_at is not null`), 0)
    const second = await startServer(belonging)
    try {
      // The claim of the process that died runs out.
      await app.moveClock(301)
      await until(
        'it is delivered',
        async () => (await count(`facts where id = '${fact.id}' and delivered_at is not null`)) === 1,
      )
      assert.deepEqual([await count(INVITATIONS), await count('address_codes')], [1, 1])
      assert.equal(await count(`jobs where kind = 'fact' and id = '${fact.id}'`), 0)
    } finally {
      await second.stop()
    }
  })
})
