import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type PersonName, type TestApp, testApp } from '#testing/app.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { printedInvoice, settledInvoice } from '#testing/printed-invoices.ts'
import { buildRefund, changeSeller, type Sale, sales, saleTo, sold, soldLine } from '#testing/sales.ts'

let mailbox: Mailbox
// With a worker, which prints.
const app: TestApp = testApp({
  moreAreas: [sales],
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const SCOPES = ['orders:read', 'members:read', 'school:read', 'school:write']
const owner = () => app.actor('ada', { scopes: SCOPES })

const readId = async (name: PersonName): Promise<string> =>
  (await (await owner()).get(`/members?email=${name}@crumb.example`)).json.data[0].id

const issue = async (more: Partial<Sale> = {}) => sold(await owner(), saleTo(await readId('dev'), more))

const settled = async (id: string) => settledInvoice(await owner(), id)
const printed = async (id: string) => printedInvoice(await owner(), id)

const has = (text: string, expected: readonly string[]): void => {
  for (const one of expected) assert.ok(text.includes(one), `${one} is not in: ${text}`)
}

const setSeller = () =>
  changeSeller(app, settings =>
    Object.assign(settings.legal ?? {}, {
      name: 'Crumb & Crust, Lda.',
      tax_id: 'PT509442013',
      registration: 'CRC Lisboa 509442013',
      address: {
        line1: 'Rua do Forno 12',
        line2: null,
        postal_code: '1200-194',
        city: 'Lisboa',
        region: null,
        country: 'PT',
      },
    }),
  )

const setLanguage = (language: 'en' | 'pt' | null) =>
  changeSeller(app, settings => Object.assign(settings.checkout ?? {}, { invoice_language: language }))

test('the PDF has seller, buyer, numbers, days, lines, tax by rate, totals and the payment', async () => {
  await setSeller()
  const { document, file, text } = await issue({
    lines: [
      soldLine('Sourdough from scratch', 4900),
      soldLine('Ticket: open bakery', 2000, { quantity: 2, unit_amount: 1100, discount_amount: 200, tax_percent: '6' }),
    ],
    buyer: {
      name: 'Zoë Söderström',
      company: 'Baking & Sons Ltd',
      address: { line1: '14 Old Mill Lane', postal_code: 'BA1 5LZ', city: 'Bath' },
      country: 'GB',
      tax_id: 'GB123456789',
    },
    withdrawal_waiver: 'Begin at once; I lose my right of withdrawal.',
  }).then(({ id }) => printed(id))
  has(text, [
    'Crumb & Crust, Lda.',
    'Rua do Forno 12',
    '1200-194 Lisboa',
    'Portugal',
    'Tax ID: PT509442013',
    'CRC Lisboa 509442013',
    'Invoice',
    document.number,
    'Billed to',
    'Baking & Sons Ltd',
    'Zoë Söderström',
    '14 Old Mill Lane',
    'BA1 5LZ Bath',
    'United Kingdom',
    'Tax ID: GB123456789',
    'ORD-231',
    'Sourdough from scratch',
    '€49.00',
    '-€2.00',
    '€18.87',
    'IVA 23% on €39.84',
    '€9.16',
    'IVA 6% on €18.87',
    '€1.13',
    '€58.71',
    '€69.00',
    'Paid on 20 November 2026 by Visa ending in 4242.',
    'Unit prices and discounts include tax.',
    'Begin at once; I lose my right of withdrawal.',
    'Page 1 of 1',
  ])
  assert.ok(!text.includes('TEST'))
  assert.equal(file.headers.get('content-type'), 'application/pdf')
  assert.match(
    String(file.headers.get('content-disposition')),
    new RegExp(`^inline; filename="${document.number}.pdf"`),
  )
  const facts = await app.database.query(
    `select from facts where type = 'invoice.printed' and payload->>'invoice_id' = $1`,
    [document.id],
  )
  assert.equal(facts.length, 1)
})

test('in Portuguese, with reverse charge and without tax, the PDF says so', async () => {
  await setLanguage('pt')
  const invoice = await issue({
    tax: { mode: 'exclusive', country: 'FR', reverse_charge: true },
    lines: [soldLine('Pão de centeio', 123456, { tax_percent: '0', tax_amount: 0, tax_name: null })],
    buyer: { name: null, company: 'Boulangerie du Coin', address: null, country: 'FR', tax_id: 'FR40303265045' },
    payment: { provider: 'manual', brand: null, last4: null, paid_at: '2026-11-20T10:00:00.000Z' },
  })
  const { text } = await printed(invoice.id)
  has(text, [
    'Fatura',
    'Faturado a',
    'Boulangerie du Coin',
    'França',
    'N.º fiscal: FR40303265045',
    'Autoliquidação',
    'Pago em 20 de novembro de 2026 por transferência bancária.',
    '1234,56 €',
    'Página 1 de 1',
  ])
  const free = await issue({
    tax: { mode: 'none', country: null, reverse_charge: false },
    lines: [soldLine('Aula aberta', 0, { tax_percent: '0', tax_amount: 0, tax_name: null })],
    payment: { provider: 'free', brand: null, last4: null, paid_at: '2026-11-20T10:00:00.000Z' },
  })
  const { text: ofFree } = await printed(free.id)
  has(ofFree, ['Não é cobrado imposto.', 'Nada havia a pagar.', '0,00 €'])
  for (const absent of ['Imposto', 'Desconto', 'Total sem imposto']) assert.ok(!ofFree.includes(absent), absent)
  await setLanguage(null)
})

test('a credit note names its invoice, and says what is refunded', async () => {
  const invoice = await issue({ lines: [soldLine('Sourdough', 4900), soldLine('Rye', 1000)] })
  const reply = await (await owner()).write('POST', '/sales/refunds', buildRefund(invoice, 1))
  const { document, text } = await printed(reply.json.id)
  has(text, [
    'Credit note',
    document.number,
    `This credit note reduces invoice ${invoice.number}.`,
    'For invoice',
    'Refund on request',
    'Sourdough',
    'Total refunded',
    '€49.00',
  ])
  for (const absent of ['Rye', 'Unit price ', 'Date of payment', 'Paid on']) assert.ok(!text.includes(absent), absent)
})

test('each page about a test payment says that it is not an invoice', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => soldLine(`Loaf ${index + 1}`, 100 + index))
  const invoice = await issue({ is_test: true, lines, payment: { ...saleTo('').payment, provider: 'test' } })
  const { texts } = await printed(invoice.id)
  assert.ok(texts.length > 1)
  for (const text of texts) has(text, ['TEST · not an invoice', invoice.number])
  has(texts[0] ?? '', ['No money was paid', 'must not be booked'])
})

