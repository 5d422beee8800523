import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatHex, mixed, parseRgb } from '#src/kit/color.ts'
import { defaults } from '../settings/rules.ts'
import { type Colors, colorNames } from '../settings/schema.ts'
import { computeContrasts, computeRatio, pairs, suggestionFor } from './rules.ts'

const seed = Number(process.env.STOA_TEST_SEED ?? 20_261_121)

const hex = fc.integer({ min: 0, max: 0xffffff }).map(value => `#${value.toString(16).padStart(6, '0')}`)
const colors: fc.Arbitrary<Colors> = fc.record({
  page: hex,
  sheet: hex,
  ink: hex,
  quiet: hex,
  line: hex,
  accent: hex,
  on_accent: hex,
  warn: hex,
  warn_ink: hex,
})

test('the built-in colors are those of the style sheet, and every pair passes', async () => {
  const css = await readFile(new URL('../../../../http/assets/base.css', import.meta.url), 'utf8')
  const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)')
  for (const [text, scheme] of [[light, defaults.colors.light] as const, [dark, defaults.colors.dark] as const])
    for (const name of colorNames) assert.match(text, new RegExp(`--${name.replace('_', '-')}: ${scheme[name]};`), name)
  assert.deepEqual(
    computeContrasts(defaults.colors).filter(({ passes }) => !passes),
    [],
  )
})

test('ratios are those of WCAG 2.2', () => {
  const at = (ink: string, page: string) =>
    computeRatio(
      { ...defaults.colors.light, ink, page },
      { foreground: 'ink', background: 'page', least: 4.5 },
    ).toFixed(2)
  assert.equal(at('#000000', '#ffffff'), '21.00')
  assert.equal(at('#ffffff', '#ffffff'), '1.00')
  assert.equal(at('#767676', '#ffffff'), '4.54')
  assert.equal(at('#777777', '#888888'), '1.26')
})

test('with the suggested colors a pair passes, and no color nearer on the same way does', () => {
  fc.assert(
    fc.property(colors, fc.constantFrom(...pairs), (set, pair) => {
      fc.pre(computeRatio(set, pair) < pair.least)
      const suggestion = suggestionFor(set, pair)
      const changed = { ...set, ...suggestion }
      assert.ok(computeRatio(changed, pair) >= pair.least, JSON.stringify(suggestion))
      if (Object.keys(suggestion).length > 1) return
      const own = parseRgb(set[pair.foreground])
      const ways = ['#000000', '#ffffff'].map(goal =>
        Array.from({ length: 255 }, (_, step) => formatHex(mixed(own, parseRgb(goal), (step + 1) / 255))),
      )
      const way = ways.find(steps => steps.includes(changed[pair.foreground])) ?? []
      const nearer = way.slice(0, way.indexOf(changed[pair.foreground]))
      for (const color of nearer)
        assert.ok(computeRatio({ ...set, [pair.foreground]: color }, pair) < pair.least, color)
    }),
    { numRuns: 300, seed },
  )
})
