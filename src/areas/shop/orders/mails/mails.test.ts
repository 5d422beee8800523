// One thing: the mails about orders, of one school with one mailbox.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { makeCoupon } from '#testing/coupons.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { planner, sellPlan } from '#testing/memberships.ts'
import { checkout, decide, once, sell } from '#testing/orders.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import { setProvider } from '#testing/payments.ts'
import { sellingSettings } from '#testing/selling.ts'
import { askForPayment, beginLatest, onTestPage, payByTest } from '#testing/test-payments.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
let outside: OutsideProvider | undefined
// With a mailbox the worker runs, and facts are delivered.
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(async () => {
  await mailbox.stop()
  await outside?.stop()
})
const test = ledgerTest(app)

const DAY = 24 * 3600

const INSTRUCTIONS = {
  account_holder: 'Crumb & Crust, Lda.',
  iban: 'PT50 0002 0123 1234 5678 9015 4',
  text: 'Or pay at the bakery.\nWe are there from 7 to 12.',
}

let setting: Promise<void> | undefined
const setProviders = (): Promise<void> => {
  setting ??= setProvider(app, 'manual', { instructions: INSTRUCTIONS }).then(() => setProvider(app, 'test', {}))
  return setting
}

const staff = () => app.actor('ada', { scopes: ['courses:read', 'courses:write', 'orders:read', 'members:write'] })
const buyer = (name: 'dev' | 'eli' | 'femi' | 'carla' = 'femi') =>
  app.actor(name, { scopes: ['account:read', 'account:write', 'courses:read'] })

const place = async (actor: Actor, priceIds: readonly string[]) => {
  await setProviders()
  const { status, json, text } = await checkout(actor, priceIds)
  assert.equal(status, 201, text)
  return json
}

const has = (text: string | undefined, parts: readonly string[]): void => {
  for (const part of parts) assert.ok(text?.includes(part), `${part} is not in: ${text}`)
}

const setHoldDays = (days: number) => sellingSettings(app)({ checkout: { manual_hold_days: days } })

const readText = async (to: string, subject: RegExp, count = 1): Promise<string> => {
  const mails = await mailbox.waitFor(`${to}@crumb.example`, count, subject)
  return mails.at(-1)?.email.text ?? ''
}

/** Waits until every fact was delivered, every document printed and every mail sent. */
const quiet = (): Promise<void> =>
  until(async () => {
    const waiting =
      "select from jobs where kind in ('fact', 'mail', 'invoice') and due_at <= stoa.now() + interval '10 minutes'"
    return (await app.database.query(waiting)).length === 0
  }, 'the delivery of facts, documents and mails')

/** The subjects of the mails to a person that name something, once nothing is waiting. */
const subjects = async (to: string, named: string): Promise<(string | undefined)[]> => {
  await quiet()
  return mailbox.arrived
    .filter(({ to: all, email }) => all.includes(`${to}@crumb.example`) && (email.text ?? '').includes(named))
    .map(({ email }) => email.subject)
}

const assertPdf = (mail: Awaited<ReturnType<Mailbox['waitFor']>>[number] | undefined, number: string): void => {
  const [attached] = mail?.email.attachments ?? []
  assert.deepEqual([attached?.filename, attached?.mimeType], [`${number}.pdf`, 'application/pdf'])
  const bytes = attached?.content instanceof ArrayBuffer ? Buffer.from(attached.content) : Buffer.from('')
  assert.equal(bytes.subarray(0, 5).toString(), '%PDF-')
}

const refund = (order: { id: string; lines: { id: string }[] }, line: object, reason = 'requested') =>
  decide(app, 'refundOrder', order.id, { reason, lines: [{ line_id: order.lines[0]?.id, ...line }] })

