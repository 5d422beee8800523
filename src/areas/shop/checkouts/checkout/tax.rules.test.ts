import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeTaxation, errorsOfBuyer, isSameTaxation, needsCountry, type TaxBasis } from './tax.rules.ts'

const rates = [
  { country: 'PT', percent: '23', name: 'IVA' },
  { country: 'DE', percent: '19', name: 'USt' },
  { country: '*', percent: '7.5', name: 'VAT' },
]

const basis = (country: string | null, tax_id: string | null = null, tax: Partial<TaxBasis['tax']> = {}): TaxBasis => ({
  tax: { mode: 'inclusive', rates, taxed_at: { online: 'buyer' }, reverse_charge: true, ...tax },
  sellerCountry: 'PT',
  buyer: { country, tax_id },
})

test('the rate is that of the country of the buyer or of the school, and else that of all others', () => {
  const cases: readonly (readonly [basis: TaxBasis, rate: number, name: string | null, country: string | null])[] = [
    [basis('PT'), 230_000, 'IVA', 'PT'],
    [basis('DE'), 190_000, 'USt', 'DE'],
    [basis('BR'), 75_000, 'VAT', 'BR'],
    [basis(null), 75_000, 'VAT', null],
    [basis('DE', null, { taxed_at: { online: 'school' } }), 230_000, 'IVA', 'PT'],
    [basis('BR', null, { rates: rates.slice(0, 2) }), 0, null, 'BR'],
    [basis('DE', null, { mode: 'none' }), 0, null, null],
  ]
  for (const [given, rate, name, country] of cases) {
    const { reverseCharge, ...found } = computeTaxation(given)
    assert.deepEqual([found.rate, found.name, found.country, reverseCharge], [rate, name, country, false])
  }
})

test('only a business of another EU country with a VAT number owes the tax itself', () => {
  const charged = computeTaxation(basis('DE', 'DE123456789'))
  assert.deepEqual([charged.reverseCharge, charged.rate, charged.name, charged.country], [true, 0, null, 'DE'])
  const others = [
    basis('DE'),
    basis('PT', 'PT123456789'),
    basis('BR', '123'),
    basis('DE', 'DE123456789', { reverse_charge: false }),
    basis('DE', 'DE123456789', { mode: 'none' }),
    { ...basis('DE', 'DE123456789'), sellerCountry: null },
    { ...basis('DE', 'DE123456789'), sellerCountry: 'BR' },
  ]
  for (const one of others) assert.equal(computeTaxation(one).reverseCharge, false, JSON.stringify(one.buyer))
})

test('two countries with the same rate are taxed the same, and reverse charge is not', () => {
  assert.equal(isSameTaxation(computeTaxation(basis('BR')), computeTaxation(basis('US'))), true)
  assert.equal(isSameTaxation(computeTaxation(basis('BR')), computeTaxation(basis('PT'))), false)
  assert.equal(isSameTaxation(computeTaxation(basis('DE')), computeTaxation(basis('DE', 'DE123456789'))), false)
})

test('a country is needed where it decides the tax, and a tax id has the form of its country', () => {
  assert.equal(needsCountry(basis(null).tax), true)
  assert.equal(needsCountry({ ...basis(null).tax, mode: 'none' }), false)
  assert.equal(needsCountry({ ...basis(null).tax, taxed_at: { online: 'school' } }), false)
  const codes = (country: string | null, tax_id: string | null, isNeeded: boolean) =>
    errorsOfBuyer({ country, tax_id }, isNeeded).map(({ pointer, code }) => `${pointer} ${code}`)
  assert.deepEqual(codes(null, null, false), [])
  assert.deepEqual(codes(null, null, true), ['/billing/country required'])
  assert.deepEqual(codes(null, 'PT123456789', false), ['/billing/country required'])
  assert.deepEqual(codes('ZZ', null, false), ['/billing/country country'])
  assert.deepEqual(codes('PT', 'PT12', false), ['/billing/tax_id tax_id'])
  assert.deepEqual(codes('US', 'anything', true), [])
})
