import { after, before, test } from 'node:test'
import { testApp } from '../app.ts'
import { payAt } from '../mollie/connect.ts'
import { startMollie } from '../mollie/server.ts'
import { startStripe } from '../stripe/index.ts'
import { tryProvider } from './by-hand.ts'
import { openPort } from './port.ts'
import type { RunningProvider } from './provider.ts'

const app = testApp()
const post = async () => 200
const running = new Map<string, RunningProvider>()
before(async () => {
  const mollie = await startMollie({ reaches: () => true, post })
  payAt(mollie.origin)
  running.set('mollie', mollie)
  running.set('stripe', await startStripe({ post }))
})
after(async () => {
  for (const one of running.values()) await one.stop()
})

for (const name of ['stripe', 'mollie'])
  test(`what is tried by hand at ${name} passes at the server that stands for it`, async () => {
    const { secrets, controls } = running.get(name) ?? { secrets: {} }
    const provider = await openPort(app, name, secrets)
    await tryProvider(provider, async paymentId => {
      await controls?.act(paymentId, { does: 'pay', saves: 'works' })
    })
  })
