import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  declareProvider,
  findDeclaredProvider,
  findProviderTitle,
  isOnline,
  listDeclaredProviders,
} from '#src/contract/payment-providers.ts'
import type { ProviderDeclaration } from '#src/contract/payments.ts'
import { inEach } from '#src/texts/index.ts'
import '#testing/outside-provider.ts'
import { filesUnder } from '../tools/violations.ts'

const ROOT = new URL('..', import.meta.url)

const outside = (): ProviderDeclaration => {
  const found = findDeclaredProvider('outside')
  assert.ok(found)
  return found
}

test('a provider whose name is taken or not valid, or whose secrets are not told apart, ends the start', () => {
  const before = listDeclaredProviders()
  const secret = {
    name: 'api_key',
    label: inEach(() => 'Key'),
    about: inEach(() => 'Key'),
    required: 'charge',
  } as const
  const cases: readonly (readonly [change: Partial<ProviderDeclaration>, says: RegExp])[] = [
    [{}, /outside is declared twice/],
    [{ name: 'free' }, /free is declared twice/],
    [{ name: 'manual' }, /manual is declared twice/],
    [{ name: 'Cards' }, /Cards is not a name/],
    [{ name: 'c' }, /c is not a name/],
    [{ name: 'cards\n' }, /is not a name/],
    [{ name: `c${'a'.repeat(31)}` }, /is not a name/],
    [{ name: 'cards', secrets: [{ ...secret, name: 'Key', pattern: /^k$/ }] }, /names of the secrets of cards/],
    [{ name: 'cards', secrets: [1, 2].map(() => ({ ...secret, pattern: /^k$/ })) }, /names of the secrets of cards/],
    [{ name: 'cards', secrets: [{ ...secret, pattern: /^k/ }] }, /does not say what the whole secret is/],
    [{ name: 'cards', secrets: [{ ...secret, pattern: /^k$|x$/m }] }, /does not say what the whole secret is/],
  ]
  for (const [change, says] of cases) assert.throws(() => declareProvider({ ...outside(), ...change }), says)
  assert.deepEqual(listDeclaredProviders(), before)
})

test('a payment by a provider that no area declares any more is still one of a provider, and is called by its name', () => {
  assert.deepEqual([isOnline('gone'), isOnline('free'), isOnline('manual')], [true, false, false])
  assert.deepEqual(findProviderTitle('gone'), { en: 'gone' })
  assert.equal(findProviderTitle('outside').en, 'Outside payments')
})

test('no file but those of its own area knows the name of a provider of cards', async () => {
  const root = ROOT.pathname
  const sources = filesUnder(root, 'src').filter(path => /\.ts$/.test(path))
  assert.ok(sources.length > 1000)
  const named: string[] = []
  for (const path of sources) {
    const [, area] = /^src\/areas\/shop\/(stripe|mollie)\//.exec(path) ?? []
    const text = await readFile(new URL(path, ROOT), 'utf8')
    for (const name of ['stripe', 'mollie'])
      if (name !== area && text.includes(`'${name}'`)) named.push(`${path}: ${name}`)
  }
  assert.deepEqual(named, [])
})