test('who pays by transfer gets the instructions, in their language; one day before the end a reminder, once', async () => {
  const eli = await buyer('eli')
  await eli.write('PATCH', '/account', { locale: 'pt-PT', time_zone: 'Europe/Lisbon' })
  const { priceId } = await sell(await staff(), 'Centeio', [once(123_450)])
  const order = await place(eli, [priceId])
  const { expires_at } = await askForPayment(eli, order.id, 'manual')
  const end = new Intl.DateTimeFormat('pt-PT', {
    ...{ dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/Lisbon' },
  }).format(new Date(expires_at))
  const parts = [
    ...['Titular da conta', 'Crumb & Crust, Lda.', 'PT50 0002 0123 1234 5678 9015 4', order.number, '1234,50', end],
    ...['Or pay at the bakery.', 'We are there from 7 to 12.', `/account/orders/${order.number}`],
  ]
  has(await readText('eli', new RegExp(`^Como pagar a encomenda ${order.number} em`)), parts)
  await quiet()
  // Less than an access token lives.
  await app.moveClock(3000)
  await askForPayment(eli, order.id, 'manual')
  await app.moveClock(2 * DAY - 60)
  await quiet()
  assert.equal(
    (await subjects('eli', order.number)).length,
    1,
    'asked again, it ends later, and the reminder moves with it',
  )
  await app.moveClock(120)
  const reminder = new RegExp(`^A encomenda ${order.number} em .* termina em`)
  has(await readText('eli', reminder), ['PT50 0002', '1234,50', order.number])
  await app.moveClock(3600)
  await quiet()
  assert.equal((await subjects('eli', order.number)).length, 2)
  await eli.write('PATCH', '/account', { locale: null, time_zone: null })
  await decide(app, 'cancelOrder', order.id)
})

test('nobody is reminded of an order that was paid or canceled, or that ends within a day anyway', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'Not reminded', [once(700)])
  const [paid, canceled] = [await place(femi, [priceId]), await place(femi, [priceId])]
  for (const { id } of [paid, canceled]) await askForPayment(femi, id, 'manual')
  await quiet()
  await setHoldDays(1)
  const short = await place(femi, [priceId])
  await askForPayment(femi, short.id, 'manual')
  await quiet()
  await setHoldDays(3)
  await decide(app, 'confirmPayment', paid.id, {})
  await decide(app, 'cancelOrder', canceled.id)
  await app.moveClock(2 * DAY + 60)
  for (const { number } of [paid, canceled, short]) {
    const all = await subjects('femi', number)
    assert.ok(!all.some(subject => /ends on/.test(subject ?? '')), all.join())
  }
})

test('a part of a transfer is mailed with what is missing, to the staff too; the whole by the receipt alone', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'In two parts', [once(3000)])
  const order = await place(femi, [priceId])
  await askForPayment(femi, order.id, 'manual')
  // The mail with what is missing replaces instructions that were not sent yet.
  await quiet()
  await decide(app, 'confirmPayment', order.id, { amount: 1000 })
  const missing = new RegExp(`is still missing for order ${order.number}$`)
  has(await readText('femi', missing), ['€10.00 of €30.00', '€20.00', 'PT50 0002'])
  for (const name of ['ada', 'ben'])
    has(await readText(name, new RegExp(`^Order ${order.number} is paid in part`)), [
      '€20.00 of €30.00',
      `/staff/orders/${order.number}`,
    ])
  await decide(app, 'unconfirmPayment', order.id)
  await decide(app, 'confirmPayment', order.id, { amount: 3000 })
  await readText('femi', new RegExp(`^Receipt for order ${order.number} at`))
  const mails = await subjects('femi', order.number)
  assert.equal(mails.length, 3, `instructions, missing, receipt with the invoice: ${mails}`)
  for (const name of ['carla', 'dev']) assert.deepEqual(await subjects(name, order.number), [])
})

test('what staff confirm without a choice of the buyer has no instructions', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'At the door', [once(1100)])
  const order = await place(femi, [priceId])
  await decide(app, 'confirmPayment', order.id, {})
  assert.deepEqual(await subjects('femi', order.number), [`Receipt for order ${order.number} at Crumb & Crust`])
})

test('a refund is mailed with its lines and what has ended; so is what was paid too much', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'Half refunded', [once(2000)])
  const order = await place(femi, [priceId])
  await decide(app, 'confirmPayment', order.id, { amount: 2500 })
  const over = await readText('femi', /^Refund of €5\.00/)
  has(over, ['more than the total', '€5.00', order.number])
  await refund(order, { amount: 800 })
  has(await readText('femi', /^Refund of €8\.00/), ['Half refunded', '€8.00', 'stays'])
  await refund(order, {})
  has(await readText('femi', /^Refund of €12\.00/), ['Half refunded', '€12.00', 'has ended'])
})

