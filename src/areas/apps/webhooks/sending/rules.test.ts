import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  afterAttempt,
  afterOutcomes,
  findClass,
  outcomeOfAnswer,
  type SendingState,
  webhookAfter,
  wordOfError,
} from './rules.ts'

const NOW = new Date('2027-03-01T12:00:00Z')
const [MINUTE, HOUR, DAY] = [60, 3600, 24 * 3600]
const MIDDLE = 0.5
const failed = outcomeOfAnswer(500, undefined, NOW)
const ago = (seconds: number): Date => new Date(NOW.getTime() - seconds * 1000)

const fresh: SendingState = {
  status: 'active',
  failed_since: null,
  failed_deliveries: [],
  failing_since: null,
  failing_attempts: 0,
  next_attempt_at: null,
  failing_mailed_at: null,
  last_delivered_at: null,
}

suite('the answer of a receiver', () => {
  const cases: readonly [
    status: number,
    retryAfter: string | undefined,
    result: string,
    word: string,
    pause?: number,
  ][] = [
    [200, undefined, 'delivered', '200'],
    [299, undefined, 'delivered', '299'],
    [301, undefined, 'failed', 'redirect'],
    [304, undefined, 'failed', 'redirect'],
    [400, undefined, 'failed', '400'],
    [410, undefined, 'gone', '410'],
    [500, '7200', 'failed', '500'],
    [429, '7200', 'failed', '429', 7200],
    [503, '7200', 'failed', '503', 7200],
    [429, '0', 'failed', '429', 5],
    [429, '1', 'failed', '429', 5],
    [503, '999999999', 'failed', '503', DAY],
    [503, 'Mon, 01 Mar 2027 13:00:00 GMT', 'failed', '503', HOUR],
    [503, 'Mon, 01 Mar 2027 11:00:00 GMT', 'failed', '503'],
    [503, '-1', 'failed', '503'],
    [503, 'soon', 'failed', '503'],
    [503, '', 'failed', '503'],
  ]
  for (const [status, retryAfter, result, word, pause] of cases)
    test(`${status} with Retry-After ${retryAfter}`, () => {
      const outcome = outcomeOfAnswer(status, retryAfter, NOW)
      assert.deepEqual([outcome.result, outcome.word, outcome.retryAfter], [result, word, pause])
    })

  test('is counted by its class', () => {
    const classes = [204, 302, 404, 503].map(status => findClass(outcomeOfAnswer(status, undefined, NOW)))
    assert.deepEqual(classes, ['2xx', 'redirect', '4xx', '5xx'])
    assert.equal(findClass({ result: 'failed', word: 'timeout' }), 'timeout')
  })

  test('has a word of its own for each error of a connection', () => {
    const withCode = (code: string) => Object.assign(new Error('no'), { code })
    const words = [
      'ECONNREFUSED',
      'EHOSTUNREACH',
      'CERT_HAS_EXPIRED',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'EPROTO',
      'ETIMEDOUT',
    ]
    assert.deepEqual(
      words.map(code => wordOfError(withCode(code))),
      ['refused', 'refused', 'tls', 'tls', 'tls', 'timeout'],
    )
    assert.equal(wordOfError(new AggregateError([withCode('ECONNREFUSED')])), 'refused')
    assert.equal(wordOfError('no error'), 'closed')
  })
})

test('a delivery is tried ten times, after longer and longer pauses that differ by a tenth', () => {
  const pauses = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
  for (const [attempts, pause] of pauses.entries()) {
    const tried = { id: 'a', attempts, isTest: false }
    assert.deepEqual(afterAttempt(tried, failed, MIDDLE), { status: 'waiting', pause })
    const [least, most] = [0, 1].map(random => afterAttempt(tried, failed, random).pause ?? 0)
    assert.deepEqual(
      [least, most].map(value => Math.round((value ?? 0) * 10)),
      [pause * 9, pause * 11],
    )
  }
  assert.deepEqual(afterAttempt({ id: 'a', attempts: 9, isTest: false }, failed, MIDDLE), {
    status: 'failed',
    pause: null,
  })
  assert.deepEqual(afterAttempt({ id: 'a', attempts: 0, isTest: true }, failed, MIDDLE), {
    status: 'failed',
    pause: null,
  })
})

