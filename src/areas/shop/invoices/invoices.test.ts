import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { newUuid, toId } from '#src/kit/ids.ts'
import { dayAt, daysAfter } from '#src/kit/local-time.ts'
import type { Actor } from '#testing/actor.ts'
import { type PersonName, testApp } from '#testing/app.ts'
import { moveToNoon } from '#testing/clock.ts'
import { buildRefund, changeSeller, type Sale, sales, saleTo, sold, soldLine } from '#testing/sales.ts'

const app = testApp({ moreAreas: [sales] })
const SCOPES = ['orders:read', 'members:read', 'members:write', 'school:read', 'school:write']

before(() => moveToNoon(app.database))

const owner = () => app.actor('ada', { scopes: SCOPES })

const readId = async (name: PersonName): Promise<string> =>
  (await (await owner()).get(`/members?email=${name}@crumb.example`)).json.data[0].id

const sell = async (name: PersonName, more: Partial<Sale> = {}) => sold(await owner(), saleTo(await readId(name), more))

const credit = async (body: unknown) => {
  const staff = await owner()
  const reply = await staff.write('POST', '/sales/refunds', body)
  assert.equal(reply.status, 201, reply.text)
  return (await staff.get(`/invoices/${reply.json.id}`)).json
}

const readCsv = async (actor: Actor, query: string): Promise<Record<string, string>[]> => {
  const { text } = await actor.get(`/invoices?${query}`, { accept: 'text/csv' })
  const [header = '', ...lines] = text.trim().split('\r\n')
  assert.equal(lines.pop(), '# complete')
  const names = header.split(',')
  return lines.map(line => Object.fromEntries(line.split(',').map((cell, index) => [names[index] ?? '', cell])))
}

test('an invoice says what was ordered, keeps it, and is told in the audit log and by a fact', async () => {
  const dev = await readId('dev')
  const lines = [
    soldLine('Sourdough from scratch', 4900),
    soldLine('Ticket: open bakery', 2000, { quantity: 2, unit_amount: 1100, discount_amount: 200, tax_percent: '6' }),
    soldLine('Rye', 1000, { tax_percent: '23' }),
  ]
  const invoice = await sell('dev', { lines, order_number: 'ORD-7' })
  const year = Number(invoice.issued_on.slice(0, 4))
  assert.equal(invoice.number, `INV-${year}-${String(invoice.sequence).padStart(6, '0')}`)
  assert.deepEqual(
    [invoice.kind, invoice.series, invoice.year, invoice.order_number, invoice.member_id, invoice.invoice_id],
    ['invoice', `INV-${year}`, year, 'ORD-7', dev, null],
  )
  assert.deepEqual(
    [invoice.total, invoice.net_total, invoice.tax_total, invoice.discount_total],
    [7900, 3984 + 1887 + 813, 916 + 113 + 187, 200],
  )
  assert.deepEqual(invoice.tax, {
    mode: 'inclusive',
    country: 'PT',
    reverse_charge: false,
    rates: [
      { percent: '23', name: 'IVA', net_amount: 4797, tax_amount: 1103 },
      { percent: '6', name: 'IVA', net_amount: 1887, tax_amount: 113 },
    ],
  })
  assert.deepEqual(
    invoice.lines.map(({ line_id, net_amount, tax_amount, amount }: Record<string, unknown>) => [
      line_id,
      net_amount,
      tax_amount,
      amount,
    ]),
    [
      [lines[0]?.line_id, 3984, 916, 4900],
      [lines[1]?.line_id, 1887, 113, 2000],
      [lines[2]?.line_id, 813, 187, 1000],
    ],
  )
  assert.deepEqual(invoice.buyer, {
    name: 'Zoë Söderström',
    company: null,
    address: { line1: '14 Old Mill Lane', line2: null, postal_code: 'BA1 5LZ', city: 'Bath', region: null },
    country: 'GB',
    tax_id: null,
  })
  assert.deepEqual(
    [invoice.paid_on, invoice.payment, invoice.print_state, invoice.file],
    ['2026-11-20', { provider: 'cards', brand: 'Visa', last4: '4242' }, 'pending', null],
  )
  assert.equal(invoice.retain_until, `${year + 10}-12-31`)
  const [fact] = await app.database.query<{ payload: object }>(
    `select payload from facts where type = 'invoice.issued' and payload->>'invoice_id' = $1`,
    [invoice.id],
  )
  assert.deepEqual(fact?.payload, { invoice_id: invoice.id, order_id: invoice.order_id, member_id: dev })
})

