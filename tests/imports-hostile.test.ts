import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { type ImportRow, importer } from '#testing/imports.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'

// With a mailbox the worker runs.
let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

type Importer = Awaited<ReturnType<typeof importer>>

const quote = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
const writeCsv = (rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(rows.map(cells => cells.map(quote).join()).join('\n'))

/** An import of a table whose columns are these fields, after its file was read. */
const readAs = async (ada: Importer, fields: readonly string[], rows: readonly (readonly string[])[]) => {
  const { json, status, text } = await ada.begin(writeCsv([fields.map((_, at) => `Heading ${at}`), ...rows]))
  assert.equal(status, 201, text)
  const read = await ada.read(json.id)
  assert.equal(read.status, 'ready', JSON.stringify(read.problem))
  const mapping = fields.map((field, column) => ({
    column,
    field,
    ...(field === 'joined_at' ? { format: 'day_month_year' } : {}),
  }))
  const changed = await ada.change(json.id, { mapping })
  assert.equal(changed.status, 200, changed.text)
  return json.id
}

const listCodes = ({ status, errors }: ImportRow): string =>
  errors.length === 0 ? status : errors.map(({ code, pointer }) => `${code} ${pointer}`).join('; ')

/** Checks, runs and undoes an import, whose rows have these results; afterwards nobody of it is left. */
const importAll = async (ada: Importer, id: string, expected: readonly string[]): Promise<void> => {
  assert.equal((await ada.check(id)).status, 'checked')
  const rows = await ada.listRows(id)
  assert.deepEqual(rows.map(listCodes), expected)
  for (const { errors } of rows) for (const { message } of errors) assert.match(message, /\w \w/)
  const done = await ada.run(id)
  assert.deepEqual([done.status, done.problem], ['completed', null])
  assert.deepEqual((await ada.listRows(id)).map(listCodes), expected)
  assert.equal((await ada.undo(id)).status, 'undone')
  const left = (await ada.listRows(id)).filter(({ status }) => status === 'kept')
  assert.deepEqual(left, [])
}

/** Imports values of one field, each for a person of their own, with their results. */
const importValues = async (field: string, results: readonly (readonly [value: string, result: string])[]) => {
  const ada = await importer(app, 'ada')
  const rows = results.map(([value], at) => [`${field.replace(/\W/g, '-')}-${at}@hostile.example`, value])
  const id = await readAs(ada, ['email', field], rows)
  await importAll(
    ada,
    id,
    results.map(([, result]) => result),
  )
}

test('addresses that are none fail by row, and a name in any script or with a formula is a text', async () => {
  const ada = await importer(app, 'ada')
  const rows: [string, string, string][] = [
    [`${'x'.repeat(400)}@hostile.example`, 'Long', 'email_invalid /email'],
    [
      `a@${'x'.repeat(63)}.${'y'.repeat(63)}.${'z'.repeat(63)}.${'z'.repeat(63)}.example`,
      'Long',
      'email_invalid /email',
    ],
    ['a@hostile', 'Short', 'email_invalid /email'],
    ['"a b"@hostile.example', 'Quoted', 'email_invalid /email'],
    ['=1+1', 'Formula', 'email_invalid /email'],
    ["=cmd|' /C calc'!A0", 'Formula', 'email_invalid /email'],
    ['a@xn--.example', 'Punycode', 'email_invalid /email'],
    ['a@[127.0.0.1]', 'Literal', 'email_invalid /email'],
    ['', 'Nobody', 'email_missing /email'],
    ['formula@hostile.example', '=HYPERLINK("https://a.example";"Click")', 'created'],
    ['hebrew@hostile.example', 'שלום עולם', 'created'],
    ['comma@hostile.example', 'Smith, Bob, Jr.', 'created'],
    ['long@hostile.example', 'x'.repeat(121), 'text_too_long /name'],
    ['unseen@hostile.example', '\u200b\u200b', 'created'],
    ['override@hostile.example', '\u202eevil', 'created'],
  ]
  const id = await readAs(
    ada,
    ['email', 'name'],
    rows.map(([email, name]) => [email, name]),
  )
  await importAll(
    ada,
    id,
    rows.map(([, , result]) => result),
  )
})

test('days that are in no calendar fail by row, and years beyond what can be stored, too', () =>
  importValues('joined_at', [
    ['31/02/2026', 'date_unreadable /joined_at'],
    ['00/00/0000', 'date_unreadable /joined_at'],
    ['0000-00-00', 'date_unreadable /joined_at'],
    ['01/01/0001', 'date_unreadable /joined_at'],
    ['01/01/99999', 'date_unreadable /joined_at'],
    ['-1', 'date_unreadable /joined_at'],
    ['31/12/9999', 'future /joined_at'],
    ['01/01/1900', 'created'],
    ['29/02/2024 25:00', 'date_unreadable /joined_at'],
    ['29/02/2024 23:59', 'created'],
  ]))

test('values that custom fields of each kind do not take fail by row', async () => {
  const ada = await importer(app, 'ada')
  const kinds = [
    { key: 'plain_text', type: 'text' },
    { key: 'a_number', type: 'number' },
    { key: 'yes_or_no', type: 'boolean' },
    { key: 'a_day', type: 'date' },
    { key: 'a_choice', type: 'choice', options: ['Rye', 'Spelt'] },
  ]
  for (const kind of kinds) {
    const { status, text } = await ada.write('POST', '/custom-fields', { ...kind, label: kind.key })
    assert.equal(status, 201, text)
  }
  await importValues('custom:plain_text', [
    ['x'.repeat(1000), 'created'],
    ['x'.repeat(1001), 'text_too_long /custom:plain_text'],
    ['4,91701E+11', 'digits_lost /custom:plain_text'],
  ])
  await importValues('custom:a_number', [
    ['12', 'created'],
    ['a dozen', 'number_unreadable /custom:a_number'],
    ['1e400', 'number_unreadable /custom:a_number'],
    ['9'.repeat(39), 'created'],
    ['9'.repeat(400), 'number_unreadable /custom:a_number'],
    ['Infinity', 'number_unreadable /custom:a_number'],
  ])
  await importValues('custom:yes_or_no', [
    ['perhaps', 'boolean_unreadable /custom:yes_or_no'],
    ['2', 'boolean_unreadable /custom:yes_or_no'],
    ['sim', 'created'],
  ])
  await importValues('custom:a_day', [
    ['2026-02-31', 'date_unreadable /custom:a_day'],
    ['0000-01-01', 'date_unreadable /custom:a_day'],
    ['2026-02-28', 'created'],
  ])
  await importValues('custom:a_choice', [
    ['Wheat', 'choice_unknown /custom:a_choice'],
    ['rye', 'created'],
  ])
})

test('a hundred cells of 10,000 characters are too much for a row, and for none of the others', async () => {
  const ada = await importer(app, 'ada')
  const wide = Array.from({ length: 99 }, () => 'x'.repeat(10_000))
  const fields = ['email', ...wide.map(() => 'ignore')]
  const id = await readAs(ada, fields, [
    ['wide@hostile.example', ...wide],
    ['narrow@hostile.example', ...wide.slice(0, 9), ...wide.slice(9).map(() => '')],
  ])
  await importAll(ada, id, ['row_too_large ', 'created'])
})

test('headings that are those of the report, of objects or whole numbers keep their columns', async () => {
  const ada = await importer(app, 'ada')
  const headings = [
    'email',
    '__proto__',
    'constructor',
    'member_id',
    'result',
    'result 2',
    'why',
    '2024',
    '',
    'column 9',
  ]
  const cells = ['odd@hostile.example', ...headings.slice(1).map((_, at) => `loaf ${at + 1}`)]
  const { json } = await ada.begin(writeCsv([headings, cells]))
  const { id, status, problem } = await ada.read(json.id)
  assert.equal(status, 'ready', JSON.stringify(problem))
  const mapping = headings.map((_, column) => ({ column, field: column === 0 ? 'email' : 'ignore' }))
  assert.equal((await ada.change(id, { mapping })).status, 200)
  await ada.check(id)
  const [row] = await ada.listRows(id)
  assert.deepEqual(Object.values(row?.values ?? {}).toSorted(), cells.toSorted())
  const [names = '', first = ''] = (await ada.readReport(id)).split('\r\n')
  assert.equal(
    names,
    'member_id,email,__proto__,constructor,member_id 2,result 2,result 2 2,why 2,2024 ,column 9,column 9 2,result,why',
  )
  assert.ok(first.startsWith(`,${cells.join()},created,`), first)
})
