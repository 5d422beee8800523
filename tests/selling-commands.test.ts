import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { performAsOperator } from '#testing/orders.ts'
import { addSchool } from '#testing/schools.ts'
import { type Ran, stoaHere } from '#testing/stoa.ts'

const app = testApp()

const settings = () => ({
  STOA_DATABASE_URL: app.database.appUrl,
  STOA_SECRET: app.secret,
  STOA_DATA: app.folder,
  STOA_STORAGE: app.folder,
})

const run = (...args: string[]): Promise<Ran> => stoaHere(args, settings())

const isTest = async (id: string): Promise<boolean | undefined> =>
  (await app.database.query<{ is_test: boolean }>('select is_test from schools where id = $1', [id]))[0]?.is_test

test('schools set --test makes a school a test school and a real one again', async () => {
  const { id, baseUrl } = await addSchool(app, 'https://spelt.example')
  const set = (value: string) => run('schools', 'set', '--school', baseUrl, '--test', value, '--json')
  const made = await set('1')
  assert.deepEqual([made.code, JSON.parse(made.out).is_test, await isTest(id)], [0, true, true], made.err)
  const text = await run('schools', 'set', '--school', baseUrl, '--test', '1')
  assert.match(text.out, /it is a test school/)
  const undone = await set('0')
  assert.deepEqual([undone.code, JSON.parse(undone.out).is_test, await isTest(id)], [0, false, false], undone.err)
  for (const value of ['2', 'yes', '01']) {
    const { code, err } = await set(value)
    assert.deepEqual([code, await isTest(id)], [1, false])
    assert.match(err, /--test is 1 for a test school/)
  }
})

test('a school with paid orders stays what it is', async () => {
  const { code, err } = await run('schools', 'set', '--school', app.a.baseUrl, '--test', '1')
  assert.deepEqual([code, await isTest(app.a.id)], [1, false])
  assert.match(err, /has paid orders, so it stays a school with real payments/)
  assert.equal((await run('schools', 'set', '--school', app.a.baseUrl, '--test', '0')).code, 0)
})

test('the operation of owners does the same, and says when real money moves from then on', async () => {
  const school = await addSchool(app, 'https://emmer.example')
  const set = (from: boolean, is_test: boolean, a = school) =>
    performAsOperator(
      { database: app.database, secret: app.secret, folder: app.folder, a: { ...app.a, ...a, isTest: from } },
      { operation: 'setTestMode', body: { is_test } },
    )
  await set(false, true)
  assert.equal(await isTest(school.id), true)
  await set(true, false)
  assert.equal(await isTest(school.id), false)
  const facts = await app.database.query(`select type from facts where school_id = $1`, [school.id])
  assert.deepEqual(facts, [{ type: 'school.went_live' }])
  await assert.rejects(set(false, true, app.a), /has paid orders, so it stays what it is/)
  assert.equal(await isTest(app.a.id), false)
})

const findings = async (): Promise<{ check: string; ok: boolean; warning?: boolean; says: string }[]> => {
  const { out } = await run('doctor', '--json')
  return JSON.parse(out).findings.filter(({ check }: { check: string }) => check.startsWith('selling at '))
}

test('doctor warns, without failing, of what a school lacks that has begun to sell, and is silent of others', async () => {
  await app.database.query('delete from payment_providers')
  assert.deepEqual(await findings(), [])
  const ada = await app.actor('ada', { scopes: ['school:read', 'school:write'] })
  const { json } = await ada.get('/school/selling')
  const { legal, tax, checkout, subscriptions, comments } = json
  const body = { legal, tax, checkout: { ...checkout, hold_minutes: 40 }, subscriptions, comments }
  assert.equal((await ada.write('PUT', '/school/selling', body, { 'if-match': '*' })).status, 200)
  const found = await findings()
  assert.deepEqual([...new Set(found.map(({ check }) => check))], [`selling at ${app.a.baseUrl}`])
  assert.ok(found.every(({ ok, warning }) => ok && warning))
  assert.deepEqual(
    found.map(({ says }) => says),
    [
      'the school cannot be paid: no_provider',
      'there is no payment provider',
      'the legal name or the address of the seller is missing',
    ],
  )
  const { out } = await run('doctor')
  assert.match(out, /\n {2}warn selling at \S+: there is no payment provider\n/)
})
