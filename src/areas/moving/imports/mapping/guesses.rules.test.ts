import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Column } from '#src/kit/tabular/index.ts'
import type { CustomFieldShape, ImportKind } from './fields.rules.ts'
import { guessMapping, resolveFormats } from './guesses.rules.ts'
import { isKnownHeading } from './headings.rules.ts'

type Cells = readonly (string | null)[]

async function* readCells(rows: readonly Cells[]) {
  for (const [at, cells] of rows.entries()) yield { number: at + 2, cells }
}

const nameColumns = (headings: readonly string[]): Column[] =>
  headings.map((heading, index) => ({ index, heading, samples: [] }))

const CUSTOM: readonly CustomFieldShape[] = [
  { key: 'shirt', label: 'Tamanho da camisola', type: 'choice', options: ['S', 'M', 'L'] },
  { key: 'birthday', label: 'Birthday', type: 'date', options: [] },
  { key: 'donation', label: 'Donation', type: 'number', options: [] },
]

type Table = { readonly headings: readonly string[]; readonly rows: readonly Cells[]; readonly kind?: ImportKind }

const guess = ({ headings, rows, kind = 'people' }: Table) =>
  guessMapping({ kind, columns: nameColumns(headings), rows: readCells(rows), customFields: CUSTOM })

const listFields = async (table: Table): Promise<string[]> => {
  const { mapping } = await guess(table)
  return mapping.map(({ field, format }) => (format === undefined ? field : `${field} ${format}`))
}