suite('the state of a webhook', () => {
  const after = (state: SendingState, id = 'new', outcome = failed) =>
    webhookAfter(state, { id, attempts: 0, isTest: false }, outcome, { now: NOW, random: MIDDLE })

  test('fails after five different deliveries in a row, and not after five attempts at one', () => {
    const four = { ...fresh, failed_since: ago(60), failed_deliveries: ['a', 'b', 'c', 'd'] }
    assert.equal(after(four, 'd').state.status, 'active')
    assert.equal(after(four, 'e').state.status, 'failing')
    assert.deepEqual(after(four, 'e', outcomeOfAnswer(204, undefined, NOW)).state.failed_deliveries, [])
  })

  test('fails after twelve hours without a success', () => {
    const since = (seconds: number) => after({ ...fresh, failed_since: ago(seconds), failed_deliveries: ['a'] }, 'a')
    assert.equal(since(12 * HOUR - 1).state.status, 'active')
    assert.equal(since(12 * HOUR).state.status, 'failing')
  })

  test('has two hours at most between attempts while it fails, and what the receiver asks for', () => {
    const failing = { ...fresh, status: 'failing', failing_since: ago(HOUR), failed_since: ago(HOUR) } as const
    const pauseAfter = (attempts: number, outcome = failed): number => {
      const next = after({ ...failing, failing_attempts: attempts }, 'a', outcome).state.next_attempt_at
      return ((next?.getTime() ?? 0) - NOW.getTime()) / 1000
    }
    assert.deepEqual(
      [0, 1, 2, 3, 8, 100].map(count => pauseAfter(count)),
      [5, 300, 1800, 7200, 7200, 7200],
    )
    assert.equal(pauseAfter(100, outcomeOfAnswer(503, '0', NOW)), 5)
    assert.equal(pauseAfter(100, outcomeOfAnswer(503, '80000', NOW)), 80_000)
  })

  test('is told of once after a day, and ends after five', () => {
    const since = (seconds: number, mailed: Date | null = null) =>
      after({ ...fresh, status: 'failing', failing_since: ago(seconds), failing_mailed_at: mailed })
    assert.equal(since(DAY - 1).isMailed, undefined)
    assert.equal(since(DAY).isMailed, true)
    assert.equal(since(2 * DAY, ago(DAY)).isMailed, undefined)
    assert.equal(since(5 * DAY - 1, ago(DAY)).disabledFor, undefined)
    assert.equal(since(5 * DAY, ago(DAY)).disabledFor, 'failing')
  })

  test('ends with 410, and is not changed by a test that is not accepted, nor once it is disabled', () => {
    const gone = outcomeOfAnswer(410, undefined, NOW)
    assert.equal(after(fresh, 'a', gone).disabledFor, 'gone')
    const test = webhookAfter(fresh, { id: 'a', attempts: 0, isTest: true }, failed, { now: NOW, random: MIDDLE })
    assert.deepEqual(test, { state: fresh })
    const disabled = { ...fresh, status: 'disabled' } as const
    assert.deepEqual(after(disabled, 'a', outcomeOfAnswer(204, undefined, NOW)), { state: disabled })
  })
})

suite('outcomes that come at once', () => {
  const delivered = outcomeOfAnswer(204, undefined, NOW)
  const gone = outcomeOfAnswer(410, undefined, NOW)
  const after = (...outcomes: readonly (typeof failed)[]) =>
    afterOutcomes(
      fresh,
      outcomes.map((outcome, at) => ({ tried: { id: `d${at}`, attempts: 0, isTest: false }, outcome })),
      () => ({ now: NOW, random: MIDDLE }),
    )

  test('count in their order', () => {
    assert.deepEqual(after(failed, failed, delivered, failed).state.failed_deliveries, ['d3'])
    assert.deepEqual(after(failed, failed, failed, failed, failed).state.status, 'failing')
    assert.deepEqual(after(delivered, delivered).state, { ...fresh, last_delivered_at: NOW })
  })

  test('end with the first that disables', () => {
    const { disabledFor, state } = after(failed, gone, delivered)
    assert.deepEqual([disabledFor, state.failed_deliveries], ['gone', ['d0']])
  })
})
