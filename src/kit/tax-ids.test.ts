import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCountry } from './countries.ts'
import { taxIdError } from './tax-ids.ts'

// One number of the right form for each structure that VIES names, and what is close to it.
const cases: Readonly<Record<string, { readonly good: readonly string[]; readonly bad: readonly string[] }>> = {
  AT: { good: ['ATU12345678'], bad: ['AT12345678', 'ATU1234567', 'ATU123456789'] },
  BE: { good: ['BE0123456789', 'BE1123456789'], bad: ['BE2123456789', 'BE123456789'] },
  BG: { good: ['BG123456789', 'BG1234567890'], bad: ['BG12345678', 'BG12345678901'] },
  CY: { good: ['CY12345678X'], bad: ['CY123456789', 'CY1234567X'] },
  CZ: { good: ['CZ12345678', 'CZ123456789', 'CZ1234567890'], bad: ['CZ1234567', 'CZ12345678901'] },
  DE: { good: ['DE123456789'], bad: ['DE12345678', 'DE1234567890', 'de123456789', 'DE 123456789', '123456789'] },
  DK: { good: ['DK12345678'], bad: ['DK1234567', 'DK12 34 56 78'] },
  EE: { good: ['EE123456789'], bad: ['EE12345678'] },
  ES: { good: ['ESA12345678', 'ESA1234567B', 'ES12345678Z'], bad: ['ES123456789', 'ESA1234567'] },
  FI: { good: ['FI12345678'], bad: ['FI1234567'] },
  FR: { good: ['FR12345678901', 'FRXX123456789', 'FR1X123456789'], bad: ['FRIO123456789', 'FR1234567890'] },
  GR: { good: ['EL123456789'], bad: ['GR123456789', 'EL12345678'] },
  HR: { good: ['HR12345678901'], bad: ['HR1234567890'] },
  HU: { good: ['HU12345678'], bad: ['HU1234567'] },
  IE: { good: ['IE1234567W', 'IE1A23456B', 'IE1+23456B', 'IE1234567WA'], bad: ['IE12345678', 'IEA234567W'] },
  IT: { good: ['IT12345678901'], bad: ['IT1234567890'] },
  LT: { good: ['LT123456789', 'LT123456789012'], bad: ['LT1234567890'] },
  LU: { good: ['LU12345678'], bad: ['LU1234567'] },
  LV: { good: ['LV12345678901'], bad: ['LV1234567890'] },
  MT: { good: ['MT12345678'], bad: ['MT1234567'] },
  NL: { good: ['NL123456789B01', 'NL000099998B57'], bad: ['NL123456789A01', 'NL123456789B1'] },
  PL: { good: ['PL1234567890'], bad: ['PL123456789'] },
  PT: { good: ['PT123456789'], bad: ['PT12345678', 'PT1234567890', 'ES123456789'] },
  RO: { good: ['RO12', 'RO1234567890'], bad: ['RO1', 'RO12345678901'] },
  SE: { good: ['SE123456789012'], bad: ['SE12345678901'] },
  SI: { good: ['SI12345678'], bad: ['SI1234567'] },
  SK: { good: ['SK1234567890'], bad: ['SK123456789'] },
}

test('a tax id of each country of the EU has the form that VIES names', () => {
  assert.equal(Object.keys(cases).length, 27)
  for (const [country, { good, bad }] of Object.entries(cases)) {
    for (const taxId of good) assert.equal(taxIdError(taxId, country), undefined, taxId)
    for (const taxId of bad) assert.match(taxIdError(taxId, country) ?? '', /such as [A-Z]{2}/, taxId)
  }
})

test('the example in a refusal has the form that it explains', () => {
  for (const country of Object.keys(cases)) {
    const [, example = ''] = /such as (\S+),/.exec(taxIdError('x', country) ?? '') ?? []
    assert.equal(taxIdError(example, country), undefined, `${country}: ${example}`)
  }
})

test('elsewhere a tax id is any text', () => {
  for (const country of ['GB', 'US', 'BR', 'CH', 'NO'])
    assert.equal(taxIdError('12.345.678/0001-95', country), undefined)
})

test('the countries are those of ISO 3166-1', () => {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
  const codes = letters.flatMap(first => letters.map(second => first + second))
  const listed = codes.filter(isCountry)
  assert.equal(listed.length, 249)
  // Every code has a name; codes with a name that ISO 3166-1 does not assign are reserved or of other lists.
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  assert.deepEqual(
    listed.filter(code => names.of(code) === undefined),
    [],
  )
  for (const code of ['EU', 'UK', 'XI', 'XK', 'EL', 'AN', 'ZZ', 'pt', '', 'PRT', '__'])
    assert.ok(!isCountry(code), code)
})
