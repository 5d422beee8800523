import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type OpenDatabase, openDatabase } from '#src/db/database.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { later, stopClock } from '#testing/clock.ts'
import { approveAs } from '#testing/confirming.ts'
import { createDeleting } from './jobs.ts'
import { cancelDeletion, DELETION_JOB, findDeletion, storeFarewell } from './queries.ts'
import { onDeletionRequested } from './subscribers.ts'
import { dropDeletion } from './writes.ts'

// The work of a deletion is done step by step, at instants that a worker cannot meet.

const app = testApp()
const START = new Date('2030-01-01T12:00:00Z')
const DAY = 24 * 3600
const DUE = later(START, 14 * DAY * 1000)
const SOON = 5
let database: OpenDatabase | undefined
after(() => database?.close())

const opened = (): OpenDatabase => {
  database ??= openDatabase(app.database.appUrl, { wait: 10_000, max: 4 })
  return database
}
const at = (instant: Date) => stopClock(app.database, instant)

const readId = async (name: PersonName): Promise<string> =>
  (
    await app.database.query<{ id: string }>('select id from members where school_id = $1 and email = $2', [
      app.a.id,
      `${name}@crumb.example`,
    ])
  )[0]?.id ?? ''

const begin = async (name: PersonName): Promise<string> => {
  await at(START)
  const id = await readId(name)
  const actor = await app.actor(name, { scopes: ['account:read', 'account:write'] })
  const { json, text } = await actor.write('POST', '/account/deletion')
  assert.ok(json.confirmation, text)
  await approveAs(app, name, json.confirmation.url)
  assert.deepEqual((await actor.get('/account/deletion')).json, {
    status: 'begun',
    begun_at: START.toISOString(),
    due_at: DUE.toISOString(),
  })
  return id
}

const buildJob = (id: string) => ({ kind: DELETION_JOB, schoolId: app.a.id, id, attempt: 1 })

/** Runs the job once, stores its result, and returns in how many seconds it runs again. */
const work = async (id: string): Promise<number | undefined> => {
  const outcome = await createDeleting(opened())(buildJob(id))
  await opened().transaction(app.a.id, db => outcome.settle(db))
  return outcome.againIn
}

const one = async <Row extends object>(text: string, values: readonly unknown[]): Promise<Row | undefined> =>
  (await app.database.query<Row>(text, values))[0]
const readMember = (id: string) =>
  one<{ status: string; name: string }>('select status, name from members where id = $1', [id])
const readCount = async (table: string, where: string, values: readonly unknown[]): Promise<number> =>
  (await app.database.query(`select from ${table} where ${where}`, values)).length
const farewells = (id: string) => readCount('mails', `member_id = $1 and kind = 'account_deleted'`, [id])

test('a deletion writes a last mail when it is due, waits for it a day at most, and then erases the person once', async () => {
  const dev = await begin('dev')
  await at(later(DUE, -1))
  assert.equal(await opened().transaction(app.a.id, db => storeFarewell(db, app.a.id, dev)), 0)
  assert.deepEqual([await work(dev), await farewells(dev)], [undefined, 0])
  await at(DUE)
  assert.deepEqual([await work(dev), await farewells(dev)], [SOON, 1])
  assert.equal(await opened().transaction(app.a.id, db => cancelDeletion(db, app.a.id, dev)), 0, 'there is no way back')
  assert.equal(await opened().transaction(app.a.id, db => storeFarewell(db, app.a.id, dev)), 0, 'it was written')
  await at(later(DUE, DAY * 1000 - 1))
  assert.deepEqual([await work(dev), (await readMember(dev))?.status], [SOON, 'active'])
  await at(later(DUE, DAY * 1000))
  assert.equal(await work(dev), undefined)
  assert.deepEqual(await readMember(dev), { status: 'deleted', name: 'Erased member' })
  const done = [`operation = 'createAccountDeletion' and about_id = $1 and 'erased' = any (fields)`, [dev]] as const
  assert.equal(await readCount('audit_log', ...done), 1)
  assert.equal(await readCount('facts', `type = 'member.erased' and payload->>'member_id' = $1`, [toId('mem', dev)]), 1)
  assert.equal(await work(dev), undefined)
  assert.equal(await readCount('audit_log', ...done), 1, 'it is done once')
})

