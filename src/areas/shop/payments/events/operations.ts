import { storeHeard } from '#src/areas/school/index.ts'
import type { Db } from '#src/contract/db.ts'
import { type Endpoint, type EndpointRequest, endpoint } from '#src/contract/endpoint.ts'
import { findDeclaredProvider } from '#src/contract/payment-providers.ts'
import type { NotifiedPayment, ProviderEvent } from '#src/contract/payments.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidRequest, notFound, rateLimited } from '#src/contract/problems.ts'
import { hastenJob, putJob } from '#src/db/jobs.ts'
import { consume, type RateLimit, useByNetwork } from '#src/db/rate-limit.ts'
import { fromId } from '#src/kit/ids.ts'
import { cleanLine, isStorable } from '#src/kit/text.ts'
import { type FoundProvider, findWithState } from '../payments/lookups.ts'
import { findPayment, type StoredPayment } from '../payments/queries.ts'
import { PAYMENT_JOB } from '../payments/writes.ts'
import { findByReference } from '../references/queries.ts'
import { insertEvent, planLook, storeNoticed } from './queries.ts'

const MAX_BYTES = 256 * 1024
const MAX_ID = 255
const MAX_TYPE = 100
const LOOK_SECONDS = 5

const unverified: RateLimit = { name: 'webhook:network', uses: 100, seconds: 600 }

type Keys = { keyFor(purpose: string): Buffer }

const getProvider = async (request: EndpointRequest, { keyFor }: Keys): Promise<FoundProvider> => {
  const { school, database, params } = request
  const declared = findDeclaredProvider(params.provider ?? '')
  const found = declared && (await findWithState({ database, school, keyFor }, declared.name))
  if (!found?.isUsable) throw new Refusal(notFound, 'The school has no such payment provider.')
  return found
}

// Only requests that are not genuine count, since a provider sends all events from a few addresses.
const refuseUnverified = async ({ school, database, network }: EndpointRequest): Promise<never> => {
  const { wait } = await consume(database.shared, [useByNetwork(unverified, school.id, network)])
  if (wait === 0) throw new Refusal(invalidRequest, 'The signature does not cover these bytes.')
  throw new Refusal(rateLimited, 'Too many requests with an invalid signature came from this network.', {
    headers: { 'retry-after': String(wait) },
  })
}

const checkEvent = ({ id }: ProviderEvent): void => {
  if (id === undefined) return
  if (id === '' || id.length > MAX_ID || !isStorable(id))
    throw new Refusal(invalidRequest, `The id of an event has 1 to ${MAX_ID} characters.`)
}

/** What a notice is about: a row of a payment, and which of its ids at the provider is not known yet. */
type Notified = { readonly id: string; readonly newRef?: string }

const findNamed = async (db: Db, schoolId: string, name: string, id: string): Promise<StoredPayment | undefined> => {
  const uuid = fromId('pay', id)
  const row = uuid === undefined ? undefined : await findPayment(db, schoolId, uuid)
  return row?.provider === name ? row : undefined
}

const findNotified = async (
  db: Db,
  schoolId: string,
  name: string,
  payment: NotifiedPayment,
): Promise<Notified | undefined> => {
  const ref = payment.ref !== undefined && isStorable(payment.ref) ? payment.ref.slice(0, MAX_ID) : undefined
  const byRef = async () => (ref === undefined ? undefined : findByReference(db, schoolId, name, ref))
  if (payment.id === undefined) {
    const id = await byRef()
    return id === undefined ? undefined : { id }
  }
  const row = await findNamed(db, schoolId, name, payment.id)
  if (row === undefined) return undefined
  if (ref === undefined || ref === row.reference || (await byRef()) === row.id) return { id: row.id }
  return { id: row.id, newRef: ref }
}

// Decision 241: what has no id may come again and again, so it only has the payment looked up, and of a payment whose id at the
// provider is known it counts only with an id that is known.
const lookSoon = async (db: Db, schoolId: string, name: string, { payment }: ProviderEvent): Promise<void> => {
  const notified = payment && (await findNotified(db, schoolId, name, payment))
  if (notified === undefined) return
  const { id, newRef } = notified
  if (newRef !== undefined && (await storeNoticed(db, schoolId, id, newRef)) === 0) return
  const dueAt = await planLook(db, schoolId, id, LOOK_SECONDS)
  await hastenJob(db, schoolId, { kind: PAYMENT_JOB, id, dueAt })
}

type Named = ProviderEvent & { readonly id: string }

const isNamed = (event: ProviderEvent): event is Named => event.id !== undefined

const store = async (db: Db, schoolId: string, name: string, { event, now }: { event: Named; now: Date }) => {
  const { id, type, payment } = event
  const notified = payment && (await findNotified(db, schoolId, name, payment))
  const one = { id, type: cleanLine(type, MAX_TYPE), paymentId: notified?.id }
  if ((await insertEvent(db, schoolId, name, one)) === 0 || notified === undefined) return
  await putJob(db, schoolId, { kind: PAYMENT_JOB, id: notified.id, dueAt: now })
  if (notified.newRef !== undefined) await storeNoticed(db, schoolId, notified.id, notified.newRef)
}

/**
 * `POST /webhooks/{provider}`: stores each verified event that has an id once, and has a job ask the provider what became of the
 * payment. Nothing that an event says is used but which payment it is about.
 */
export const createWebhook = (keys: Keys): Endpoint =>
  endpoint({
    route: 'POST /webhooks/:provider',
    handle: async request => {
      const { school, database, header, query, receivedAt } = request
      const { provider, isHeard } = await getProvider(request, keys)
      const bytes = await request.bytes(MAX_BYTES)
      const events = await provider.read({ bytes, header, query, receivedAt })
      if (events === undefined) return refuseUnverified(request)
      events.forEach(checkEvent)
      const { name } = provider
      // A row that every notice would write is written once an hour, which is enough to warn of silence.
      if (!isHeard) await database.statements(school.id, db => storeHeard(db, school.id, name))
      const named = events.filter(isNamed)
      if (named.length > 0)
        await database.transaction(school.id, async (db, now) => {
          for (const event of named) await store(db, school.id, name, { event, now })
        })
      // Not in one transaction: a run of the job locks the job before the payment.
      const others = events.filter(event => !isNamed(event))
      if (others.length > 0)
        await database.statements(school.id, async db => {
          for (const event of others) await lookSoon(db, school.id, name, event)
        })
      return { status: 200, headers: { 'cache-control': 'no-store' } }
    },
  })
