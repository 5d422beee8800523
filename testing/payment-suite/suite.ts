// One thing: every case of payments over every provider, with a table of what ran at its end.
import assert from 'node:assert/strict'
import { after, test as plainTest, suite } from 'node:test'
import type { Area } from '#src/contract/area.ts'
import { moneyCases } from './cases/money.ts'
import { noticeCases } from './cases/notices.ts'
import { pageCases } from './cases/pages.ts'
import { savedCases } from './cases/saved.ts'
import type { ProviderUnderTest } from './provider.ts'
import type { Case } from './scene.ts'
import { usePaidSchool } from './school.ts'

/** All cases of the suite. */
export const cases: readonly Case[] = [...pageCases, ...moneyCases, ...savedCases, ...noticeCases]

const isFor = ({ needs }: Case, { can }: ProviderUnderTest): boolean => needs.every(name => can[name])

type Result = 'passed' | 'failed' | 'skipped'

/** The table of results: a line for each case, a column for each provider. */
const formatTable = (providers: readonly ProviderUnderTest[], results: ReadonlyMap<string, Result>): string => {
  const width = Math.max(...cases.map(({ name }) => name.length))
  const cells = (name: string): string =>
    providers.map(one => (results.get(`${one.name} ${name}`) ?? '-').padEnd(10)).join('')
  const head = `${'case'.padEnd(width)}  ${providers.map(({ name }) => name.padEnd(10)).join('')}`
  return [head, ...cases.map(({ name }) => `${name.padEnd(width)}  ${cells(name)}`)]
    .map(line => line.trimEnd())
    .join('\n')
}

/** Declares the tests of the suite: every case over every provider that can do it. A case that no real adapter runs fails. */
export const runPaymentSuite = (providers: readonly ProviderUnderTest[], moreAreas: readonly Area[] = []): void => {
  const { test, openScene } = usePaidSchool(providers, moreAreas)
  const results = new Map<string, Result>()
  after(() => {
    process.stdout.write(`${formatTable(providers, results)}\n`)
  })
  const run = async (provider: ProviderUnderTest, one: Case): Promise<void> => {
    const key = `${provider.name} ${one.name}`
    results.set(key, 'failed')
    await one.run(openScene(provider))
    results.set(key, 'passed')
  }
  for (const provider of providers)
    suite(`payments by ${provider.name}`, () => {
      for (const one of cases)
        if (isFor(one, provider)) test(one.name, () => run(provider, one))
        else results.set(`${provider.name} ${one.name}`, 'skipped')
    })
  plainTest('every case runs over an adapter that schools use', () => {
    const real = providers.filter(({ isReal }) => isReal)
    const left = cases.filter(one => !real.some(provider => isFor(one, provider)))
    assert.deepEqual(
      left.map(({ name }) => name),
      [],
    )
  })
}
