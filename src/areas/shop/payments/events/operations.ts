import { listUsableProviders } from '#src/areas/school/index.ts'
import type { Db } from '#src/contract/db.ts'
import { type Endpoint, type EndpointRequest, endpoint } from '#src/contract/endpoint.ts'
import { isOnline } from '#src/contract/payment-providers.ts'
import type { Provider, ProviderEvent } from '#src/contract/payments.ts'
import { Refusal } from '#src/contract/problem.ts'
import { invalidRequest, notFound, rateLimited } from '#src/contract/problems.ts'
import { putJob } from '#src/db/jobs.ts'
import { consume, type RateLimit, useByNetwork } from '#src/db/rate-limit.ts'
import { fromId } from '#src/kit/ids.ts'
import { cleanLine, isStorable } from '#src/kit/text.ts'
import { findProvider } from '../payments/lookups.ts'
import { findByReference, findPayment } from '../payments/queries.ts'
import { PAYMENT_JOB } from '../payments/writes.ts'
import { insertEvent } from './queries.ts'

const MAX_BYTES = 256 * 1024
const MAX_ID = 255
const MAX_TYPE = 100

const unverified: RateLimit = { name: 'webhook:network', uses: 100, seconds: 600 }

type Keys = { keyFor(purpose: string): Buffer }

const getProvider = async (request: EndpointRequest, { keyFor }: Keys): Promise<Provider> => {
  const { school, database, params } = request
  const name = (await database.statements(school.id, db => listUsableProviders(db, school)))
    .map(one => one.name)
    .find(name => name === params.provider)
  const provider =
    name === undefined || !isOnline(name) ? undefined : await findProvider({ database, school, keyFor }, name)
  if (provider === undefined) throw new Refusal(notFound, 'The school has no such payment provider.')
  return provider
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

const findNotifiedPayment = async (
  db: Db,
  schoolId: string,
  name: string,
  { payment }: ProviderEvent,
): Promise<string | undefined> => {
  if (payment === undefined) return undefined
  if (payment.id === undefined)
    return isStorable(payment.ref) ? findByReference(db, schoolId, name, payment.ref) : undefined
  const id = fromId('pay', payment.id)
  return id === undefined ? undefined : (await findPayment(db, schoolId, id))?.id
}

const store = async (db: Db, schoolId: string, { name }: Provider, event: ProviderEvent, now: Date): Promise<void> => {
  const paymentId = await findNotifiedPayment(db, schoolId, name, event)
  const { id } = event
  const type = cleanLine(event.type, MAX_TYPE)
  const stored = id === undefined ? 1 : await insertEvent(db, schoolId, name, { id, type, paymentId })
  if (stored > 0 && paymentId !== undefined)
    await putJob(db, schoolId, { kind: PAYMENT_JOB, id: paymentId, dueAt: now })
}

/**
 * `POST /webhooks/{provider}`: stores each verified event once, and has a job ask the provider what became of the payment.
 * Nothing that an event says is used but which payment it is about.
 */
export const createWebhook = (keys: Keys): Endpoint =>
  endpoint({
    route: 'POST /webhooks/:provider',
    handle: async request => {
      const { school, database } = request
      const provider = await getProvider(request, keys)
      const bytes = await request.bytes(MAX_BYTES)
      const events = await provider.read({
        bytes,
        header: request.header,
        query: request.query,
        receivedAt: request.receivedAt,
      })
      if (events === undefined) return refuseUnverified(request)
      events.forEach(checkEvent)
      await database.transaction(school.id, async (db, now) => {
        for (const event of events) await store(db, school.id, provider, event, now)
      })
      return { status: 200, headers: { 'cache-control': 'no-store' } }
    },
  })
