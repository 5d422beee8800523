import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameColumns, readCells } from '#testing/tables.ts'
import type { CustomFieldShape, ImportKind } from './fields.rules.ts'
import { guessMapping } from './guesses.rules.ts'
import { isKnownHeading } from './headings.rules.ts'

type Cells = readonly (string | null)[]

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
