import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '#src/contract/problem.ts'
import { openDatabase } from '#src/db/database.ts'
import { testApp } from '#testing/app.ts'
import { makeCoupon } from '#testing/coupons.ts'
import { assertLedger } from '#testing/ledger.ts'
import { foldCode } from './codes/rules.ts'
import { countCodeTry, refundCodeTry } from './index.ts'

const app = testApp()
const SCOPES = ['coupons:read', 'coupons:write']
const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

afterEach(() => assertLedger(app.database))

let database: ReturnType<typeof openDatabase> | undefined
after(() => database?.close())

const staff = () => app.actor('ada', { scopes: SCOPES })

const newCoupon = async (name: string): Promise<string> => {
  const ada = await staff()
  return (await ada.write('POST', '/coupons', { name, kind: 'percent', percent_off: '5' })).json.id
}

test('codes are compared in upper case, without white space, hyphens and invisible characters', () => {
  const same: readonly (readonly [folded: string, ...typed: string[]])[] = [
    [
      'SUMMER20',
      'summer20',
      ' Summer 20 ',
      'SUM-MER\u201320',
      'summer\u200b20',
      'ｓｕｍｍｅｒ２０',
      'sum\u00admer\ufeff20',
      'summer\u00a020',
    ],
    ['STRASSE', 'straße', 'STRASSE', 'ﬆrasse'],
    ['ÉTÉ', 'été', 'e\u0301te\u0301'],
  ]
  for (const [folded, ...typed] of same) for (const text of typed) assert.equal(foldCode(text), folded, text)
  assert.notEqual(foldCode('A_B'), foldCode('AB'), 'other signs count')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), text => {
      const folded = foldCode(text)
      assert.equal(foldCode(folded), folded)
      assert.equal(foldCode(text.toUpperCase()), foldCode(text.toUpperCase().toUpperCase()))
    }),
    { seed },
  )
})

test('a code belongs to one coupon of the school, however it is typed, and finds it', async () => {
  const ada = await staff()
  const { id } = await makeCoupon(ada, 'Summer-2020')
  for (const code of ['SUMMER 2020', 'summer2020', 'Summer\u20112020']) {
    const again = await ada.write('POST', `/coupons/${id}/codes`, { code })
    assert.deepEqual([again.status, again.json.code], [409, 'code_taken'], code)
    assert.equal((await ada.get(`/coupons/code:${encodeURIComponent(code)}`)).json.id, id)
  }
  assert.equal((await ada.get('/coupons/code:SUMMER2021')).status, 404)
  const other = await app.actor('ada', { scopes: SCOPES, school: app.b })
  assert.equal((await other.get('/coupons/code:SUMMER2020')).status, 404)
  await makeCoupon(other, 'SUMMER2020')
  assert.notEqual((await other.get('/coupons/code:SUMMER2020')).json.id, id)
})

test('many requests for one code at once give it to one coupon', async () => {
  const ada = await staff()
  const ids = await Promise.all(['one', 'two', 'three'].map(newCoupon))
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) => ada.write('POST', `/coupons/${ids[index % 3]}/codes`, { code: 'WANTED' })),
  )
  assert.deepEqual(replies.map(({ status, json }) => (status === 200 ? 'created' : json.code)).sort(), [
    ...Array.from({ length: 11 }, () => 'code_taken'),
    'created',
  ])
})

test('what a request for codes says does not contradict itself', async () => {
  const ada = await staff()
  const id = await newCoupon('Wrong requests')
  for (const [body, pointer] of [
    [{ code: 'A', count: 2 }, '/count'],
    [{ code: 'A', prefix: 'B' }, '/prefix'],
    [{ code: 'A', length: 12 }, '/length'],
    [{ code: '---' }, '/code'],
    [{ count: 2, prefix: '- -' }, '/prefix'],
    [{ count: 2, length: 9 }, '/length'],
    [{ count: 10_001 }, '/count'],
  ] as const) {
    const { status, json } = await ada.write('POST', `/coupons/${id}/codes`, body)
    assert.deepEqual([status, json.errors[0].pointer], [422, pointer], JSON.stringify(body))
  }
  assert.equal((await ada.get(`/coupons/${id}`)).json.code_count, 0)
  const { json } = await ada.write('POST', `/coupons/${id}/codes`)
  assert.deepEqual([json.created, json.code_count], [1, 1])
  assert.match(json.code.code, /^[0-9A-HJKMNP-TV-Z]{10}$/)
})

