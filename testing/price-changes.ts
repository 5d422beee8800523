import assert from 'node:assert/strict'
import type { Actor } from './actor.ts'

/** A plan on sale with prices, the ids of which are in their order. */
export type SoldPlan = { readonly id: string; readonly prices: readonly string[] }

/** Sells a recurring plan at some prices. */
export const sellPlan = async (staff: Actor, name: string, prices: readonly object[]): Promise<SoldPlan> => {
  const made = await staff.write('POST', '/membership-plans', { name, plan_type: 'recurring' })
  assert.equal(made.status, 201, made.text)
  const ids: string[] = []
  for (const price of prices) {
    const { status, json, text } = await staff.write('POST', `/membership-plans/${made.json.id}/prices`, price)
    assert.equal(status, 201, text)
    ids.push(json.id)
  }
  const published = await staff.write('PUT', `/membership-plans/${made.json.id}/publication`, {})
  assert.ok(published.status < 300, published.text)
  return { id: made.json.id, prices: ids }
}
