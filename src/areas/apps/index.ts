import type { Area } from '#src/contract/area.ts'
import { changes } from './changes/index.ts'
import { webhooks } from './webhooks/index.ts'

export { disableLostWebhook, findWebhookTrouble, readPaths } from './webhooks/index.ts'

/** The areas of this domain in their order; each may import the ones before it. */
export const appsAreas: readonly Area[] = [webhooks, changes]
