import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Actor } from './actor.ts'
import type { TestApp } from './app.ts'
import type { TestReply } from './http.ts'

/** The scopes of those who make events. */
export const eventScopes = ['events:read', 'events:write', 'orders:read', 'students:read']

/** The scopes of those who register. */
export const registrationScopes = ['account:read', 'account:write', 'events:read']

/** A published event of one date with its tickets, as an app knows them. */
export type TestEvent = {
  readonly id: string
  readonly occurrenceId: string
  readonly tickets: readonly { readonly id: string; readonly price_id: string }[]
  readonly priceId: string
}

/** A new ticket: its name and price, and what differs from the usual. */
type NewTicket = { readonly name: string; readonly amount: number } & Readonly<Record<string, unknown>>

const DAY_MS = 24 * 3600 * 1000

/** What a clock in Lisbon shows so many days after the day of the tests, at 19:00. */
export const inDays = async (app: TestApp, days: number): Promise<{ local: string; time_zone: string }> => {
  const [row] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  const at = new Date((row?.now ?? new Date()).getTime() + days * DAY_MS)
  return { local: `${at.toISOString().slice(0, 10)}T19:00`, time_zone: 'Europe/Lisbon' }
}

const done = ({ status, text, json }: TestReply): TestReply['json'] => {
  assert.ok(status < 300, text)
  return json
}

/** Makes a published event of one date in a week, with these tickets; a free one by default. */
export const makeEvent = async (
  app: TestApp,
  staff: Actor,
  settings: Readonly<Record<string, unknown>> = {},
  tickets: readonly NewTicket[] = [{ name: 'Regular', amount: 0 }],
): Promise<TestEvent> => {
  const body = { name: `Evening ${randomUUID()}`, starts_at: await inDays(app, 7), duration_minutes: 90, ...settings }
  const { id } = done(await staff.write('POST', '/events', body))
  const made = []
  for (const ticket of tickets) made.push(done(await staff.write('POST', `/events/${id}/ticket-types`, ticket)))
  done(await staff.write('PUT', `/events/${id}/publication`, {}))
  const { data } = done(await staff.get(`/events/${id}/occurrences`))
  return { id, occurrenceId: data[0].id, tickets: made, priceId: made[0]?.price_id ?? '' }
}

/** Registers somebody, with a new key. */
export const register = (
  actor: Actor,
  priceId: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<TestReply> =>
  actor.write('POST', '/account/registrations', { price_id: priceId, ...more }, { 'idempotency-key': randomUUID() })

/** Registers somebody, and returns the registrations. */
export const registered = async (
  actor: Actor,
  priceId: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<TestReply['json']> => done(await register(actor, priceId, more))
