import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorsOfMapping } from './errors.rules.ts'
import type { CustomFieldShape, ImportKind } from './fields.rules.ts'
import { createRowReader } from './rows.rules.ts'

const CUSTOM: readonly CustomFieldShape[] = [
  { key: 'shirt', label: 'Shirt', type: 'choice', options: ['S', 'Médio'] },
  { key: 'birthday', label: 'Birthday', type: 'date', options: [] },
  { key: 'donation', label: 'Donation', type: 'number', options: [] },
  { key: 'vegan', label: 'Vegan', type: 'boolean', options: [] },
  { key: 'code', label: 'Code', type: 'text', options: [] },
]

/** Reads one row of these fields, each with its format behind a space. */
const read = (
  cells: Readonly<Record<string, string | null>>,
  kind: ImportKind = 'people',
  tags: readonly string[] = [],
) => {
  const mapping = Object.keys(cells).map((name, column) => {
    const [field = '', format] = name.split(' ')
    return format === undefined ? { column, field } : { column, field, format }
  })
  const readRow = createRowReader({ kind, mapping, customFields: CUSTOM, zone: 'Europe/Lisbon', tags })
  return readRow({ number: 7, cells: Object.values(cells) })
}

const EMAIL = { email: 'a@example.com' }

const values: readonly (readonly [cells: Readonly<Record<string, string>>, person: object])[] = [
  [{ email: ' Ann@Bücher.example ' }, { email: 'Ann@bücher.example' }],
  [{ email: 'Ann Lee <ann@example.com>' }, { email: 'ann@example.com' }],
  [{ email: 'mailto:ann@example.com' }, { email: 'ann@example.com' }],
  [{ name: 'Ann\nLee' }, { name: 'Ann Lee' }],
  [{ first_name: 'Ann', last_name: 'Lee' }, { name: 'Ann Lee' }],
  [{ first_name: 'Ann', name: 'Ann B. Lee' }, { name: 'Ann B. Lee' }],
  [{ phone: '＋３５１ 912–345–678' }, { phone: '+351 912-345-678' }],
  [{ phone: 'Tel. +351 912 345 678' }, { phone: '+351 912 345 678' }],
  [{ phone: '+351 912 345 678 ::: +351 213 456 789' }, { phone: '+351 912 345 678' }],
  [{ locale: 'pt_BR' }, { locale: 'pt-BR' }],
  [{ locale: 'Alemão' }, { locale: 'de' }],
  [{ time_zone: 'europe/lisbon' }, { time_zone: 'Europe/Lisbon' }],
  [{ tags: 'New; VIP,  vip|"Open Day"' }, { tags: ['new', 'open day', 'vip'] }],
  [{ 'groups bars': 'Math, Year 5|Art' }, { groups: ['Math, Year 5', 'Art'] }],
  [{ groups: '* myContacts ::: Team A' }, { groups: ['myContacts', 'Team A'] }],
  [{ note: 'First line\nsecond' }, { note: 'First line\nsecond' }],
  [{ marketing_consent: 'Sí' }, { marketing_consent: true }],
  [{ marketing_consent: 'NEIN' }, { marketing_consent: false }],
  [{ 'marketing_consent withdrawn': 'true' }, { marketing_consent: false }],
  [{ 'marketing_consent withdrawn': 'subscribed' }, { marketing_consent: true }],
  [{ marketing_consent: '2025-09-03 10:00' }, { marketing_consent: true }],
  [{ 'joined_at day_month_year': '03.04.2025' }, { joined_at: new Date('2025-04-02T23:00:00Z') }],
  [{ status: 'Suspended' }, { is_inactive: true }],
  [{ status: 'active' }, {}],
  [{ 'custom:shirt': 'medio' }, { custom_fields: { shirt: 'Médio' } }],
  [{ 'custom:birthday day_month_year': '25.12.1990' }, { custom_fields: { birthday: '1990-12-25' } }],
  [{ 'custom:donation decimal_comma': '1.250,5' }, { custom_fields: { donation: 1250.5 } }],
  [{ 'custom:vegan': 'oui', 'custom:code': ' x ' }, { custom_fields: { vegan: true, code: 'x' } }],
]