test('10,000 codes in one call are all different, of 50 random bits each, and complete in the CSV', async () => {
  const ada = await staff()
  const id = await newCoupon('A fair')
  const created = await ada.write('POST', `/coupons/${id}/codes`, { count: 10_000, prefix: 'fair 30' })
  assert.deepEqual([created.status, created.json], [200, { created: 10_000, code_count: 10_000, code: null }])
  const csv = await ada.get(`/coupons/${id}/codes`, { accept: 'text/csv' })
  const [head, ...lines] = csv.text.trimEnd().split('\r\n')
  assert.equal(head, 'id,code,status,times_redeemed,stopped_at,created_at')
  assert.equal(lines.pop(), '# complete')
  const codes = lines.map(line => line.split(',')[1] ?? '')
  assert.equal(new Set(codes.map(foldCode)).size, 10_000)
  for (const code of codes) assert.match(code, /^fair 30-[0-9A-HJKMNP-TV-Z]{10}$/)
  const { json: coupon } = await ada.get(`/coupons/${id}`)
  assert.deepEqual([coupon.codes.length, coupon.code_count, coupon.revision], [20, 10_000, 2])
  const more = await ada.write('POST', `/coupons/${id}/codes`, { code: 'ONE-MORE' })
  assert.deepEqual([more.status, more.json.code], [409, 'too_many_codes'])
})

test('a code is stopped for good, and stays that of its coupon', async () => {
  const ada = await staff()
  const { id } = await makeCoupon(ada, 'STOP-ME')
  const kept = await ada.write('POST', `/coupons/${id}/codes`, { code: 'KEEP-ME' })
  assert.deepEqual([kept.json.created, kept.json.code.code, kept.json.code.status], [1, 'KEEP-ME', 'active'])
  const [{ id: codeId }] = (await ada.get(`/coupons/${id}/codes`)).json.data
  const path = `/coupons/${id}/codes/${codeId}`
  const stopped = await ada.write('DELETE', path)
  assert.deepEqual([stopped.status, stopped.json.status], [200, 'stopped'], stopped.text)
  assert.deepEqual((await ada.write('DELETE', path)).json, stopped.json)
  assert.equal((await ada.get(`/coupons/${id}`)).json.revision, 4)
  const of = async (status: string) =>
    (await ada.get(`/coupons/${id}/codes?status=${status}`)).json.data.map(({ code }: { code: string }) => code)
  assert.deepEqual([await of('active'), await of('stopped')], [['KEEP-ME'], ['STOP-ME']])
  const other = await newCoupon('Another')
  assert.equal((await ada.write('POST', `/coupons/${other}/codes`, { code: 'stop me' })).json.code, 'code_taken')
  assert.equal((await ada.write('DELETE', `/coupons/${other}/codes/${codeId}`)).status, 404)
})

test('codes that people type are counted: 10 for a member, 20 for the visitors of a network, 200 for its members, and a right one is given back', async () => {
  database ??= openDatabase(app.database.appUrl)
  const { shared } = database
  const typing = { schoolId: app.a.id, network: '192.0.2.1', memberId: '00000000-0000-7000-8000-00000000000a' }
  const outcome = async (who: Parameters<typeof countCodeTry>[1]): Promise<string> => {
    try {
      await countCodeTry(shared, who)
      return 'counted'
    } catch (error) {
      assert.ok(error instanceof Refusal && Number(error.extras.headers?.['retry-after']) > 0)
      return error.problem.code
    }
  }
  for (let right = 0; right < 30; right++) await refundCodeTry(shared, await countCodeTry(shared, typing))
  for (let wrong = 0; wrong < 10; wrong++) assert.equal(await outcome(typing), 'counted')
  assert.equal(await outcome(typing), 'rate_limited')
  assert.equal(await outcome({ ...typing, network: '198.51.100.1' }), 'rate_limited', 'the member, elsewhere')
  const visitor = { ...typing, memberId: undefined }
  for (let wrong = 0; wrong < 20; wrong++) assert.equal(await outcome(visitor), 'counted')
  assert.equal(await outcome(visitor), 'rate_limited')
  const another = (n: number) => ({
    ...typing,
    memberId: `00000000-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`,
  })
  for (let wrong = 0; wrong < 190; wrong++) assert.equal(await outcome(another(wrong % 20)), 'counted')
  assert.equal(await outcome(another(20)), 'rate_limited', 'one more member of the network')
  assert.equal(await outcome({ ...visitor, schoolId: app.b.id }), 'counted', 'another school')
})