test('the receipt has the invoice attached, and a credit note is mailed once it is printed,', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'Invoiced', [once(2000)])
  const order = await place(femi, [priceId])
  await decide(app, 'confirmPayment', order.id, {})
  await refund(order, {})
  await quiet()
  const mails = mailbox.arrived.filter(({ email }) => email.text?.includes(order.number))
  assert.equal(mails.length, 3, 'receipt, refund, credit note')
  for (const [kind, subject] of [
    ['invoice', () => `Receipt for order ${order.number} at Crumb & Crust`],
    ['credit_note', (number: string) => `Credit note ${number} from Crumb & Crust`],
  ] as const) {
    const { json } = await (await staff()).get(`/invoices?order_id=${order.id}&kind=${kind}`)
    const [{ number }] = json.data
    const found = mails.filter(({ email }) => email.subject === subject(number))
    assert.equal(found.length, 1, kind)
    has(found[0]?.email.text, [number])
    assertPdf(found[0], number)
  }
})

test('a receipt has what codes took off, the tax in it and how it was paid, and leads to the course', async () => {
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write', 'coupons:write'] })
  const { id, priceId } = await sell(ada, 'With a code', [once(4900)])
  await makeCoupon(ada, 'MAILS20')
  await sellingSettings(app)({ tax: { mode: 'inclusive', rates: [{ country: 'PT', percent: '23', name: 'VAT' }] } })
  const femi = await buyer()
  await setProviders()
  const { json: order } = await checkout(femi, [priceId], { codes: ['MAILS20'], billing: { country: 'PT' } })
  await sellingSettings(app)({})
  await decide(app, 'confirmPayment', order.id, {})
  const [mail] = await mailbox.waitFor('femi@crumb.example', 1, new RegExp(`^Receipt for order ${order.number} at`))
  const { text = '', html = '' } = mail?.email ?? {}
  assert.match(
    text,
    /^With a code +€49\.00\nCode MAILS20 +-€9\.80\nPaid: Bank transfer +€39\.20\nof which VAT 23% +€7\.33$/m,
  )
  assert.match(text, /^Thank you, Femi.*\n\n/)
  assert.match(text, new RegExp(`Order ${order.number}, paid on \\w+, \\d+ \\w+ \\d{4} at \\d\\d:\\d\\d \\w+`))
  assert.match(text, new RegExp(`^Start now:\n${app.a.baseUrl}/learn/${id}$`, 'm'))
  assert.match(html, new RegExp(`href="${app.a.baseUrl}/learn/${id}"[^>]*>Start now<`))
})

test('a receipt does not wait for an invoice that cannot be printed, which is mailed alone once it is', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'Fox \u{13000}', [once(2000)])
  const order = await place(femi, [priceId])
  await decide(app, 'confirmPayment', order.id, {})
  const receipt = `Receipt for order ${order.number} at Crumb & Crust`
  const [mail] = await mailbox.waitFor('femi@crumb.example', 1, new RegExp(`^${receipt}$`))
  assert.deepEqual(mail?.email.attachments, [])
  assert.doesNotMatch(mail?.email.text ?? '', /attached/)
  await app.database.query(
    "update invoices set lines = replace(lines::text, '\u{13000}', 'x')::jsonb where order_id = $1",
    [fromId('ord', order.id)],
  )
  // It is due in a day; a clock that is moved so far takes the new PDF for one that nobody has used for a day.
  await app.database.query(`update jobs set due_at = stoa.now() where kind = 'invoice'`)
  await until(async () => (await subjects('femi', order.number)).length === 2, 'the invoice')
  const invoice = mailbox.arrived.findLast(({ email }) => email.text?.includes(order.number))
  assert.match(invoice?.email.subject ?? '', /^Invoice .* from Crumb & Crust$/)
  assert.equal(invoice?.email.attachments.length, 1)
})

const HOLD_FACTS = `create function hold_fact() returns trigger language plpgsql as
    $$ begin new.due_at := stoa.now() + interval '1 day'; return new; end $$;
  create trigger hold_fact before insert on jobs for each row when (new.kind = 'fact') execute function hold_fact()`

const deliver = async (type: string, order: string): Promise<void> => {
  await app.database.query(
    `update jobs set due_at = stoa.now() where kind = 'fact'
      and id in (select id from facts where type = $1 and payload ->> 'order_id' = $2)`,
    [type, order],
  )
  await app.database.query("select pg_notify('stoa_jobs', '')")
  await quiet()
}