test('what is changed later changes no invoice: neither the seller, nor the member, nor the prefix of its number', async () => {
  const before = await sell('eli')
  await changeSeller(app, settings => {
    Object.assign(settings.legal ?? {}, {
      name: 'Crumb & Crust, Lda.',
      tax_id: 'PT509442013',
      address: {
        line1: 'Rua do Forno 12',
        line2: null,
        postal_code: null,
        city: 'Lisboa',
        region: null,
        country: 'PT',
      },
    })
    Object.assign(settings.checkout ?? {}, { invoice_prefix: 'FT', retain_years: 7, invoice_language: 'pt' })
  })
  const staff = await owner()
  assert.deepEqual((await staff.get(`/invoices/${before.id}`)).json, before)
  assert.equal(before.seller.name, app.a.name, 'the school, until it says what its name is in law')
  const next = await sell('eli')
  assert.deepEqual(
    [next.sequence, next.number, next.language, next.seller.tax_id],
    [before.sequence + 1, `FT-${next.year}-${String(next.sequence).padStart(6, '0')}`, 'pt', 'PT509442013'],
  )
  assert.equal(next.retain_until, `${next.year + 7}-12-31`)
})

test('a credit note names its invoice, and parts refund exactly what the invoice has', async () => {
  const lines = [soldLine('Sourdough', 1000, { tax_amount: 187 }), soldLine('Rye', 700)]
  const invoice = await sell('femi', { lines })
  const [line] = invoice.lines
  const part = (amount: number, tax_amount: number, quantity = 0) => ({
    invoice_id: invoice.id,
    reason: 'requested',
    lines: [{ line_id: line.line_id, quantity, amount, tax_amount }],
  })
  const first = await credit(part(333, 62))
  assert.deepEqual(
    [first.kind, first.invoice_id, first.invoice_number, first.order_id, first.total, first.tax_total, first.reason],
    ['credit_note', invoice.id, invoice.number, invoice.order_id, 333, 62, 'requested'],
  )
  assert.equal(first.number, `${first.series}-${String(first.sequence).padStart(6, '0')}`)
  assert.match(first.series, /-\d{4}-CN$/)
  assert.deepEqual([first.paid_on, first.payment, first.buyer], [null, null, invoice.buyer])
  assert.deepEqual(
    first.lines.map(({ name, unit_amount, quantity }: Record<string, unknown>) => [name, unit_amount, quantity]),
    [['Sourdough', null, 0]],
  )
  const staff = await owner()
  const before = await app.database.query('select id from invoices order by id')
  for (const wrong of [
    part(668, 125),
    part(10, 126),
    part(1, 2),
    part(-1, 0),
    part(0, 0, 2),
    { ...part(1, 0), lines: [...part(1, 0).lines, ...part(1, 0).lines] },
    { ...part(1, 0), lines: [{ ...part(1, 0).lines[0], line_id: toId('lin', newUuid(0)) }] },
    { ...part(1, 0), invoice_id: first.id },
  ])
    assert.equal((await staff.write('POST', '/sales/refunds', wrong)).status, 500, JSON.stringify(wrong))
  assert.deepEqual(await app.database.query('select id from invoices order by id'), before, 'nothing was issued')
  const second = await credit(part(667, 125, 1))
  assert.equal(second.sequence, first.sequence + 1, 'a refund that failed used up no number')
  assert.deepEqual([first.total + second.total, first.tax_total + second.tax_total], [1000, 187])
  const { json: documents } = await staff.get(`/sales/${invoice.order_id}/documents`)
  assert.deepEqual(
    documents.data,
    [invoice, first, second].map(({ id, number, total }) => ({ id, number, total })),
  )
  const { json: unchanged } = await staff.get(`/invoices/${invoice.id}`)
  assert.deepEqual(unchanged, invoice)
})

test('of refunds of one line at once, and settlements beside them, none is too much and no number is missing', async () => {
  const staff = await owner()
  const invoice = await sell('femi', { lines: [soldLine('Sourdough', 1000)] })
  const dev = await readId('dev')
  const [line] = invoice.lines
  const one = { line_id: line.line_id, quantity: 0, amount: 400, tax_amount: 75 }
  const replies = await Promise.all([
    ...[1, 2, 3, 4].map(() =>
      staff.write('POST', '/sales/refunds', { invoice_id: invoice.id, reason: 'other', lines: [one] }),
    ),
    ...[1, 2, 3, 4].map(() => staff.write('POST', '/sales', saleTo(dev))),
    ...[1, 2, 3].map(() => staff.write('POST', '/sales/refunds', { ...buildRefund(invoice), fails: true })),
  ])
  assert.deepEqual(
    replies.map(({ status }) => status),
    [...replies.slice(0, 4).map(({ status }) => status), 201, 201, 201, 201, 500, 500, 500],
  )
  assert.equal(replies.slice(0, 4).filter(({ status }) => status === 201).length, 2, 'the third would be too much')
  const rows = await app.database.query<{ sequence: number; place: number }>(`
    select sequence, row_number() over (partition by school_id, kind, is_test, year order by sequence)::integer as place
    from invoices`)
  for (const { sequence, place } of rows) assert.equal(sequence, place)
})

