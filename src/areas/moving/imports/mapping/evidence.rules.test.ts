import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nameColumns, readCells } from '#testing/tables.ts'
import type { CustomFieldShape, ImportKind } from './fields.rules.ts'
import { guessMapping, resolveFormats } from './guesses.rules.ts'

type Cells = readonly (string | null)[]

const CUSTOM: readonly CustomFieldShape[] = [{ key: 'donation', label: 'Donation', type: 'number', options: [] }]

type Table = { readonly headings: readonly string[]; readonly rows: readonly Cells[]; readonly kind?: ImportKind }

const guess = ({ headings, rows, kind = 'people' }: Table) =>
  guessMapping({ kind, columns: nameColumns(headings), rows: readCells(rows), customFields: CUSTOM })

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
  const findOrder = async (...texts: string[]) => (await guess(DATES(...texts))).mapping[1]?.format
  assert.equal(await findOrder('03/04/2025', '13/04/2025'), 'day_month_year')
  assert.equal(await findOrder('03/04/2025', '04/13/2025', 'soon'), 'month_day_year')
  assert.equal(await findOrder('04/04/2025', '05/05/2025'), 'day_month_year')
  assert.equal(await findOrder('03/04/2025', '13/04/2025', '04/13/2025'), undefined)
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
