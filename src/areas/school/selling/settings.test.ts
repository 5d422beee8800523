import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { tablesWith } from '#testing/database.ts'

const app = testApp()
const SCOPES = ['school:read', 'school:write', 'account:read']
const TAX_ID = 'PT509442013'

const owner = () => app.actor('ada', { scopes: SCOPES })

const readInput = async () => {
  const read = await (await owner()).get('/school/selling')
  assert.equal(read.status, 200, read.text)
  const { legal, tax, checkout, subscriptions, comments } = read.json
  return { input: { legal, tax, checkout, subscriptions, comments }, etag: String(read.headers.etag), read }
}

type Input = Awaited<ReturnType<typeof readInput>>['input']

const address = {
  line1: 'Rua do Forno 12',
  line2: null,
  postal_code: null,
  city: 'Lisboa',
  region: null,
  country: 'PT',
}
const seller = { name: 'Crumb & Crust, Lda.', address, tax_id: TAX_ID, registration: null, email: null }

/** Replaces settings, changed as a function says, with the ETag that was read. */
const put = async (change: (input: Input) => Input, query = '') => {
  const { input, etag } = await readInput()
  return (await owner()).write('PUT', `/school/selling${query}`, change(structuredClone(input)), { 'if-match': etag })
}

const setHold = (minutes: number) => (input: Input) => ({
  ...input,
  checkout: { ...input.checkout, hold_minutes: minutes },
})

const rows = () => app.database.query('select * from school_selling where school_id = $1', [app.a.id])

test('a school that changed nothing has the defaults, whose ETag a change accepts', async () => {
  const { input, etag, read } = await readInput()
  assert.deepEqual([read.json.revision, await rows()], [1, []])
  assert.deepEqual(input.legal, { name: null, address: null, tax_id: null, registration: null, email: null })
  assert.equal(input.tax.mode, 'none')
  assert.deepEqual([input.checkout.hold_minutes, input.checkout.manual_hold_days], [30, 3])
  assert.equal(input.checkout.retain_years, 10)
  assert.deepEqual(input.subscriptions.retry_days, [1, 3, 5, 7])
  const school = await (await owner()).get('/school')
  assert.deepEqual([read.json.created_at, read.json.updated_at], [school.json.created_at, school.json.created_at])
  const ada = await owner()
  assert.equal((await ada.write('PUT', '/school/selling', input)).status, 428)
  const same = await ada.write('PUT', '/school/selling', input, { 'if-match': etag })
  assert.deepEqual([same.status, same.json.revision, await rows()], [200, 1, []], 'what changes nothing stores nothing')
  const changed = await ada.write('PUT', '/school/selling', setHold(45)(input), { 'if-match': etag })
  assert.deepEqual([changed.status, changed.json.revision, changed.json.checkout.hold_minutes], [200, 2, 45])
  assert.equal((await rows()).length, 1)
  const late = await ada.write('PUT', '/school/selling', setHold(60)(input), { 'if-match': etag })
  assert.deepEqual([late.status, late.headers.etag], [412, (await ada.get('/school/selling')).headers.etag])
})

test('of two owners who replace what both read, one gets 412 and the other is kept', async () => {
  for (const start of ['without a row', 'with a row']) {
    if (start === 'without a row') await app.database.query('delete from school_selling')
    const ben = await app.actor('ben', { scopes: SCOPES, as: 'owner' })
    const { input, etag } = await readInput()
    const replies = await Promise.all([
      (await owner()).write('PUT', '/school/selling', setHold(50)(input), { 'if-match': etag }),
      ben.write('PUT', '/school/selling', setHold(55)(input), { 'if-match': etag }),
    ])
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412], start)
    const kept = replies.find(({ status }) => status === 200)?.json.checkout.hold_minutes
    assert.equal((await readInput()).input.checkout.hold_minutes, kept)
    // The other rounds begin with other values.
    assert.equal((await put(setHold(31))).status, 200)
  }
})

test('admins read the settings and change none; others do neither, and nothing of it is public', async () => {
  const { input } = await readInput()
  const changed = setHold(99)(input)
  const match = { 'if-match': '*' }
  const ben = await app.actor('ben', { scopes: SCOPES, as: 'admin' })
  assert.equal((await ben.get('/school/selling')).status, 200)
  const refused = await ben.write('PUT', '/school/selling', changed, match)
  assert.deepEqual([refused.status, refused.json.code], [403, 'role_required'])
  const carla = await app.actor('carla', { scopes: ['school:read'] })
  assert.equal((await carla.get('/school/selling')).json.code, 'role_required')
  assert.equal((await app.send({ path: '/api/v1/school/selling' })).json.code, 'sign_in_required')
  assert.deepEqual((await readInput()).input, input)
  const open = await app.send({ path: '/api/v1/school' })
  for (const part of Object.keys(input)) assert.ok(!(part in open.json), part)
})

