import type { NewDelivery } from '../deliveries/queries.ts'
import { idAt } from '../deliveries/rules.ts'
import type { WebhookRow } from '../webhook/queries.ts'
import { isNamed, sentTypes } from '../webhook/rules.ts'
import type { NumberedFact } from './queries.ts'

type Receiver = Pick<WebhookRow, 'id' | 'types' | 'last_sequence'>

/** Whether a webhook with these scopes is sent facts of a type. */
export const isSent = (types: readonly string[], scopes: ReadonlySet<string>, type: string): boolean =>
  isNamed(types, type) && scopes.has(sentTypes.get(type) ?? '')

/** The deliveries of facts, in their order, to a webhook with these scopes; each names the one before it. */
export const deliveriesTo = (
  webhook: Receiver,
  scopes: ReadonlySet<string>,
  facts: readonly NumberedFact[],
  at: number,
): NewDelivery[] => {
  let previous = webhook.last_sequence
  return facts
    .filter(({ type, is_withheld }) => !is_withheld && isSent(webhook.types, scopes, type))
    .map(({ id, type, sequence }, index) => {
      const row = { id: idAt(at, index), webhook_id: webhook.id, fact_id: id, type, sequence, previous }
      previous = sequence
      return row
    })
}
