import type { JobParts } from '#src/contract/area.ts'
import type { Counter } from '#src/contract/counter.ts'
import type { FindPath } from '#src/contract/fact-envelope.ts'
import type { JobHandler } from '#src/contract/job.ts'
import type { School } from '#src/contract/school.ts'
import { getSchool } from '#src/db/schools.ts'
import { toId } from '#src/kit/ids.ts'
import type { DeliveryRow } from '../deliveries/queries.ts'
import { findEnvelope } from '../deliveries/views.ts'
import { isSent } from '../distribution/rules.ts'
import { readPaths } from '../hooks.ts'
import { readScopes } from '../webhook/access.ts'
import { findWebhook, type WebhookRow } from '../webhook/queries.ts'
import { disableByWorker, isOpenable, openSecrets, SEALING } from '../webhook/writes.ts'
import { wakeSending } from './lookups.ts'
import { postMessage } from './posting.lookups.ts'
import { dropDeliveries, listDue } from './queries.ts'
import { createRecording } from './recording.jobs.ts'
import { findClass } from './rules.ts'
import { type Attempt, recordAttempts, recordSuccesses } from './writes.ts'

const AT_ONCE = 4
/** How many are read at a time, and for how many milliseconds they are sent without asking again who may be sent what. */
const [READ, FRESH_MS] = [20, 1000]
// Well below the duration of a worker's claim, with the longest attempt.
const PATIENCE_MS = 60_000

const attempts: Counter = {
  name: 'stoa_webhook_attempts_total',
  help: 'Attempts to send to webhooks, by the class of the status or the reason why there was none.',
  label: 'outcome',
}

/** What is sent next: the webhook as it is now, its deliveries, and those that it may not be sent any more. */
type Turn = {
  readonly school: School
  readonly findPath: FindPath
  readonly webhook: WebhookRow
  /** The bytes of the secrets that sign. */
  readonly secrets: readonly Buffer[]
  readonly due: readonly DeliveryRow[]
  readonly withheld: readonly string[]
}

// Any example may be sent that the scopes allow.
const mayBeSent = ({ types }: WebhookRow, scopes: ReadonlySet<string>, { fact_id, type }: DeliveryRow): boolean =>
  isSent(fact_id === null ? [type] : types, scopes, type)

const readTurn = (
  { database, keyFor }: JobParts,
  schoolId: string,
  webhookId: string,
): Promise<Turn | 'access_ended' | 'secret_lost' | undefined> =>
  database.transaction(schoolId, async (db, now) => {
    const webhook = await findWebhook(db, schoolId, webhookId, undefined)
    if (webhook === undefined || webhook.status === 'disabled') return undefined
    const isEarly = webhook.status === 'failing' && webhook.next_attempt_at !== null && webhook.next_attempt_at > now
    // Sent without waiting for each other (decision 2).
    const [access, school, all] = await Promise.all([
      readScopes(db, schoolId, [webhook]),
      getSchool(db, schoolId),
      isEarly ? [] : listDue(db, schoolId, webhook, READ),
    ])
    const scopes = access.get(webhookId) ?? new Set<string>()
    if (scopes.size === 0) return 'access_ended'
    const key = keyFor(SEALING)
    if (!isOpenable(schoolId, webhook, key)) return 'secret_lost'
    const secrets = openSecrets(schoolId, webhook, key, now)
    const [findPath = () => undefined] = await readPaths.call(undefined, { db, school })
    const place = { school, findPath }
    const due = all.filter(row => mayBeSent(webhook, scopes, row) && findEnvelope(place, row) !== undefined)
    const withheld = all.filter(row => !due.includes(row)).map(({ id }) => id)
    return { school, findPath, webhook, secrets, due, withheld }
  })

const sendOne = async (
  { outside, readClock, count }: JobParts,
  { school, findPath, webhook, secrets }: Turn,
  delivery: DeliveryRow,
): Promise<Attempt> => {
  const body = JSON.stringify(findEnvelope({ school, findPath }, delivery))
  const id = delivery.fact_id === null ? toId('whd', delivery.id) : toId('fct', delivery.fact_id)
  const attempt = await postMessage({ outside, readClock, school }, webhook.url, { id, body, secrets })
  count(attempts, findClass(attempt.outcome))
  return { delivery, ...attempt }
}

/** Sends what is due, and returns whether there may be more that is due now. */
const sendTurn = async (parts: JobParts, schoolId: string, webhookId: string): Promise<boolean> => {
  const { database } = parts
  const turn = await readTurn(parts, schoolId, webhookId)
  if (turn === undefined) return false
  if (typeof turn === 'string') {
    await database.transaction(schoolId, (db, now) =>
      disableByWorker(db, { schoolId, now, id: webhookId, reason: turn }),
    )
    return false
  }
  if (turn.withheld.length > 0) await database.transaction(schoolId, db => dropDeliveries(db, schoolId, turn.withheld))
  const record = createRecording(
    async (ended: readonly Attempt[]) =>
      (await database.statements(schoolId, db => recordSuccesses(db, { schoolId, webhookId }, ended))) ||
      (await database.transaction(schoolId, (db, now) => recordAttempts(db, { schoolId, now, webhookId }, ended))),
  )
  const isActive = await sendEach(turn.due, async delivery => record(await sendOne(parts, turn, delivery)))
  return isActive && turn.due.length + turn.withheld.length > 0
}

/** Sends deliveries, some at once, until one says no or they are old; returns whether none did. */
const sendEach = async (
  due: readonly DeliveryRow[],
  send: (delivery: DeliveryRow) => Promise<boolean>,
): Promise<boolean> => {
  const [waiting, end] = [due.values(), performance.now() + FRESH_MS]
  let goesOn = true
  const sendNext = async (): Promise<void> => {
    for (const delivery of waiting) {
      if (!(await send(delivery))) goesOn = false
      if (!goesOn || performance.now() > end) return
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext))
  return goesOn
}

/** Sends a webhook what is due, four at a time or in order, for a minute at most. */
export const createSending =
  (parts: JobParts): JobHandler =>
  async ({ schoolId, id }) => {
    const end = performance.now() + PATIENCE_MS
    while (await sendTurn(parts, schoolId, id)) if (performance.now() > end) break
    return { againIn: undefined, settle: db => wakeSending(db, schoolId, id) }
  }