test('documents of test payments are numbered by themselves, and say that they are none', async () => {
  const real = await sell('dev')
  const test = await sell('dev', { is_test: true })
  const next = await sell('dev')
  assert.equal(next.sequence, real.sequence + 1)
  assert.deepEqual([test.is_test, test.series], [true, `${test.series.split('-')[0]}-${test.year}-TEST`])
  const note = await credit(buildRefund(test))
  assert.deepEqual([note.is_test, note.series], [true, `${test.series}-CN`])
  const staff = await owner()
  const { json } = await staff.get('/invoices?is_test=true&limit=100')
  assert.ok(json.data.every((one: { is_test: boolean }) => one.is_test))
  assert.ok(json.data.some(({ id }: { id: string }) => id === test.id))
})

test('staff find invoices by day, kind, order, number and buyer, and read on in the order of commits', async () => {
  const staff = await owner()
  const invoice = await sell('eli')
  const note = await credit(buildRefund(invoice))
  const found = async (query: string) =>
    (await staff.get(`/invoices?${query}`)).json.data.map(({ id }: { id: string }) => id)
  assert.deepEqual(await found(`order_id=${invoice.order_id}`), [note.id, invoice.id])
  assert.deepEqual(await found(`order_id=${invoice.order_id}&kind=credit_note`), [note.id])
  assert.deepEqual(await found(`number=${invoice.number}`), [invoice.id])
  assert.deepEqual(await found(`number=${invoice.number.toLowerCase()}`), [])
  assert.deepEqual(await found(`order_id=${invoice.order_id}&sort=created_at`), [invoice.id, note.id])
  const today = invoice.issued_on
  const tomorrow = daysAfter(today, 1)
  const of = (more: string) => found(`order_id=${invoice.order_id}&${more}`)
  assert.equal((await of(`issued_on[gte]=${today}&issued_on[lt]=${tomorrow}`)).length, 2)
  assert.deepEqual(await of(`issued_on[lt]=${today}`), [])
  assert.deepEqual(await of(`issued_on[gte]=${tomorrow}`), [])
  assert.deepEqual(await of(`member_id=${await readId('femi')}`), [])
  assert.equal((await of(`member_id=${await readId('eli')}`)).length, 2)
  for (const wrong of ['2026-02-30', '0000-00-00', 'today', '2026-1-1'])
    assert.equal((await staff.get(`/invoices?issued_on[gte]=${wrong}`)).status, 400, wrong)
  await app.settled()
  const { json: page } = await staff.get(`/invoices?after=0&limit=100&order_id=${invoice.order_id}`)
  assert.deepEqual(page.data.map(({ id }: { id: string }) => id).sort(), [invoice.id, note.id].sort())
})

test('the CSV has a row for each rate, with amounts that can be summed', async () => {
  const staff = await owner()
  const invoice = await sell('dev', {
    lines: [soldLine('Sourdough', 4900), soldLine('Ticket', 2000, { tax_percent: '6' })],
    buyer: { name: 'Zoë', company: '=cmd', address: null, country: 'FR', tax_id: 'FR40303265045' },
  })
  await credit(buildRefund(invoice, 1))
  const rows = await readCsv(staff, `order_id=${invoice.order_id}&sort=created_at`)
  assert.deepEqual(
    rows.map(({ kind, rate, net, tax, total }) => [kind, rate, net, tax, total]),
    [
      ['invoice', '23', '39.84', '9.16', '49.00'],
      ['invoice', '6', '18.87', '1.13', '20.00'],
      ['credit_note', '23', '-39.84', '-9.16', '-49.00'],
    ],
  )
  const [row] = rows
  assert.deepEqual(
    [row?.number, row?.buyer_company, row?.buyer_tax_id, row?.tax_country, row?.currency, row?.id],
    // The apostrophe keeps spreadsheets from reading a formula.
    [invoice.number, "'=cmd", 'FR40303265045', 'PT', 'EUR', invoice.id],
  )
})

test('the day of issue is that of the school, and no later number has an earlier day', async () => {
  const staff = await owner()
  const zone = async (time_zone: string): Promise<string> => {
    const read = await staff.get('/school')
    const reply = await staff.write('PATCH', '/school', { time_zone }, { 'if-match': String(read.headers.etag) })
    assert.equal(reply.status, 200, reply.text)
    return read.json.time_zone
  }
  const usual = await zone('Pacific/Kiritimati')
  const east = await sell('dev')
  assert.equal(east.issued_on, dayAt(new Date(east.created_at), 'Pacific/Kiritimati'))
  await zone('Pacific/Midway')
  const west = await sell('dev')
  await zone(usual)
  const day = dayAt(new Date(west.created_at), 'Pacific/Midway')
  assert.ok(day < east.issued_on)
  // The days of the last hours of a year are in a series of their own.
  assert.equal(west.issued_on, west.year === east.year ? east.issued_on : day)
})
