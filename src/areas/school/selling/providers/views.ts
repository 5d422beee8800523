import type { SchoolContext } from '#src/contract/context.ts'
import { findDeclaredProvider } from '#src/contract/payment-providers.ts'
import type { School } from '#src/contract/school.ts'
import { providerNeeds } from '../hooks.ts'
import type { ProviderRow } from './queries.ts'
import { buildWebhookUrl } from './rules.ts'
import type { ProviderCounts } from './schema.ts'

const none: ProviderCounts = {
  open: 0,
  processing: 0,
  refunds: 0,
  disputes: 0,
  subscriptions: 0,
  customers: 0,
  refundable: 0,
}

/** How much needs a provider, and whether it was silent although payments succeeded. */
export const readNeeds = async (
  context: SchoolContext,
  provider: string,
): Promise<{ readonly counts: ProviderCounts; readonly isSilent: boolean }> => {
  const known = await providerNeeds.call({ provider }, context)
  const { isSilent, ...counts } = Object.assign({ ...none, isSilent: false }, ...known)
  return { counts, isSilent }
}

const buildWebhook = (row: ProviderRow, school: School) => {
  const declared = findDeclaredProvider(row.name)
  if (declared === undefined) return null
  return {
    url: buildWebhookUrl(school, row.name),
    events: [...(row.webhook_events ?? declared.events)],
    made_by_us: row.webhook_ref !== null,
    heard_at: row.heard_at,
  }
}

/** A provider as owners see it. */
export const providerView = async (context: SchoolContext, row: ProviderRow) => {
  const { webhook_ref: _, webhook_events: __, heard_at: ___, is_clearing: ____, checked_at, findings, ...shown } = row
  const check = checked_at === null || findings === null ? null : { at: checked_at, findings: [...findings] }
  const { counts } = await readNeeds(context, row.name)
  return { ...shown, webhook: buildWebhook(row, context.school), check, counts }
}
