import { put, render, startEntry } from './books.ts'
import type { StripeCall } from './calls.ts'
import { listOf } from './lists.ts'
import { invalid, need, pick, pickAll } from './request.ts'

const createEndpoint: StripeCall['handle'] = ({ store }, { fields, expand }) => {
  const url = need(fields, 'url')
  const endpoint = put(store.endpoints, {
    ...startEntry(store, 'we', 'webhook_endpoint', pickAll(fields, 'metadata')),
    url,
    status: 'enabled',
    api_version: pick(fields, 'api_version') ?? null,
    description: pick(fields, 'description') ?? null,
    enabled_events: Object.values(pickAll(fields, 'enabled_events')),
  })
  // It is answered once, and never again.
  return { ...render(store, endpoint, expand), secret: `whsec_${endpoint.id.slice(3)}` }
}

const deleteEndpoint: StripeCall['handle'] = ({ store }, _, id) => {
  if (!store.endpoints.delete(id)) throw invalid('resource_missing', `No such webhook endpoint: '${id}'`, 'id')
  return { id, object: 'webhook_endpoint', deleted: true }
}

const isUnknown: StripeCall['handle'] = (_, __, id) => {
  throw invalid('resource_missing', `No such object: '${id}'`, 'id')
}

/** The calls by which an account is checked and connected. What is asked with an id that cannot exist is never found. */
export const accountCalls: readonly StripeCall[] = [
  {
    route: 'GET /v1/account',
    names: [],
    handle: ({ store }) => ({
      id: 'acct_stoa',
      object: 'account',
      country: 'DE',
      business_profile: { name: 'Crumb' },
      charges_enabled: store.isReady,
      capabilities: store.capabilities,
      settings: { payouts: { debit_negative_balances: true, schedule: { interval: store.payouts, delay_days: 7 } } },
    }),
  },
  {
    route: 'POST /v1/webhook_endpoints',
    names: ['url', 'enabled_events.*', 'api_version', 'description', 'metadata.*'],
    handle: createEndpoint,
  },
  {
    route: 'GET /v1/webhook_endpoints',
    names: ['limit', 'starting_after'],
    handle: (place, asked) => listOf(place, asked, [...place.store.endpoints.values()]),
  },
  { route: 'DELETE /v1/webhook_endpoints/:id', names: [], handle: deleteEndpoint },
  { route: 'POST /v1/payment_intents/:id/cancel', names: [], handle: isUnknown },
  { route: 'GET /v1/payment_methods/:id', names: [], handle: isUnknown },
  { route: 'GET /v1/balance_transactions/:id', names: [], handle: isUnknown },
  { route: 'GET /v1/payouts/:id', names: [], handle: isUnknown },
]