test('an order of many lines has several pages, each with the header of the table and its number; totals follow the last line', async () => {
  const lines = Array.from({ length: 120 }, (_, index) =>
    soldLine(
      `Lesson ${index + 1}: rye, spelt and a starter of one’s own, in so many words that the line breaks`,
      1000 + index,
    ),
  )
  const { texts } = await printed((await issue({ lines })).id)
  assert.ok(texts.length >= 4, `${texts.length} pages`)
  for (const [index, text] of texts.entries()) {
    has(text, [`Page ${index + 1} of ${texts.length}`])
    if (text.includes('Lesson')) has(text, ['Description', 'Amount'])
  }
  const found = texts.flatMap(text => [...text.matchAll(/Lesson (\d+):/g)].map(([, number]) => Number(number)))
  assert.deepEqual(
    found,
    lines.map((_, index) => index + 1),
  )
  has(texts.find(text => text.includes('Lesson 120:')) ?? '', ['Total without tax', 'Total'])
  has(texts.at(-1) ?? '', ['Paid on'])
})

// One of each script for which there are fonts.
const NAMES = [
  'Zoë Söderström',
  'Łukasz Żółć',
  'Nguyễn Thị Hằng',
  'Ξένια Παπαδοπούλου',
  'Анна Щербакова',
  'Юлія Ґрунтенко',
  'मीरा शर्मा',
  'عمر بن محمد',
  'דוד כהן',
  'สมชาย ใจดี',
  '王小明',
  '高橋さくら',
  '김민준',
]

// Parts of words, and letters of joined scripts, are read back in other orders and forms than they were written.
const splitLetters = (text: string): ReadonlySet<string> =>
  new Set(text.normalize('NFKC').replace(/[\s\u200e\u200f]/gu, ''))

test('names and courses in every script are printed', async () => {
  const invoices = []
  for (const name of NAMES)
    invoices.push(
      await issue({
        lines: [soldLine(`${name} 12`, 4900)],
        buyer: { name, company: `${name} (Lda.)`, address: { line1: name, city: name }, country: 'PT', tax_id: null },
      }),
    )
  for (const [index, { id }] of invoices.entries()) {
    const { text } = await printed(id)
    const read = splitLetters(text)
    for (const letter of splitLetters(NAMES[index] ?? '')) assert.ok(read.has(letter), `${letter} is not in: ${text}`)
    has(text, ['€49.00'])
  }
})

test('a name that no font has blocks no sale: it is reported, and printed once there is a font', async () => {
  const [before, fox, after] = [
    await issue(),
    await issue({
      buyer: { name: 'Fox \u{1f98a}\u{13000}', company: null, address: null, country: 'PT', tax_id: null },
      lines: [soldLine('Baking', 4900)],
    }),
    await issue(),
  ]
  assert.deepEqual([fox.sequence, after.sequence], [before.sequence + 1, before.sequence + 2])
  const failed = await settled(fox.id)
  assert.deepEqual([failed.print_state, failed.missing_characters, failed.file], ['failed', ['\u{13000}'], null])
  await printed(after.id)
  const [job] = await app.database.query<{ later: boolean }>(
    `select due_at > stoa.now() + interval '23 hours' as later from jobs where kind = 'invoice'`,
  )
  assert.equal(job?.later, true, 'it is tried again after a day')
})

test('of hostile and endless texts, all is text on the pages', async () => {
  const long = 'Baking'.repeat(200)
  const invoice = await issue({
    lines: [soldLine(`<script>alert(1)</script> ${long}`, 4900), soldLine('\u202eevil', 100)],
    buyer: { name: '(\\Zoë) Tj ET', company: long, address: { line1: long, city: long }, country: 'XX', tax_id: long },
  })
  const { text } = await printed(invoice.id)
  has(text, ['<script>alert(1)</script>', '(\\Zoë) Tj ET', 'XX'])
})

test('in a school of another zone and locale, days and amounts are written as there', async () => {
  const staff = await owner()
  const read = await staff.get('/school')
  const change = async (body: object) => {
    const { headers } = await staff.get('/school')
    const reply = await staff.write('PATCH', '/school', body, { 'if-match': String(headers.etag) })
    assert.equal(reply.status, 200, reply.text)
  }
  await change({ locale: 'pt-BR', supported_locales: ['pt-BR'], time_zone: 'America/Sao_Paulo' })
  const invoice = await issue({
    currency: 'BRL',
    payment: { provider: 'outside', brand: null, last4: null, paid_at: '2026-11-20T02:00:00.000Z' },
  })
  const { text } = await printed(invoice.id)
  has(text, ['Fatura', 'R$ 49,00', 'Pago em 19 de novembro de 2026.'])
  await change({
    locale: read.json.locale,
    supported_locales: read.json.supported_locales,
    time_zone: read.json.time_zone,
  })
})
