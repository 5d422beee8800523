import type { BeginInput, Provider } from '#src/contract/payments.ts'
import type { School } from '#src/contract/school.ts'
import type { TestApp } from '../app.ts'
import { buildPage as buildAnyPage, newId, openPort } from '../payment-suite/port.ts'

export { newId }

/** The provider of a school with a key, as the areas of the school get it. */
export const openProvider = (app: TestApp, apiKey: string, school?: School): Promise<Provider> =>
  openPort(app, 'mollie', { api_key: apiKey }, school)

/** What a page of 49 euros is opened with, unless the input says otherwise. */
export const buildPage = (more: Partial<BeginInput> = {}): BeginInput =>
  buildAnyPage({
    webhookUrl: 'https://school.example/webhooks/mollie',
    buyer: { email: 'dev@mail.example', name: 'Dev', country: 'NL' },
    ...more,
  })