test('whichever is handled first, the payment or the printed invoice, one receipt has the invoice', async () => {
  const femi = await buyer()
  const facts = ['order.paid', 'invoice.printed'] as const
  for (const types of [facts, facts.toReversed()]) {
    const { priceId } = await sell(await staff(), `First ${types[0]}`, [once(2000)])
    const order = await place(femi, [priceId])
    await quiet()
    await app.database.query(HOLD_FACTS)
    await decide(app, 'confirmPayment', order.id, {})
    const printed = "select from invoices where order_id = $1 and print_state = 'printed'"
    await until(
      async () => (await app.database.query(printed, [fromId('ord', order.id)])).length === 1,
      'a printed invoice',
    )
    await app.database.query('drop trigger hold_fact on jobs; drop function hold_fact()')
    for (const type of types) await deliver(type, order.id)
    const mails = mailbox.arrived.filter(({ email }) => email.text?.includes(order.number))
    assert.deepEqual(
      mails.map(({ email }) => [email.subject, email.attachments.length]),
      [[`Receipt for order ${order.number} at Crumb & Crust`, 1]],
      types.join(),
    )
    for (const type of ['payment.received', 'order.placed']) await deliver(type, order.id)
  }
})

test('a receipt that is sent again has the invoice, and a reissued invoice is mailed alone', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'Sent again', [once(2000)])
  const order = await place(femi, [priceId])
  await decide(app, 'confirmPayment', order.id, {})
  const receipt = `Receipt for order ${order.number} at Crumb & Crust`
  await decide(app, 'resendReceipt', order.id)
  assert.deepEqual(await subjects('femi', order.number), [receipt, receipt])
  const [, again] = await mailbox.waitFor('femi@crumb.example', 2, new RegExp(`^${receipt}$`))
  assert.equal(again?.email.attachments.length, 1)
  await decide(app, 'reissueInvoice', order.id, { company: 'New' })
  const [credit, invoice] = (await subjects('femi', order.number)).slice(2).sort()
  assert.match(credit ?? '', /^Credit note /)
  assert.match(invoice ?? '', /^Invoice /)
})

test('a receipt of nothing says so, and one of a test payment says TEST', async () => {
  const femi = await buyer()
  const free = await sell(await staff(), 'For nothing', [{ payment_type: 'free', amount: 0 }])
  const gift = await place(femi, [free.priceId])
  has(await readText('femi', new RegExp(`^Your order ${gift.number} at`)), ['nothing to pay', 'For nothing'])
  const { priceId } = await sell(await staff(), 'By test', [once(2000)])
  const order = await place(femi, [priceId])
  await payByTest(app, femi, order)
  has(await readText('femi', new RegExp(`^TEST: receipt for order ${order.number} at`)), ['TEST', '€20.00', 'By test'])
})

test('the receipt of a free trial says until when it is free, and not that there is nothing to pay', async () => {
  await setProviders()
  // By transfer a trial begins without a card.
  await setProvider(app, 'test')
  const plan = await sellPlan(await planner(app), { name: 'Tried at first', plan_type: 'recurring' }, [
    { payment_type: 'subscription', amount: 900, interval: 'month', trial_days: 7 },
  ])
  const order = (await checkout(await buyer(), [plan.priceId])).json
  await setProvider(app, 'test', {})
  assert.deepEqual([order.status, order.total], ['paid', 0])
  const text = await readText('femi', /^Your free trial at Crumb & Crust$/)
  has(text, [order.number, 'Tried at first'])
  assert.match(text, /Your free trial runs until \d+ \w+ \d{4}.*, and nothing was charged\./)
  assert.doesNotMatch(text, /nothing to pay/)
})

test('staff learn of disputes that are opened and lost, not of those that are won', async () => {
  const femi = await buyer()
  for (const end of ['won', 'lost']) {
    const { priceId } = await sell(await staff(), `Dispute ${end}`, [once(2000)])
    const order = await place(femi, [priceId])
    const page = await payByTest(app, femi, order)
    await readText('femi', new RegExp(`^TEST: receipt for order ${order.number} at`))
    await onTestPage(app, page, 'dispute')
    for (const name of ['ada', 'ben'])
      has(await readText(name, new RegExp(`^Dispute about order ${order.number} at`)), ['€20.00'])
    await onTestPage(app, page, end === 'won' ? 'win_dispute' : 'lose_dispute')
    await until(async () => (await (await staff()).get(`/orders/${order.id}`)).json.dispute.state === end, end)
    const lost = (await subjects('ada', order.number)).filter(subject => /lost$/.test(subject ?? ''))
    assert.equal(lost.length, end === 'won' ? 0 : 1)
    assert.deepEqual(await subjects('carla', order.number), [])
  }
})

