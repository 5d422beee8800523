import type { DisabledReason, WebhookRow } from '../webhook/queries.ts'

const [MINUTE, HOUR, DAY] = [60, 3600, 24 * 3600]

/** Seconds between an attempt and the next one; after the last the delivery has failed. */
const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR] as const

const LONGEST_WHILE_FAILING = 2 * HOUR
const FAILED_IN_A_ROW = 5
const FAILED_FOR = 12 * HOUR
const MAILED_AFTER = DAY
const DISABLED_AFTER = 5 * DAY

/** How an attempt went, as the log has it; with a pause in seconds where the receiver asked for one. */
export type Outcome = {
  readonly result: 'delivered' | 'failed' | 'gone'
  readonly word: string
  readonly retryAfter?: number | undefined
}

// What asks for no pause at all would be tried in a loop.
const MIN_RETRY_AFTER = PAUSES[0]
const MAX_RETRY_AFTER = DAY

const clamp = (seconds: number): number => Math.min(Math.max(seconds, MIN_RETRY_AFTER), MAX_RETRY_AFTER)

// RFC 9110 §10.2.3: seconds, or a date.
const parseRetryAfter = (text: string | undefined, now: Date): number | undefined => {
  if (text === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000
  return Number.isFinite(seconds) && seconds >= 0 ? clamp(seconds) : undefined
}

/** The outcome of an answer, by its status and Retry-After; `now` is the real instant. */
export const outcomeOfAnswer = (status: number, retryAfter: string | undefined, now: Date): Outcome => {
  const word = String(status)
  if (status >= 200 && status < 300) return { result: 'delivered', word }
  if (status === 410) return { result: 'gone', word }
  if (status >= 300 && status < 400) return { result: 'failed', word: 'redirect' }
  const waits = status === 429 || status === 503
  return { result: 'failed', word, ...(waits ? { retryAfter: parseRetryAfter(retryAfter, now) } : {}) }
}

/** The class of an outcome: `2xx`, or the word for an attempt without a status. */
export const findClass = ({ word }: Outcome): string => (/^\d/.test(word) ? `${word.slice(0, 1)}xx` : word)

const findCode = (error: unknown): string => {
  if (error instanceof AggregateError) return findCode(error.errors[0])
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code : ''
}

/** The word for an error of a connection. */
export const wordOfError = (error: unknown): string => {
  const code = findCode(error)
  if (/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) return 'refused'
  if (/CERT|TLS|SSL|SIGNATURE|^EPROTO$/.test(code)) return 'tls'
  return code === 'ETIMEDOUT' ? 'timeout' : 'closed'
}

/** What an attempt changes of a delivery; `pause` are the seconds until the next one. */
type DeliveryChange = { readonly status: 'waiting' | 'delivered' | 'failed'; readonly pause: number | null }

type Tried = { readonly id: string; readonly attempts: number; readonly isTest: boolean }

// A tenth more or less, so that what failed at once does not come again at once.
const spread = (seconds: number, random: number): number => seconds * (0.9 + 0.2 * random)

/** What becomes of a delivery after an attempt; `random` is from 0 to 1. An example is tried once. */
export const afterAttempt = (
  { attempts, isTest }: Tried,
  { result, retryAfter }: Outcome,
  random: number,
): DeliveryChange => {
  if (result === 'delivered') return { status: 'delivered', pause: null }
  const pause = PAUSES[attempts]
  if (isTest || result === 'gone' || pause === undefined) return { status: 'failed', pause: null }
  return { status: 'waiting', pause: retryAfter ?? spread(pause, random) }
}

/** The state of a webhook as attempts change it. */
export type SendingState = Pick<
  WebhookRow,
  | 'status'
  | 'failed_since'
  | 'failed_deliveries'
  | 'failing_since'
  | 'failing_attempts'
  | 'next_attempt_at'
  | 'failing_mailed_at'
  | 'last_delivered_at'
>

/** What becomes of a webhook: its state, why it is disabled, and whether people are told that it fails. */
type WebhookChange = {
  readonly state: SendingState
  readonly disabledFor?: DisabledReason
  readonly isMailed?: true
  /** Whether it failed until now, so that everything that waits is due. */
  readonly isBack?: true
}

const secondsSince = (instant: Date | null, now: Date): number =>
  instant === null ? 0 : (now.getTime() - instant.getTime()) / 1000

const afterSuccess = (state: SendingState, now: Date): WebhookChange => ({
  state: {
    status: 'active',
    failed_since: null,
    failed_deliveries: [],
    failing_since: null,
    failing_attempts: 0,
    next_attempt_at: null,
    failing_mailed_at: null,
    last_delivered_at: now,
  },
  ...(state.status === 'failing' ? { isBack: true } : {}),
})

const pauseWhileFailing = (attempts: number, random: number): number =>
  Math.min(spread(PAUSES[attempts - 1] ?? LONGEST_WHILE_FAILING, random), LONGEST_WHILE_FAILING)

const afterFailure = (
  state: SendingState,
  { id }: Tried,
  { retryAfter }: Outcome,
  now: Date,
  random: number,
): WebhookChange => {
  const failedSince = state.failed_since ?? now
  const failed = [...new Set([...state.failed_deliveries, id])].slice(0, FAILED_IN_A_ROW)
  const counted = { ...state, failed_since: failedSince, failed_deliveries: failed }
  const isFailing = failed.length >= FAILED_IN_A_ROW || secondsSince(failedSince, now) >= FAILED_FOR
  if (state.status === 'active' && !isFailing) return { state: counted }
  const failingSince = state.failing_since ?? now
  const attempts = state.failing_attempts + 1
  const pause = retryAfter ?? pauseWhileFailing(attempts, random)
  const failing = {
    ...counted,
    status: 'failing',
    failing_since: failingSince,
    failing_attempts: attempts,
    next_attempt_at: new Date(now.getTime() + pause * 1000),
  } as const
  const seconds = secondsSince(failingSince, now)
  if (seconds >= DISABLED_AFTER) return { state: failing, disabledFor: 'failing' }
  const isMailed = seconds >= MAILED_AFTER && state.failing_mailed_at === null
  return isMailed ? { state: { ...failing, failing_mailed_at: now }, isMailed } : { state: failing }
}

/** What becomes of a webhook after an attempt; an example that is not accepted says nothing about it. */
export const webhookAfter = (
  state: SendingState,
  tried: Tried,
  outcome: Outcome,
  { now, random }: { readonly now: Date; readonly random: number },
): WebhookChange => {
  if (state.status === 'disabled') return { state }
  if (outcome.result === 'delivered') return afterSuccess(state, now)
  if (outcome.result === 'gone') return { state, disabledFor: 'gone' }
  return tried.isTest ? { state } : afterFailure(state, tried, outcome, now, random)
}

/** What becomes of a webhook after several outcomes, in their order; the first that disables it is the last that counts. */
export const afterOutcomes = (
  state: SendingState,
  all: readonly { readonly tried: Tried; readonly outcome: Outcome }[],
  draw: () => { readonly now: Date; readonly random: number },
): WebhookChange => {
  let change: WebhookChange = { state }
  for (const { tried, outcome } of all)
    if (change.disabledFor === undefined) change = { ...change, ...webhookAfter(change.state, tried, outcome, draw()) }
  return change
}