test('another legal name or tax id waits for the person, and only the end of the tax id is named', async () => {
  const asked = await put(input => ({ ...input, legal: seller }))
  assert.equal(asked.status, 202, asked.text)
  const [effect] = asked.json.confirmation.effects
  assert.equal(
    effect.money,
    'Invoices issued from now on name Crumb & Crust, Lda. as the seller, with the tax id that ends in 013.',
  )
  assert.deepEqual(effect.payload, { fields: ['legal.name', 'legal.address', 'legal.tax_id'] })
  assert.equal((await readInput()).input.legal.name, null)
  await approveAs(app, 'ada', asked.json.confirmation.url)
  assert.deepEqual((await readInput()).input.legal, seller)
  assert.deepEqual(await tablesWith(app.database, TAX_ID), ['school_selling'])
  const [entry] = await app.database.query<{ fields: string[] }>(
    `select fields from audit_log where operation = 'setSellingSettings' order by id desc limit 1`,
  )
  assert.deepEqual(entry?.fields, ['legal.name', 'legal.address', 'legal.tax_id'])
  const renamed = await put(input => ({ ...input, legal: { ...input.legal, name: 'Crumb, Lda.' } }))
  assert.equal(renamed.status, 202)
  const moved = await put(input => ({ ...input, legal: { ...input.legal, address: { ...address, city: 'Porto' } } }))
  assert.equal(moved.status, 200, 'another address is not another seller')
  const dry = await put(input => ({ ...input, legal: { ...input.legal, tax_id: null } }), '?dry_run=true')
  assert.match(dry.json.effects[0].money, /without a tax id/)
})

const legal = (change: object) => (input: Input) => ({ ...input, legal: { ...seller, ...change } })
const tax = (change: object) => (input: Input) => ({ ...input, tax: { ...input.tax, ...change } })
const checkout = (change: object) => (input: Input) => ({ ...input, checkout: { ...input.checkout, ...change } })
const retries = (days: readonly number[]) => (input: Input) => ({
  ...input,
  subscriptions: { ...input.subscriptions, retry_days: [...days] },
})
const rate = (country: string, percent = '23') => ({ country, percent, name: 'IVA' })

const refusals: readonly (readonly [pointer: string, change: (input: Input) => Input])[] = [
  ['/legal/address/country', legal({ address: { ...address, country: 'EU' }, tax_id: null })],
  ['/legal/address/country', legal({ address: { ...address, country: 'pt' } })],
  ['/legal/address/line1', legal({ address: { ...address, line1: '' } })],
  ['/legal/address/line2', legal({ address: { ...address, line2: 'x'.repeat(121) } })],
  ['/legal/name', legal({ name: 'x'.repeat(121) })],
  ['/legal/name', legal({ name: 'two\nlines' })],
  ['/legal/tax_id', legal({ tax_id: '509442013' })],
  ['/legal/tax_id', legal({ address: null })],
  ['/legal/tax_id', legal({ address: { ...address, country: 'US' }, tax_id: '1'.repeat(31) })],
  ['/legal/email', legal({ email: 'nobody' })],
  ['/tax/rates', tax({ mode: 'inclusive', rates: [] })],
  ['/tax/rates/1/country', tax({ rates: [rate('PT'), rate('PT', '6')] })],
  ['/tax/rates/1/country', tax({ rates: [rate('*'), rate('*')] })],
  ['/tax/rates/0/country', tax({ rates: [rate('XX')] })],
  ...['100.1', '-1', '7.12345', '07', '7.', '1e1', ' 7', ''].map(
    percent => ['/tax/rates/0/percent', tax({ rates: [rate('PT', percent)] })] as const,
  ),
  ['/tax/reverse_charge', tax({ reverse_charge: true })],
  ['/checkout/hold_minutes', checkout({ hold_minutes: 29 })],
  ['/checkout/hold_minutes', checkout({ hold_minutes: 121 })],
  ['/checkout/manual_hold_days', checkout({ manual_hold_days: 0 })],
  ['/checkout/manual_hold_days', checkout({ manual_hold_days: 31 })],
  ['/checkout/retain_years', checkout({ retain_years: 0 })],
  ['/checkout/terms_page_id', checkout({ terms_page_id: `pag_${'0'.repeat(26)}` })],
  ['/checkout/withdrawal_waiver/text', checkout({ withdrawal_waiver: { text: null, required: true } })],
  ...['inv', 'IN/V', 'IN V', 'INV-', '-', '..', 'INV--A', 'ÅÄ', 'ABCDEFGHIJKLM'].map(
    invoice_prefix => ['/checkout/invoice_prefix', checkout({ invoice_prefix })] as const,
  ),
  ['/checkout/order_prefix', checkout({ order_prefix: 'SAME', invoice_prefix: 'SAME' })],
  ['/checkout/invoice_language', checkout({ invoice_language: 'de' })],
  ['/subscriptions/retry_days', retries([])],
  ['/subscriptions/retry_days', retries([3, 1])],
  ['/subscriptions/retry_days', retries([1, 1])],
  ['/subscriptions/retry_days/0', retries([0])],
  ['/subscriptions/retry_days/0', retries([31])],
  ['/comments/posts', input => ({ ...input, comments: { ...input.comments, posts: 'closed' } })],
]

