import type { Static } from 'typebox'
import { buildEnvelope, type FindPath } from '#src/contract/fact-envelope.ts'
import { findFactDeclaration } from '#src/contract/fact-types.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import type { DeliveryRow } from './queries.ts'
import type { FactEnvelope, WebhookDelivery } from './schema.ts'

type Place = { readonly school: Pick<School, 'baseUrl'>; readonly findPath: FindPath }

// A fact whose type is declared no more, or internal, is not sent, and its log tells only that there was one.
const emptyEnvelope = ({ school }: Place, row: DeliveryRow): Static<typeof FactEnvelope> => ({
  id: toId('fct', row.fact_id ?? row.id),
  type: row.type,
  timestamp: row.created_at.toISOString(),
  sequence: row.sequence,
  previous: row.previous,
  school: school.baseUrl,
  subject: null,
  data: {},
})

const testEnvelope = (place: Place, row: DeliveryRow): Static<typeof FactEnvelope> => {
  const payload: Readonly<Record<string, unknown>> = { ...findFactDeclaration(row.type)?.example }
  const fact = { id: row.id, type: row.type, payload, sequence: '0', recorded_at: row.created_at, is_withheld: false }
  const envelope = buildEnvelope(place.school, fact, place.findPath, null) ?? emptyEnvelope(place, row)
  return { ...envelope, id: toId('whd', row.id), data: { ...envelope.data }, test: true }
}

/** What a delivery sends; undefined for a fact that leaves the school no more. */
export const findEnvelope = (place: Place, row: DeliveryRow): Static<typeof FactEnvelope> | undefined => {
  const { fact_id: id, type, payload, recorded_at, is_withheld } = row
  if (id === null) return testEnvelope(place, row)
  if (payload === null || recorded_at === null) return undefined
  const fact = { id, type, payload, sequence: String(row.sequence), recorded_at, is_withheld: is_withheld === true }
  const envelope = buildEnvelope(place.school, fact, place.findPath, row.previous)
  return envelope && { ...envelope, data: { ...envelope.data } }
}

/** A delivery as a caller sees it. */
export const deliveryView = (place: Place, row: DeliveryRow): Static<typeof WebhookDelivery> => ({
  id: row.id,
  fact: findEnvelope(place, row) ?? emptyEnvelope(place, row),
  status: row.status,
  attempts: row.attempts,
  next_attempt_at: row.next_attempt_at,
  last_attempt_at: row.last_attempt_at,
  last_outcome: row.last_outcome,
  duration_ms: row.duration_ms,
  created_at: row.created_at,
})
