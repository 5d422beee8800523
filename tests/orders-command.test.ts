import assert from 'node:assert/strict'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { checkout, once, sell } from '#testing/orders.ts'
import { type Ran, stoa, stoaHere } from '#testing/stoa.ts'

const app = testApp()
const test = ledgerTest(app)

const runWith = (run: typeof stoaHere, args: readonly string[]): Promise<Ran> =>
  run(['orders', ...args, '--school', app.a.baseUrl], {
    STOA_DATABASE_URL: app.database.appUrl,
    STOA_SECRET: app.secret,
    STOA_DATA: app.folder,
    STOA_STORAGE: app.folder,
  })

const run = (...args: string[]): Promise<Ran> => runWith(stoaHere, args)

test('stoa orders confirms, refunds and notes an order, and the audit log names the operator', async () => {
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read'] })
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  const { priceId } = await sell(ada, 'By command', [once(4900)])
  const { json: order } = await checkout(femi, [priceId])
  const confirmed = await runWith(stoa, ['confirm', order.number, '--amount', '4900'])
  assert.equal(confirmed.code, 0, confirmed.err)
  assert.match(confirmed.out, /is paid: €49\.00, of which €49\.00 arrived and €0\.00 went back/)
  const refunded = await run('refund', order.id, '--amount', '900', '--note', 'Bread burned', '--json')
  assert.equal(refunded.code, 0, refunded.err)
  const { status, refunds } = JSON.parse(refunded.out)
  assert.deepEqual([status, refunds[0].amount, refunds[0].note], ['partially_refunded', 900, 'Bread burned'])
  const more = await run('refund', order.id, '--amount', '4001')
  assert.deepEqual([more.code, /More than is left/.test(more.err)], [1, true])
  const actors = await app.database.query<{ operation: string; actor: string }>(
    'select distinct operation, actor from audit_log where operation in ($1, $2) order by operation',
    ['confirmPayment', 'refundOrder'],
  )
  assert.deepEqual(actors, [
    { operation: 'confirmPayment', actor: 'operator' },
    { operation: 'refundOrder', actor: 'operator' },
  ])
})

test('stoa orders reissues an invoice, and records what was paid and invoiced elsewhere', async () => {
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read', 'members:read'] })
  const eli = await app.actor('eli', { scopes: ['account:read', 'account:write'] })
  const { priceId } = await sell(ada, 'Reissued by command', [once(4900)])
  const { json: order } = await checkout(eli, [priceId])
  const before = await run('reissue', order.number, '--company', 'Padaria')
  assert.deepEqual([before.code, /no invoice/.test(before.err)], [1, true])
  await run('confirm', order.number)
  const address = ['--line1', 'Rua 1', '--city', 'Porto']
  const reissued = await run('reissue', order.number, '--company', 'Padaria', '--name', '', ...address, '--json')
  assert.equal(reissued.code, 0, reissued.err)
  const { billing, invoices } = JSON.parse(reissued.out)
  assert.deepEqual(
    [billing.company, billing.name, billing.address],
    ['Padaria', null, { line1: 'Rua 1', city: 'Porto' }],
  )
  assert.deepEqual(
    invoices.map(({ kind }: { kind: string }) => kind),
    ['invoice', 'invoice', 'credit_note'],
  )
  const none = await run('reissue', order.number)
  assert.deepEqual([none.code, /to whom/.test(none.err)], [1, true])
  const member = (await eli.get('/account')).json.id
  const outside = await run('outside', member, '--price', priceId, '--no-invoice', '--json')
  assert.deepEqual([outside.code, JSON.parse(outside.out).invoices], [0, []], outside.err)
})

test('stoa orders refuses what it does not know', async () => {
  for (const args of [
    [],
    ['confirm'],
    ['eat', 'ORD-1'],
    ['outside', 'external:x'],
    ['confirm', 'ORD-1', '--amount', '1.5'],
  ]) {
    const { code, err } = await run(...args)
    assert.equal(code, 1, err)
  }
  const unknown = await runWith(stoa, ['confirm', 'NONE-1'])
  assert.match(unknown.err, /no such order/)
})
