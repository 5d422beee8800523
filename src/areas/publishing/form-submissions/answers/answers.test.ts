import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from '#src/areas/publishing/forms/index.ts'
import { formatCell, listColumns } from './columns.rules.ts'
import { checkAnswers } from './rules.ts'
import type { AnswerInput } from './schema.ts'

const field = (id: string, type: Field['type'], more: Partial<Field> = {}): Field => ({
  ...{ id, type, label: `The ${id}`, help: '', required: false, options: [] },
  ...{ min: null, max: null, pattern: null, show_if: null, ...more },
})

const options = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
]

const listCodes = (one: Field, value: AnswerInput['value']): string[] =>
  checkAnswers([one], [{ field_id: one.id, value }]).errors.map(({ code }) => code)

test('each type of field takes what fits it and refuses the rest with a code', () => {
  const cases: readonly [Field, readonly AnswerInput['value'][], readonly [AnswerInput['value'], string][]][] = [
    [
      field('a', 'text', { max: 3 }),
      ['abc', 'ção'],
      [
        ['abcd', 'maxLength'],
        ['a\nb', 'line'],
        [3, 'type'],
      ],
    ],
    [field('a', 'text', { pattern: 'digits' }), ['007'], [['7a', 'pattern']]],
    [
      field('a', 'long_text', { min: 2 }),
      ['a\nb'],
      [
        ['a', 'minLength'],
        ['\u200b', 'words'],
      ],
    ],
    [
      field('a', 'email'),
      ['ines@example.com'],
      [
        ['ines@', 'email'],
        ['a@a.a.a'.repeat(7000), 'email'],
      ],
    ],
    [field('a', 'phone'), ['+351 210 000 000'], [['call me', 'phone']]],
    [
      field('a', 'url'),
      ['https://crumb.example/x'],
      [
        ['javascript:alert(1)', 'url'],
        ['crumb', 'url'],
      ],
    ],
    [
      field('a', 'number', { min: 1, max: 9 }),
      [1, 2.5],
      [
        [0, 'minimum'],
        [10, 'maximum'],
        ['1e400', 'type'],
        [Number.POSITIVE_INFINITY, 'type'],
      ],
    ],
    [
      field('a', 'date'),
      ['2028-02-29'],
      [
        ['2026-02-30', 'date'],
        ['tomorrow', 'date'],
      ],
    ],
    [field('a', 'choice', { options }), ['yes'], [['maybe', 'enum']]],
    [
      field('a', 'choices', { options, max: 1 }),
      [['no']],
      [
        [['yes', 'no'], 'maxItems'],
        [['yes', 'yes'], 'enum'],
        ['yes', 'type'],
      ],
    ],
    [
      field('a', 'scale'),
      [1, 5],
      [
        [0, 'bounds'],
        [6, 'bounds'],
        [2.5, 'bounds'],
      ],
    ],
    [field('a', 'consent'), [true], [['yes', 'type']]],
    [field('a', 'file'), [], [['upl_1', 'unknown']]],
  ]
  for (const [one, good, bad] of cases) {
    for (const value of good) assert.deepEqual(listCodes(one, value), [], `${one.type} ${JSON.stringify(value)}`)
    for (const [value, code] of bad)
      assert.deepEqual(listCodes(one, value), [code], `${one.type} ${JSON.stringify(value).slice(0, 40)}`)
  }
})

test('an answer that a condition hides is dropped, and not required', () => {
  const fields = [
    field('coming', 'choice', { options }),
    field('day', 'date', { required: true, show_if: { field_id: 'coming', is: 'yes' } }),
  ]
  const given = (coming: string) => [
    { field_id: 'coming', value: coming },
    { field_id: 'day', value: 'never' },
  ]
  const hidden = checkAnswers(fields, given('no'))
  assert.deepEqual([hidden.errors, hidden.answers.map(({ field_id: id }) => id)], [[], ['coming']])
  assert.deepEqual(
    checkAnswers(fields, given('yes')).errors.map(({ code }) => code),
    ['date'],
  )
  assert.deepEqual(checkAnswers(fields, given('yes').slice(0, 1)).errors, [
    { pointer: '/answers/day', code: 'required', message: 'is missing' },
  ])
})

test('an unknown field, two values for one and too much in all are refused', () => {
  const fields = [field('a', 'long_text')]
  const twice = [
    { field_id: 'a', value: 'one' },
    { field_id: 'a', value: 'two' },
    { field_id: 'b', value: 'three' },
  ]
  assert.deepEqual(
    checkAnswers(fields, twice).errors.map(({ pointer, code, message }) => [pointer, code, message]),
    [
      ['/answers/1/field_id', 'duplicate', 'has another answer at /answers/0'],
      ['/answers/2/field_id', 'unknown', 'is not a field of this version'],
    ],
  )
  const long = [{ field_id: 'a', value: 'x'.repeat(200_001) }]
  assert.deepEqual(
    checkAnswers(fields, long).errors.map(({ code }) => code),
    ['too_long'],
  )
})

test('a consent keeps the text that was agreed to; one that was not given is no answer', () => {
  const fields = [field('terms', 'consent', { label: 'I agree to the rules.' })]
  assert.deepEqual(checkAnswers(fields, [{ field_id: 'terms', value: true }]).answers, [
    { field_id: 'terms', type: 'consent', value: true, text: 'I agree to the rules.' },
  ])
  assert.deepEqual(checkAnswers(fields, [{ field_id: 'terms', value: false }]).answers, [])
})

test('columns stay the same over versions: one for each id, named by the newest label', () => {
  const versions = [
    { number: 1, fields: [field('a', 'text', { label: 'Name' }), field('b', 'text', { label: 'City' })] },
    { number: 2, fields: [field('c', 'text', { label: 'Zip' }), field('a', 'text', { label: 'Full name' })] },
  ]
  assert.deepEqual(
    listColumns(versions).map(({ name }) => name),
    ['Full name (a)', 'City (b)', 'Zip (c)'],
  )
  assert.equal(formatCell({ field_id: 'a', type: 'choices', value: ['x', 'y'] }), 'x, y')
})
