import assert from 'node:assert/strict'
import { type BeginInput, type Provider, paymentProvider } from '#src/contract/payments.ts'
import type { School } from '#src/contract/school.ts'
import { purposeKey } from '#src/kit/crypto.ts'
import { type IdPrefix, newUuid, toId } from '#src/kit/ids.ts'
import type { TestApp } from '../app.ts'

/** The provider of a school with secrets, as the areas of the school get it. */
export const openPort = async (
  app: TestApp,
  name: string,
  secrets: Readonly<Record<string, string>>,
  school: School = app.a,
): Promise<Provider> => {
  const database = app.database.elsewhere()
  const keyFor = (purpose: string) => purposeKey(app.secret, purpose)
  const input = { name, database, secrets, keyFor }
  const all = await database.statements(school.id, db => paymentProvider.call(input, { db, school }))
  return all.find(one => one !== undefined) ?? assert.fail('there is no provider')
}

/** A new id of the API. */
export const newId = (prefix: IdPrefix): string => toId(prefix, newUuid(Date.now()))

/** What a page of 49 euros is opened with, unless the input says otherwise. */
export const buildPage = (more: Partial<BeginInput> = {}): BeginInput => ({
  paymentId: newId('pay'),
  memberId: newId('mem'),
  amount: 4900,
  currency: 'EUR',
  saves: false,
  reference: 'ORD-1',
  description: 'A course',
  returnUrl: 'https://school.example/back',
  cancelUrl: 'https://school.example/left',
  webhookUrl: 'https://school.example/webhooks/provider',
  begunAt: new Date(),
  endsAt: new Date(Date.now() + 3_600_000),
  locale: 'pt-PT',
  buyer: { email: 'dev@crumb.example', name: 'Dev', country: 'PT' },
  delays: 'allowed',
  ...more,
})
