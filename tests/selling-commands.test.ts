import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasPaidOrders } from '#src/areas/selling/index.ts'
import { testApp } from '#testing/app.ts'
import { type Ran, stoa } from '#testing/stoa.ts'
import { schools } from '../src/commands/schools.ts'
import { readConfig } from '../src/config.ts'

const app = testApp()

const settings = () => ({
  STOA_DATABASE_URL: app.database.appUrl,
  STOA_SECRET: app.secret,
  STOA_DATA: app.folder,
  STOA_STORAGE: app.folder,
})

const run = (...args: string[]): Promise<Ran> => stoa([...args], settings())

const isTest = async (): Promise<boolean | undefined> =>
  (await app.database.query<{ is_test: boolean }>('select is_test from schools where id = $1', [app.a.id]))[0]?.is_test

test('schools set --test makes a school a test school and a real one again', async () => {
  const set = (value: string) => run('schools', 'set', '--school', app.a.baseUrl, '--test', value, '--json')
  const made = await set('1')
  assert.deepEqual([made.code, JSON.parse(made.out).is_test, await isTest()], [0, true, true], made.err)
  const text = await run('schools', 'set', '--school', app.a.baseUrl, '--test', '1')
  assert.match(text.out, /it is a test school/)
  const undone = await set('0')
  assert.deepEqual([undone.code, JSON.parse(undone.out).is_test, await isTest()], [0, false, false], undone.err)
  for (const value of ['2', 'yes', '01']) {
    const { code, err } = await set(value)
    assert.deepEqual([code, await isTest()], [1, false])
    assert.match(err, /--test is 1 for a test school/)
  }
})

test('a school with paid orders stays what it is', async () => {
  hasPaidOrders.set('orders', async (_, { school }) => school.id === app.a.id)
  const set = (baseUrl: string, value: string) =>
    schools.run({
      config: readConfig(settings()),
      positionals: ['set'],
      options: { school: baseUrl, test: value },
      tell: () => undefined,
      progress: () => undefined,
    })
  try {
    await assert.rejects(set(app.a.baseUrl, '1'), /has paid orders, so it stays a school with real payments/)
    assert.equal(await isTest(), false)
    await set(app.a.baseUrl, '0')
    await set(app.b.baseUrl, '1')
  } finally {
    hasPaidOrders.set('orders', async () => false)
  }
})

const findings = async (): Promise<{ check: string; ok: boolean; warning?: boolean; says: string }[]> => {
  const { out } = await run('doctor', '--json')
  return JSON.parse(out).findings.filter(({ check }: { check: string }) => check.startsWith('selling at '))
}

test('doctor warns, without failing, of what a school lacks that has begun to sell, and is silent of others', async () => {
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
    ['there is no payment provider', 'the legal name or the address of the seller is missing'],
  )
  const { out } = await run('doctor')
  assert.match(out, /\n {2}warn selling at \S+: there is no payment provider\n/)
})