test('settings that cannot be are refused with the place of the error, and nothing changes', async () => {
  await app.database.query('delete from school_selling')
  for (const [pointer, change] of refusals) {
    const { status, json, text } = await put(change)
    assert.equal(status, 422, `${pointer}: ${text}`)
    const pointers = json.errors.map((error: { pointer: string }) => error.pointer)
    assert.ok(pointers.includes(pointer), `${pointer} is not among ${pointers}`)
  }
  assert.deepEqual(await rows(), [])
})

test('every part and every field has to be sent', async () => {
  const { input, etag } = await readInput()
  const ada = await owner()
  const { comments: _, ...rest } = input
  const {
    checkout: { retain_years: __, ...checkoutRest },
  } = input
  for (const [pointer, body] of [
    ['/comments', rest],
    ['/checkout/retain_years', { ...input, checkout: checkoutRest }],
  ] as const) {
    const { status, json } = await ada.write('PUT', '/school/selling', body, { 'if-match': etag })
    assert.deepEqual([status, json.errors[0].pointer, json.errors[0].code], [422, pointer, 'required'])
  }
})

test('settings at their bounds are stored as they were sent', async () => {
  const rates = [rate('*', '0'), rate('PT', '23.0000'), rate('ES', '21'), rate('HU', '100'), rate('FR', '5.5')]
  const { input, etag } = await readInput()
  const body = {
    ...input,
    legal: { ...input.legal, address: { ...address, line2: 'x'.repeat(120), region: 'Lisboa' }, email: 'a@b.example' },
    tax: { mode: 'exclusive', rates, taxed_at: { online: 'school', in_person: 'place' }, reverse_charge: false },
    checkout: {
      hold_minutes: 120,
      manual_hold_days: 30,
      terms_page_id: null,
      withdrawal_waiver: { text: 'I agree.\nNow.', required: true },
      invoice_prefix: 'FT-2A',
      invoice_language: 'pt',
      order_prefix: 'ABCDEFGHIJKL',
      retain_years: 30,
    },
    subscriptions: {
      past_due_access: 'stop',
      retry_days: [1, 2, 3, 4, 5, 6, 7, 8, 9, 30],
      after_retries: 'keep',
      credit_on_end: 'pay_back',
      trial_needs_method: false,
      one_trial_per_member: false,
      members_may_pause: true,
    },
    comments: { posts: 'off', courses: 'approval', lessons: 'open', events: 'off' },
  }
  const stored = await (await owner()).write('PUT', '/school/selling', body, { 'if-match': etag })
  assert.equal(stored.status, 200, stored.text)
  assert.deepEqual((await readInput()).input, body)
  const again = await (await owner()).write('PUT', '/school/selling', body, { 'if-match': '*' })
  assert.equal(again.json.revision, stored.json.revision, 'the same again changes nothing')
})

test('a row from before a field was added shows its default', async () => {
  await app.database.query(`update school_selling set checkout = checkout - 'retain_years'`)
  assert.equal((await readInput()).input.checkout.retain_years, 10)
})

test("each school has settings of its own, and another school's owner reads and changes theirs alone", async () => {
  const before = await readInput()
  const other = await app.actor('ada', { scopes: SCOPES, school: app.b })
  const theirs = await other.get('/school/selling')
  assert.equal(theirs.json.revision, 1)
  const { legal: own, tax: taxes, checkout: terms, subscriptions, comments } = theirs.json
  const body = { legal: own, tax: taxes, checkout: { ...terms, hold_minutes: 77 }, subscriptions, comments }
  const changed = await other.write('PUT', '/school/selling', body, { 'if-match': String(theirs.headers.etag) })
  assert.equal(changed.json.checkout.hold_minutes, 77)
  assert.deepEqual((await readInput()).input, before.input)
})
