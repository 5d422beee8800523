import type { StaffSection } from '../../section.ts'
import { oneDelivery } from './delivery.ts'
import { webhookForms } from './edit.ts'
import { webhookList } from './list.ts'
import { oneWebhook } from './one.ts'

/** The pages of webhooks, for admins and owners. */
export const webhooks: StaffSection = { pages: [webhookList, ...webhookForms, ...oneWebhook, ...oneDelivery] }
