import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Area } from '#src/contract/area.ts'
import { startApp, type TestApp } from '../app.ts'
import { ledgerTest } from '../ledger.ts'
import { type Mailbox, startMailbox } from '../mail.ts'
import { setProvider } from '../payments.ts'
import { PURCHASES, purchases } from '../purchases.ts'
import { createPost } from './post.ts'
import type { ProviderUnderTest, RunningProvider } from './provider.ts'
import { createScene, type Scene } from './scene.ts'

/** A school that is paid through providers, for the tests of a file: what they use, once they run. */
export const usePaidSchool = (providers: readonly ProviderUnderTest[], moreAreas: readonly Area[] = []) => {
  let app: Awaited<ReturnType<typeof startApp>> | undefined
  let mailbox: Mailbox | undefined
  const running = new Map<string, RunningProvider>()
  const getApp = (): TestApp => app ?? assert.fail('the application has not started')
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
  })
  return {
    test: ledgerTest({ database: { query: (text, values) => getApp().database.query(text, values) } }),
    openScene: (provider: ProviderUnderTest): Scene => {
      const { controls } = running.get(provider.name) ?? assert.fail('the provider has not started')
      return createScene(getApp(), provider, controls)
    },
  }
}