test('staff learn what could not be given when money came late, and the buyer of the refund', async () => {
  const [femi, eli] = [await buyer(), await buyer('eli')]
  const seat = await sell(await staff(), 'The last seat', [{ ...once(2000), enrollment_cap: 1 }])
  const other = await sell(await staff(), 'Another course', [once(1000)])
  const late = await place(femi, [seat.priceId, other.priceId])
  await decide(app, 'cancelOrder', late.id)
  const winner = await place(eli, [seat.priceId])
  await decide(app, 'confirmPayment', winner.id, {})
  await decide(app, 'confirmPayment', late.id, { amount: 3000 })
  const text = await readText('ada', new RegExp(`^A part of order ${late.number} could not be given`))
  has(text, ['The last seat', '€20.00'])
  assert.ok(!text.includes('Another course'), text)
  const refunded = await mailbox.waitFor(
    'femi@crumb.example',
    1,
    new RegExp(`^Refund of €20.00 for order ${late.number}`),
  )
  has(refunded[0]?.email.text, ['could not be given', 'The last seat'])
})

test('a provider that does not answer is mailed to the staff once, and not again within a day', async () => {
  outside = await startOutsideProvider()
  const server = outside
  await setProviders()
  await setProvider(app, 'outside', { secrets: server.secrets })
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'Unreachable', [once(1900)])
  const order = await place(femi, [priceId])
  await askForPayment(femi, order.id, 'outside')
  const failing = async (times: number) => {
    for (let call = 0; call < times; call++) {
      server.fail('pages', 'error')
      await assert.rejects(beginLatest(app, order.number), /did not open a page/)
    }
  }
  await failing(4)
  assert.deepEqual(await subjects('ada', 'payment provider outside'), [])
  await failing(3)
  for (const name of ['ada', 'ben']) assert.equal((await subjects(name, 'payment provider outside')).length, 1)
  await beginLatest(app, order.number)
  const again = await place(femi, [priceId])
  await askForPayment(femi, again.id, 'outside')
  for (let call = 0; call < 6; call++) {
    server.fail('pages', 'error')
    await assert.rejects(beginLatest(app, again.number), /did not open a page/)
  }
  assert.equal((await subjects('ada', 'payment provider outside')).length, 1)
  for (const { id } of [order, again]) await decide(app, 'cancelOrder', id)
  await setProvider(app, 'outside')
})

test('a refund that fails at the provider is mailed to the staff', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'Refund fails', [once(2000)])
  const order = await place(femi, [priceId])
  const page = await payByTest(app, femi, order)
  await readText('femi', new RegExp(`^TEST: receipt for order ${order.number} at`))
  // The provider refuses to refund what it is disputing, which the school does not know yet.
  await app.database.query("update test_payments set dispute = 'open' where ref = $1", [page.split('/').at(-1)])
  await refund(order, {})
  const text = await readText('ada', new RegExp(`^Refund for order ${order.number} failed`))
  has(text, ['€20.00', 'charge_disputed'])
  await app.database.query('update test_payments set dispute = null where ref = $1', [page.split('/').at(-1)])
})

test('a fact whose delivery is repeated after a crash sends no second mail', async () => {
  const femi = await buyer()
  const { priceId } = await sell(await staff(), 'Delivered twice', [once(900)])
  const order = await place(femi, [priceId])
  await decide(app, 'confirmPayment', order.id, { amount: 100 })
  // Nobody is told what is missing of an order that is paid by then.
  await quiet()
  await decide(app, 'confirmPayment', order.id, {})
  await refund(order, {})
  const before = [await subjects('femi', order.number), await subjects('ada', order.number)]
  assert.deepEqual(
    before.map(({ length }) => length),
    [4, 1],
  )
  // As after a process that died when the delivery was committed and its job was claimed again.
  await app.database.query(
    `insert into jobs (school_id, kind, id, due_at)
     select school_id, 'fact', id, stoa.now() from facts where payload ->> 'order_id' = $1`,
    [order.id],
  )
  await app.database.query("select pg_notify('stoa_jobs', '')")
  assert.deepEqual([await subjects('femi', order.number), await subjects('ada', order.number)], before)
})
