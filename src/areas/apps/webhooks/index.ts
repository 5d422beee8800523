import { area } from '#src/contract/area.ts'
import { DISTRIBUTION_JOB } from '#src/db/fact-channel.ts'
import { deliveryOperations } from './deliveries/operations.ts'
import { createDistribution } from './distribution/jobs.ts'
import { implementations } from './implementations.ts'
import { createSending } from './sending/jobs.ts'
import { webhookMails } from './sending/mails.ts'
import { sweepDeliveries } from './sweeps.ts'
import { webhookEndings, webhookOperations } from './webhook/operations.ts'
import { WEBHOOK_JOB } from './webhook/writes.ts'

export {
  deliveryStatuses,
  FactEnvelope,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookReplay,
} from './deliveries/schema.ts'
export { readPaths } from './hooks.ts'
export { countWebhookStates, findWebhookTrouble, listMemberWebhooks, listWebhookRows } from './webhook/queries.ts'
export { isNamed, MAX_WEBHOOKS, sentTypes } from './webhook/rules.ts'
export { Webhook, WebhookPage, WebhookSecret, webhookStatuses } from './webhook/schema.ts'
export { addDisabledWebhook, disableByOperator, disableLostWebhook } from './webhook/writes.ts'

/** Webhooks: what happens in the school is sent to apps, as Standard Webhooks says. */
export const webhooks = area({
  name: 'webhooks',
  operations: [...webhookOperations, ...deliveryOperations, ...webhookEndings],
  hooks: implementations,
  jobs: {
    [DISTRIBUTION_JOB]: createDistribution,
    [WEBHOOK_JOB]: { create: createSending, places: 'outbound' },
  },
  mails: Object.values(webhookMails),
  sweeps: [sweepDeliveries],
})
