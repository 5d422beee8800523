import assert from 'node:assert/strict'
import type { ProviderName } from '#src/areas/selling/index.ts'
import { areas } from '#src/areas.ts'
import { openDatabase } from '#src/db/database.ts'
import { asOperator } from '../src/commands/as-operator.ts'
import type { TestApp } from './app.ts'
import type { TestReply } from './http.ts'
import type { Purchase } from './purchases.ts'
import { until } from './until.ts'

/** Sets a payment provider of the first school, as the operator does. */
export const setProvider = async (app: TestApp, provider: ProviderName, body: object = {}): Promise<void> => {
  const database = openDatabase(app.database.appUrl)
  const parts = { database, secret: app.secret, storage: { folder: app.folder }, school: app.a, areas }
  try {
    await asOperator(parts, async (performAs, at) => {
      await performAs(at, { operation: 'setPaymentProvider', params: { provider }, body })
    })
  } finally {
    await database.close()
  }
}

/** Has the area of purchases do something, and returns its reply. */
export const act = (app: TestApp, name: string, input: object = {}): Promise<TestReply> =>
  app.send({
    method: 'POST',
    path: '/purchases',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ act: name, ...input }),
  })

/** The same, which has to succeed. */
export const done = async <T = Purchase>(app: TestApp, name: string, input: object = {}): Promise<T> => {
  const { status, json, text } = await act(app, name, input)
  assert.equal(status, 200, text)
  return json
}

/** A purchase as it is now. */
export const purchaseNow = (app: TestApp, { id }: { readonly id: string }): Promise<Purchase> =>
  done(app, 'read', { id })

/** Waits until a purchase is as expected, and returns it. */
export const purchaseWhen = async (
  app: TestApp,
  purchase: { readonly id: string },
  expected: (now: Purchase) => boolean,
  awaited: string,
): Promise<Purchase> => {
  let now = await purchaseNow(app, purchase)
  await until(async () => {
    now = await purchaseNow(app, purchase)
    return expected(now)
  }, awaited).catch((error: unknown) => {
    throw new Error(`${awaited}: ${JSON.stringify(now)}`, { cause: error })
  })
  return now
}