const guesses: readonly (readonly [why: string, table: Table, expected: readonly string[]])[] = [
  [
    'headings of five languages, with accents, case and punctuation',
    {
      headings: ['E-MAIL *', 'prénom', 'Nachname (Pflicht)', 'Telemóvel:', 'Zona horaria', 'IDIOMA'],
      rows: [['a@example.com', 'Ann', 'Lee', '912 345 678', 'Europe/Madrid', 'español']],
    },
    ['email', 'first_name', 'last_name', 'phone', 'time_zone', 'locale'],
  ],
  [
    'addresses wherever they are, and not where a heading alone says so',
    {
      headings: ['E-mail', 'Contact'],
      rows: [
        ['yes', 'a@example.com'],
        ['no', 'b@example.com'],
      ],
    },
    ['ignore', 'email'],
  ],
  [
    'the column with more addresses where no heading is known',
    {
      headings: ['A', 'B'],
      rows: [
        ['a@example.com', 'x@example.com'],
        ['b@example.com', null],
      ],
    },
    ['email', 'ignore'],
  ],
  [
    'names without headings',
    {
      headings: ['', ''],
      rows: [
        ['Ann Lee', 'a@example.com'],
        ['Bo Rye', 'b@example.com'],
      ],
    },
    ['name', 'email'],
  ],
  [
    'Name beside Vorname is the last name',
    { headings: ['Name', 'Vorname', 'E-Mail'], rows: [['Müller', 'Jan', 'j@example.com']] },
    ['last_name', 'first_name', 'email'],
  ],
  [
    'nombre beside apellidos is the first name',
    { headings: ['Nombre', 'Apellidos', 'Correo'], rows: [['Ana', 'Ruiz', 'a@example.com']] },
    ['first_name', 'last_name', 'email'],
  ],
  [
    'Tag is a day in German',
    { headings: ['Email', 'Tag'], rows: [['a@example.com', '03.09.2025']] },
    ['email', 'ignore'],
  ],
  [
    'Tag is a label in English',
    { headings: ['Email', 'Tag'], rows: [['a@example.com', 'vip']] },
    ['email', 'tags separators'],
  ],
  [
    'Note is a grade in German and French',
    { headings: ['Email', 'Note'], rows: [['a@example.com', '1,3']] },
    ['email', 'ignore'],
  ],
  [
    'estado is a status, or a state of Brazil',
    {
      headings: ['Email', 'Estado'],
      rows: [
        ['a@example.com', 'SP'],
        ['b@example.com', 'RJ'],
      ],
    },
    ['email', 'ignore'],
  ],
  [
    'estado is a status where its words are',
    {
      headings: ['Email', 'Estado'],
      rows: [
        ['a@example.com', 'Ativo'],
        ['b@example.com', 'Suspenso'],
      ],
    },
    ['email', 'status active'],
  ],
  [
    'a status of a mailing list is a consent',
    {
      headings: ['Email', 'Status'],
      rows: [
        ['a@example.com', 'subscribed'],
        ['b@example.com', 'unsubscribed'],
      ],
    },
    ['email', 'marketing_consent granted'],
  ],
  [
    'unsubscribed is the opposite of a consent',
    {
      headings: ['Email', 'Unsubscribed'],
      rows: [
        ['a@example.com', 'true'],
        ['b@example.com', 'false'],
      ],
    },
    ['email', 'marketing_consent withdrawn'],
  ],
  [
    'subscribed with dates is when somebody said so',
    { headings: ['Email', 'Opted in'], rows: [['a@example.com', '2025-09-03 10:00:00']] },
    ['email', 'marketing_consent granted'],
  ],
  [
    'completed is a date',
    {
      kind: 'learning',
      headings: ['Email', 'Completed'],
      rows: [
        ['a@example.com', '2025-09-03'],
        ['b@example.com', null],
      ],
    },
    ['email', 'completed_at year_month_day'],
  ],
  [
    'completed is a percentage',
    {
      kind: 'learning',
      headings: ['Email', 'Completed'],
      rows: [
        ['a@example.com', '45 %'],
        ['b@example.com', '100 %'],
      ],
    },
    ['email', 'percent_complete percent'],
  ],
  [
    'completed is a yes or a no',
    {
      kind: 'learning',
      headings: ['Email', 'Concluído'],
      rows: [
        ['a@example.com', 'sim'],
        ['b@example.com', 'não'],
      ],
    },
    ['email', 'status completed'],
  ],
  [
    'active is a status of which a yes completes nothing',
    { kind: 'learning', headings: ['Email', 'Active'], rows: [['a@example.com', 'yes']] },
    ['email', 'status active'],
  ],
  [
    'parts of 1 are percentages where all are',
    {
      kind: 'learning',
      headings: ['Email', 'Progress'],
      rows: [
        ['a@example.com', '0.45'],
        ['b@example.com', '1'],
      ],
    },
    ['email', 'percent_complete fraction'],
  ],
  [
    'numbers of rows and ids of our own are no ids of people',
    {
      headings: ['Email', 'ID', 'User ID'],
      rows: [
        ['a@example.com', '1', 'mem_01hw000000e008008000000001'],
        ['b@example.com', '2', 'mem_01hw000000e008008000000002'],
      ],
    },
    ['email', 'ignore', 'ignore'],
  ],
  [
    'each field has one column, the one with the clearest heading that has values, and tags have several',
    {
      headings: ['Email', 'E-mail 2', 'Phone', 'Mobile', 'Tags', 'Labels'],
      rows: [['a@example.com', 'x@example.com', null, '912 345 678', 'a', 'b']],
    },
    ['email', 'ignore', 'ignore', 'phone', 'tags separators', 'tags separators'],
  ],
  [
    'custom fields by label and key, and choices by their values',
    {
      headings: ['Email', 'TAMANHO DA CAMISOLA', 'birthday', 'Donation'],
      rows: [
        ['a@example.com', 'm', '25.12.1990', '1.250,50'],
        ['b@example.com', 'S', '1.2.1991', '3'],
      ],
    },
    ['email', 'custom:shirt', 'custom:birthday day_month_year', 'custom:donation decimal_comma'],
  ],
  [
    'fields of learning are not guessed for people',
    { headings: ['Email', 'Course', 'Progress'], rows: [['a@example.com', 'Bread', '50']] },
    ['email', 'ignore', 'ignore'],
  ],
]

for (const [why, table, expected] of guesses)
  test(`a guess: ${why}`, async () => {
    assert.deepEqual(await listFields(table), expected)
  })

const DATES = (...texts: string[]): Table => ({
  headings: ['Email', 'Joined'],
  rows: texts.map((text, at) => [`a${at}@example.com`, text]),
})

test('dates that fit two orders wait for a choice, with three samples of both', async () => {
  const { mapping, ambiguous } = await guess(DATES('4/4/2025', '03/04/2025', '05/06/2025', '07/08/2025', '09/10/2025'))
  assert.deepEqual(mapping[1], { column: 1, field: 'joined_at' })
  assert.deepEqual(ambiguous, [
    {
      column: 1,
      field: 'joined_at',
      formats: [
        {
          format: 'day_month_year',
          samples: [
            { text: '03/04/2025', read: '2025-04-03' },
            { text: '05/06/2025', read: '2025-06-05' },
            { text: '07/08/2025', read: '2025-08-07' },
          ],
        },
        {
          format: 'month_day_year',
          samples: [
            { text: '03/04/2025', read: '2025-03-04' },
            { text: '05/06/2025', read: '2025-05-06' },
            { text: '07/08/2025', read: '2025-07-08' },
          ],
        },
      ],
    },
  ])
})

