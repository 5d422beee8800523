import type Stripe from 'stripe'
import type { Connected } from '#src/contract/payments.ts'
import { type Account, API_VERSION, type Client, openClient, unlessMissing } from './client.lookups.ts'
import { webhookEvents } from './provider.rules.ts'

const OURS = { stoa: 'yes' }

// An earlier one whose secret was never answered would be refused for ever.
const deleteOthers = async ({ stripe, options }: Client, made: Stripe.WebhookEndpoint): Promise<void> => {
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 }, options())
  const others = data.filter(one => one.id !== made.id && one.url === made.url && one.metadata.stoa === OURS.stoa)
  for (const { id } of others) await unlessMissing(stripe.webhookEndpoints.del(id, {}, options()))
}

/** Makes the endpoint for our webhook. Its secret is answered once, here. */
export const connectEndpoint = async (account: Account, url: string): Promise<Connected> => {
  const client = await openClient(account)
  const { stripe, options } = client
  const made = await stripe.webhookEndpoints.create(
    { url, enabled_events: [...webhookEvents], api_version: API_VERSION, description: 'Stoa', metadata: OURS },
    options(),
  )
  if (made.secret === undefined) throw new Error('the endpoint has no secret')
  await deleteOthers(client, made)
  return { ref: made.id, events: webhookEvents, secrets: { webhook_secret: made.secret } }
}

/** Deletes an endpoint; nothing happens when it is gone. */
export const disconnectEndpoint = async (account: Account, ref: string): Promise<void> => {
  const { stripe, options } = await openClient(account)
  await unlessMissing(stripe.webhookEndpoints.del(ref, {}, options()))
}