for (const [cells, expected] of values)
  test(`a row of ${JSON.stringify(cells)} is read`, () => {
    const { person, errors } = read({
      ...EMAIL,
      name: 'Someone',
      ...cells,
      ...('first_name' in cells && !('name' in cells) ? { name: null } : {}),
    })
    assert.deepEqual(errors, [])
    assert.deepEqual(person, { ...EMAIL, ...('first_name' in cells ? {} : { name: 'Someone' }), ...expected })
  })

const learning: readonly (readonly [cells: Readonly<Record<string, string>>, learning: object])[] = [
  [
    { course: 'slug-of-it', lesson: 'Dough' },
    { course: 'slug-of-it', lesson: 'Dough' },
  ],
  [{ 'enrolled_at year_month_day': '2025-01-02' }, { enrolled_at: new Date('2025-01-02T00:00:00Z') }],
  [{ 'access_ends_at year_month_day': '2025-01-02' }, { access_ends_at: new Date('2025-01-03T00:00:00Z') }],
  [{ 'percent_complete percent': '45,5 %' }, { percent_complete: 45.5 }],
  [{ 'percent_complete fraction': '0.07' }, { percent_complete: 7 }],
  [{ status: 'Abgeschlossen' }, { is_complete: true }],
  [{ status: 'in progress' }, {}],
  [{ status: 'refunded' }, { is_over: true }],
  [{ 'status active': 'no' }, { is_over: true }],
  [{ 'status active': 'yes' }, {}],
]

for (const [cells, expected] of learning)
  test(`a row of ${JSON.stringify(cells)} is read as learning`, () => {
    const row = read({ ...EMAIL, name: 'Someone', ...cells }, 'learning')
    assert.deepEqual([row.errors, row.learning], [[], expected])
  })

const refusals: readonly (readonly [cells: Readonly<Record<string, string | null>>, pointer: string, code: string])[] =
  [
    [{ email: null, name: 'Ann' }, '/email', 'email_missing'],
    [{ email: 'ann at example.com' }, '/email', 'email_invalid'],
    [{ email: 'a@example.com; b@example.com' }, '/email', 'email_invalid'],
    [{ ...EMAIL, name: 'x'.repeat(121) }, '/name', 'text_too_long'],
    [{ ...EMAIL, first_name: 'x'.repeat(70), last_name: 'y'.repeat(70) }, '/name', 'text_too_long'],
    [{ ...EMAIL, phone: '4,91701E+11' }, '/phone', 'digits_lost'],
    [{ ...EMAIL, phone: '912,345,678' }, '/phone', 'phone_invalid'],
    [{ ...EMAIL, phone: 'ask Ann' }, '/phone', 'phone_invalid'],
    [{ ...EMAIL, external_id: '1.23456E+15' }, '/external_id', 'digits_lost'],
    [{ ...EMAIL, 'custom:code': '4.9E+11' }, '/custom:code', 'digits_lost'],
    [{ ...EMAIL, 'custom:donation decimal_point': '4.9E+11' }, '/custom:donation', 'digits_lost'],
    [{ ...EMAIL, locale: 'the usual one' }, '/locale', 'locale_unknown'],
    [{ ...EMAIL, time_zone: 'Lisbon time' }, '/time_zone', 'time_zone_unknown'],
    [{ ...EMAIL, tags: 'x'.repeat(51) }, '/tags', 'text_too_long'],
    [{ ...EMAIL, tags: Array.from({ length: 51 }, (_, at) => at).join() }, '/tags', 'too_many'],
    [{ ...EMAIL, marketing_consent: 'maybe' }, '/marketing_consent', 'boolean_unreadable'],
    [{ ...EMAIL, 'joined_at day_month_year': '12/31/2025' }, '/joined_at', 'date_unreadable'],
    [{ ...EMAIL, joined_at: '03/04/2025' }, '/joined_at', 'date_unreadable'],
    [{ ...EMAIL, status: 'on the moon' }, '/status', 'status_unknown'],
    [{ ...EMAIL, 'custom:shirt': 'XXL' }, '/custom:shirt', 'choice_unknown'],
    [{ ...EMAIL, 'custom:vegan': '?' }, '/custom:vegan', 'boolean_unreadable'],
    [{ ...EMAIL, 'custom:gone': 'x' }, '/custom:gone', 'field_unknown'],
  ]