test('one date decides the order of all, one that is none changes nothing, and days that are both orders need no choice', async () => {
  const orderOf = async (...texts: string[]) => (await guess(DATES(...texts))).mapping[1]?.format
  assert.equal(await orderOf('03/04/2025', '13/04/2025'), 'day_month_year')
  assert.equal(await orderOf('03/04/2025', '04/13/2025', 'soon'), 'month_day_year')
  assert.equal(await orderOf('04/04/2025', '05/05/2025'), 'day_month_year')
  assert.equal(await orderOf('03/04/2025', '13/04/2025', '04/13/2025'), undefined)
})

test('percentages of 0 and 1 alone wait for a choice', async () => {
  const rows = [
    ['a@example.com', '0'],
    ['b@example.com', '1'],
  ]
  const { ambiguous } = await guess({ kind: 'learning', headings: ['Email', 'Progress'], rows })
  assert.deepEqual(
    ambiguous.map(({ formats }) => formats),
    [
      [
        { format: 'percent', samples: [{ text: '1', read: '1 %' }] },
        { format: 'fraction', samples: [{ text: '1', read: '100 %' }] },
      ],
    ],
  )
})

const resolve = (mapping: readonly { column: number; field: string; format?: string }[], rows: readonly Cells[]) =>
  resolveFormats({
    kind: 'people',
    mapping,
    columns: nameColumns(['Email', 'When', 'Opt-out']),
    rows: readCells(rows),
    customFields: CUSTOM,
    source: 'other',
  })

test('formats that a person did not choose are found, and those they chose stay', async () => {
  const rows = [['a@example.com', '03/04/2025', 'yes']]
  const open = await resolve(
    [
      { column: 1, field: 'joined_at' },
      { column: 2, field: 'marketing_consent' },
    ],
    rows,
  )
  assert.deepEqual(open.mapping, [
    { column: 1, field: 'joined_at' },
    { column: 2, field: 'marketing_consent', format: 'withdrawn' },
  ])
  assert.deepEqual(
    open.ambiguous.map(({ column }) => column),
    [1],
  )
  const chosen = [{ column: 1, field: 'joined_at', format: 'month_day_year' }]
  assert.deepEqual(await resolve(chosen, rows), { mapping: chosen, ambiguous: [] })
})

test('numbers of any size with decimals are read back from a column, or wait for a choice', async () => {
  const amount = fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map(cents => cents / 100)
  for (const [locale, meant] of [
    ['en-GB', 'decimal_point'],
    ['de-DE', 'decimal_comma'],
    ['pt-PT', 'decimal_comma'],
    ['fr-FR', 'decimal_comma'],
  ] as const)
    for (const options of [{}, { useGrouping: false }, { minimumFractionDigits: 2 }, { maximumFractionDigits: 0 }])
      await fc.assert(
        fc.asyncProperty(fc.array(amount, { minLength: 1, maxLength: 6 }), async amounts => {
          const style = new Intl.NumberFormat(locale, options)
          const rows = amounts.map((one, at) => [`a${at}@example.com`, style.format(one)])
          const { mapping, ambiguous } = await guess({ headings: ['Email', 'Donation'], rows })
          const format = mapping[1]?.format ?? ambiguous[0]?.formats.find(one => one.format === meant)?.format
          const isAlike = rows.every(([, text]) => !/[.,]/.test(text ?? ''))
          assert.equal(isAlike ? meant : format, meant, rows.join(' | '))
        }),
        { numRuns: 25 },
      )
})

test('headings of programs are known, and what people write in cells is not', () => {
  const known = [
    'Email Address',
    'FNAME',
    'E-mail 1 - Value',
    'Phone 1 - Value',
    'OPTIN_TIME',
    'Group Membership',
    'TAGS',
  ]
  assert.deepEqual(
    known.filter(heading => !isKnownHeading(heading)),
    [],
  )
  const unknown = ['a@example.com', 'Ann Lee', '2025', '', '-', 'vip, new', 'Lisboa', 'constructor', '__proto__']
  assert.deepEqual(unknown.filter(isKnownHeading), [])
})
