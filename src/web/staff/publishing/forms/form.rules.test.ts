import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesIn, formatPart, rearranged, storedFields, toLocal, typedFields } from './form.rules.ts'

const at = { zone: 'Europe/Lisbon', me: 'mem_1', notify: [], language: 'en' as const }

const readClosing = (local: string): unknown => changesIn([['closes_at', local]], at).closes_at

test('closed at 23:59 local time of the school on the night of a clock change', () => {
  // Clocks in Lisbon go back on 25 October 2026 and forward on 28 March 2027.
  for (const [local, utc] of [
    ['2026-10-24T23:59', '2026-10-24T22:59:00.000Z'],
    ['2026-10-25T23:59', '2026-10-25T23:59:00.000Z'],
    ['2027-03-27T23:59', '2027-03-27T23:59:00.000Z'],
    ['2027-03-28T23:59', '2027-03-28T22:59:00.000Z'],
  ] as const) {
    assert.equal(readClosing(local), utc)
    assert.equal(toLocal(utc, at.zone), local)
  }
  assert.equal(readClosing(''), null)
})

const typed = (fields: readonly Readonly<Record<string, string>>[]): [string, string][] =>
  fields.flatMap((one, index) =>
    Object.entries({ id: `f_${index}`, ...one }).map(([name, value]): [string, string] => [
      `field.${index}.${name}`,
      value,
    ]),
  )

test('options keep the id that is written behind them, and get one of their words without', () => {
  const form = typed([{ type: 'choice', label: 'Topic', options: 'A visit | visit\r\nUma lição\n\n' }])
  assert.deepEqual(changesIn(form, at).fields[0]?.options, [
    { id: 'visit', label: 'A visit' },
    { id: 'uma_licao', label: 'Uma lição' },
  ])
})

test('fields are what they were after they are shown and sent again', () => {
  const field = {
    ...({ id: 'f_1', type: 'choice', label: 'Topic', help: 'One' } as const),
    ...{ required: true, pattern: null, min: null, max: null },
    options: [{ id: 'visit', label: 'A visit' }],
    show_if: { field_id: 'f_0', is: 'yes' },
  } as const
  const shown = storedFields({ fields: [{ ...field, options: [...field.options] }] })
  assert.deepEqual(changesIn(typed(shown), at).fields, [field])
})

test('the buttons move, remove and add fields, and no other button does', () => {
  const fields = typedFields(typed([{ label: 'a' }, { label: 'b' }, { label: 'c' }]))
  const labels = (act: string) =>
    rearranged(fields, act, 'f_new')
      ?.map(({ label }) => label)
      .join('')
  assert.deepEqual(['up-1', 'up-0', 'down-0', 'down-2', 'remove-1', 'add', 'save', 'up-7'].map(labels), [
    'bac',
    'abc',
    'bac',
    'abc',
    'ac',
    'abc',
    undefined,
    undefined,
  ])
  assert.equal(formatPart(2, 'label'), 'field.2.label')
})