test('a last mail that was sent, or that cannot be sent, is not waited for', async () => {
  for (const [name, column] of [
    ['eli', 'sent_at'],
    ['carla', 'parked_at'],
  ] as const) {
    const id = await begin(name)
    await at(DUE)
    assert.equal(await work(id), SOON)
    assert.equal(await work(id), SOON, 'it waits')
    await app.database.query(`update mails set ${column} = $2 where member_id = $1 and kind = 'account_deleted'`, [
      id,
      DUE,
    ])
    assert.equal(await work(id), undefined)
    assert.equal((await readMember(id))?.status, 'deleted', name)
  }
})

test('the deletion of the last owner is retried each day, and succeeds when there is another owner', async () => {
  const setRole = (name: PersonName, role: string, status = 'active') =>
    app.database.query('update members set role = $3, status = $4 where school_id = $1 and email = $2', [
      app.a.id,
      `${name}@crumb.example`,
      role,
      status,
    ])
  await setRole('ben', 'owner')
  const ben = await begin('ben')
  await setRole('ada', 'admin')
  await at(DUE)
  assert.deepEqual([await work(ben), await farewells(ben)], [DAY, 0])
  await setRole('ada', 'owner', 'suspended')
  assert.equal(await work(ben), DAY, 'one who is suspended does not count')
  await setRole('ben', 'owner', 'suspended')
  assert.deepEqual([await work(ben), await farewells(ben)], [SOON, 1])
  await at(later(DUE, 2 * DAY * 1000))
  await setRole('ben', 'owner')
  assert.equal(await work(ben), DAY)
  await setRole('ada', 'owner')
  const outcome = await createDeleting(opened())(buildJob(ben))
  await setRole('ada', 'admin')
  const settled = opened().transaction(app.a.id, db => outcome.settle(db))
  await assert.rejects(settled, /last owner/, 'who became the last owner meanwhile')
  assert.equal((await readMember(ben))?.status, 'active')
  await setRole('ada', 'owner')
  assert.equal(await work(ben), undefined)
  assert.equal((await readMember(ben))?.status, 'deleted')
})

test('scheduling and cancelling are each in the audit log and a fact once, and the job is deleted', async () => {
  const femi = await begin('femi')
  const actor = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  const jobs = () => readCount('jobs', 'kind = $1 and id = $2', [DELETION_JOB, femi])
  const notifications = async () => [
    await readCount('audit_log', `about_id = $1 and fields = '{deletion}'`, [femi]),
    await readCount('facts', `type like 'account.deletion_%' and payload->>'member_id' = $1`, [toId('mem', femi)]),
  ]
  assert.deepEqual([await notifications(), await jobs()], [[1, 1], 1])
  assert.equal((await actor.write('POST', '/account/deletion')).status, 200)
  assert.deepEqual([await notifications(), await jobs()], [[1, 1], 1])
  for (const _time of [1, 2]) assert.equal((await actor.write('DELETE', '/account/deletion')).status, 204)
  assert.deepEqual([await notifications(), await jobs()], [[2, 2], 0])
  await begin('femi')
  await at(DUE)
  assert.equal(await work(femi), SOON)
  const again = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  assert.equal((await again.get('/account/deletion')).json.status, 'under_way')
  const late = await again.write('DELETE', '/account/deletion')
  assert.deepEqual([late.status, late.json.code], [409, 'deletion_in_progress'])
  await opened().transaction(app.a.id, db => dropDeletion(db, app.a.id, femi))
  assert.deepEqual(
    [await jobs(), await opened().statements(app.a.id, db => findDeletion(db, app.a.id, femi))],
    [0, undefined],
  )
})

test('the mail about a scheduled deletion states the day and goes only to the member of the fact', async () => {
  const femi = await begin('femi')
  const tell = (member: string) =>
    opened().transaction(app.a.id, (db, now) =>
      onDeletionRequested(
        { id: randomUUID(), type: 'account.deletion_requested', payload: { member_id: member }, sequence: '1' },
        { db, school: app.a, now },
      ),
    )
  const mails = () =>
    app.database.query<{ member_id: string; values: { due: string } }>(
      `select member_id, "values" from mails where kind = 'deletion_begun'`,
    )
  const before = await mails()
  for (const nobody of ['x', toId('mem', randomUUID()), toId('mem', await readId('ada'))]) await tell(nobody)
  assert.deepEqual(await mails(), before)
  await tell(toId('mem', femi))
  const [mail] = (await mails()).slice(before.length)
  assert.equal(mail?.member_id, femi)
  assert.equal(fromId('mem', toId('mem', femi)), femi)
})
