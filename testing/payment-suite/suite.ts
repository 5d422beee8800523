// One thing: every case of payments over every provider, with a table of what ran at its end.
import assert from 'node:assert/strict'
import { after, before, test as plainTest, suite } from 'node:test'
import type { Area } from '#src/contract/area.ts'
import { startApp, type TestApp } from '../app.ts'
import { ledgerTest } from '../ledger.ts'
import { type Mailbox, startMailbox } from '../mail.ts'
import { setProvider } from '../payments.ts'
import { PURCHASES, purchases } from '../purchases.ts'
import { moneyCases } from './cases/money.ts'
import { noticeCases } from './cases/notices.ts'
import { pageCases } from './cases/pages.ts'
import { savedCases } from './cases/saved.ts'
import { createPost } from './post.ts'
import type { ProviderUnderTest, RunningProvider } from './provider.ts'
import { type Case, createScene } from './scene.ts'

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
  let app: Awaited<ReturnType<typeof startApp>> | undefined
  let mailbox: Mailbox | undefined
  const running = new Map<string, RunningProvider>()
  const results = new Map<string, Result>()
  const getApp = (): TestApp => app ?? assert.fail('the application has not started')
  const test = ledgerTest({ database: { query: (text, values) => getApp().database.query(text, values) } })
  before(async () => {
    app = await startApp({
      moreAreas: [purchases, ...moreAreas],
      moreTables: PURCHASES,
      mailbox: async () => {
        mailbox = await startMailbox()
        return mailbox
      },
    })
    for (const provider of providers) {
      const one = await provider.start({ app, post: createPost(getApp, provider.name) })
      running.set(provider.name, one)
      await setProvider(app, provider.name, { secrets: one.secrets })
    }
  })
  after(async () => {
    await app?.stop()
    for (const one of running.values()) await one.stop()
    await mailbox?.stop()
    process.stdout.write(`${formatTable(providers, results)}\n`)
  })
  const run = async (provider: ProviderUnderTest, one: Case): Promise<void> => {
    const key = `${provider.name} ${one.name}`
    const { controls } = running.get(provider.name) ?? assert.fail('the provider has not started')
    results.set(key, 'failed')
    await one.run(createScene(getApp(), provider, controls))
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
