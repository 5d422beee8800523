import type { Area } from '#src/contract/area.ts'
import { changes } from './changes/index.ts'
import { webhooks } from './webhooks/index.ts'

export {
  addDisabledWebhook,
  countWebhookStates,
  deliveryStatuses,
  disableByOperator,
  disableLostWebhook,
  findWebhookTrouble,
  isNamed,
  listMemberWebhooks,
  listWebhookRows,
  MAX_WEBHOOKS,
  readPaths,
  sentTypes,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookPage,
  WebhookReplay,
  WebhookSecret,
  webhookStatuses,
} from './webhooks/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const appsAreas: readonly Area[] = [webhooks, changes]