for (const [cells, pointer, code] of refusals)
  test(`a row of ${JSON.stringify(cells).slice(0, 80)} is refused as ${code}`, () => {
    const { errors } = read(cells)
    assert.deepEqual(
      errors.map(error => [error.pointer, error.code]),
      [[pointer, code]],
    )
    assert.match(errors[0]?.message ?? '', /: |is missing|not there/)
  })

test('without a name the beginning of the address is one, with a notice', () => {
  const { person, isNameGuessed, errors, notices } = read({ email: 'ann.lee@example.com', name: null })
  assert.deepEqual([person.name, isNameGuessed, errors], ['ann.lee', true, []])
  assert.deepEqual(
    notices.map(({ code }) => code),
    ['name_from_address'],
  )
})

test('of several telephone numbers the first is taken, with a notice', () => {
  const { person, errors, notices } = read({ ...EMAIL, name: 'Ann', phone: '912 345 678; 213 456 789' })
  assert.deepEqual([person.phone, errors], ['912 345 678', []])
  assert.deepEqual(
    notices.map(({ pointer, code }) => `${pointer} ${code}`),
    ['/phone first_taken'],
  )
})

test('what a row has not is absent, and tags of all rows are added to its own', () => {
  assert.deepEqual(read({ ...EMAIL, name: 'Ann', phone: null, tags: null }).person, { ...EMAIL, name: 'Ann' })
  assert.deepEqual(read({ ...EMAIL, name: 'Ann', tags: 'b' }, 'people', ['A']).person.tags, ['a', 'b'])
})

test('tags of several columns are those of one person, and every error of a row is said', () => {
  const mapping = [0, 1, 2].map(column => ({ column, field: column === 0 ? 'email' : 'tags' }))
  const options = { kind: 'people', mapping, customFields: [], zone: 'UTC', tags: [] } as const
  const readRow = createRowReader(options)
  assert.deepEqual(readRow({ number: 2, cells: ['a@example.com', 'b', 'a'] }).person.tags, ['a', 'b'])
  const { number, errors } = readRow({ number: 9, cells: ['a@', 'x'.repeat(51), null], fault: 'too_long' })
  assert.deepEqual(
    [number, errors.map(({ pointer, code }) => `${pointer} ${code}`)],
    [9, [' too_long', '/email email_invalid', '/tags text_too_long']],
  )
})

test('a mapping has errors where a column, a field or a format is not there, or is there twice', () => {
  const columns = ['Email', 'A', 'B', 'C'].map((heading, index) => ({ index, heading, samples: [] }))
  const list = (mapping: readonly { column: number; field: string; format?: string }[]) =>
    errorsOfMapping('people', mapping, columns, CUSTOM).map(({ pointer, code }) => `${pointer} ${code}`)
  const email = { column: 0, field: 'email' }
  assert.deepEqual(list([email, { column: 1, field: 'tags' }, { column: 2, field: 'tags' }]), [])
  assert.deepEqual(list([email, { column: 1, field: 'custom:shirt' }, { column: 2, field: 'ignore' }]), [])
  assert.deepEqual(list([{ column: 1, field: 'name' }]), ['/mapping email_missing'])
  assert.deepEqual(list([email, { column: 9, field: 'name' }]), ['/mapping/1/column unknown'])
  assert.deepEqual(list([email, { column: 0, field: 'name' }]), ['/mapping/1/column repeated'])
  assert.deepEqual(list([email, { column: 1, field: 'email' }]), ['/mapping/1/field repeated'])
  for (const field of ['course', 'custom:gone', 'constructor', ''])
    assert.deepEqual(list([email, { column: 1, field }]), ['/mapping/1/field unknown'])
  for (const [field, format] of [
    ['joined_at', 'decimal_comma'],
    ['name', 'separators'],
    ['joined_at', 'constructor'],
  ] as const)
    assert.deepEqual(list([email, { column: 1, field, format }]), ['/mapping/1/format unknown'])
})
