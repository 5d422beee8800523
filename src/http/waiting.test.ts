import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { afterEach, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal } from '#src/contract/problem.ts'
import type { Notice } from '#src/db/invalidation.ts'
import { limits } from './limits.ts'
import { createWaitingRoom, type WaitingRoom } from './waiting.ts'

const { places, schoolPlaces } = limits.waiting

// Its heartbeats arrive, so that nothing is looked up.
const rooms: WaitingRoom[] = []
afterEach(() => {
  for (const room of rooms) room.close()
})
const openRoom = () => {
  let notify: (notice: Notice) => void = () => undefined
  const room = createWaitingRoom({
    changes: {
      heardUntil: () => ({ at: performance.now(), clock: 0 }),
      onNotice: handle => {
        notify = handle
      },
    },
    readLast: () => Promise.reject(new Error('nothing is looked up')),
  })
  rooms.push(room)
  return { room, notify: (notice: Notice) => notify(notice) }
}

let grants = 0
const enter = (room: WaitingRoom, schoolId: string, more: { grantId?: string; readAt?: number } = {}) => {
  grants += 1
  const socket = new Socket()
  return room.enter({ schoolId, grantId: `${grants}`, socket, readAt: performance.now(), ...more })
}

const isRefused = (error: unknown): boolean =>
  error instanceof Refusal && error.problem.status === 429 && error.extras.headers?.['retry-after'] === '5'

test('a school has as many places as its limit, one for a grant, and those who leave free theirs', () => {
  const { room } = openRoom()
  const taken = Array.from({ length: schoolPlaces }, (_, at) => enter(room, 'a', { grantId: `own ${at}` }))
  assert.throws(() => enter(room, 'a'), isRefused)
  assert.equal(enter(room, 'a', { grantId: 'own 0' }), undefined)
  assert.notEqual(enter(room, 'b', { grantId: 'own 0' }), undefined)
  taken[0]?.leave()
  taken[0]?.leave()
  assert.notEqual(enter(room, 'a'), undefined)
  assert.throws(() => enter(room, 'a'), isRefused)
})

test('all schools together have as many places as the limit of the process', () => {
  const { room } = openRoom()
  for (let at = 0; at < places; at++) assert.notEqual(enter(room, `${Math.floor(at / schoolPlaces)}`), undefined)
  assert.throws(() => enter(room, 'one more'), isRefused)
})

test('a fact between the read and the wait is noticed, and one of another school is not', async () => {
  const { room, notify } = openRoom()
  const readAt = performance.now()
  notify({ schoolId: 'a', of: 'facts' })
  assert.equal(await enter(room, 'a', { readAt })?.next(60_000), 'read')
  const other = enter(room, 'b', { readAt })
  const later = enter(room, 'a')
  const woken: string[] = []
  void other?.next(60_000).then(wake => woken.push(`b ${wake}`))
  void later?.next(60_000).then(wake => woken.push(`a ${wake}`))
  notify({ schoolId: 'a', of: 'decisions' })
  await nextTurn()
  assert.deepEqual(woken, ['a check'])
  notify({ schoolId: undefined, of: 'facts' })
  await nextTurn()
  assert.deepEqual(woken, ['a check', 'b read'])
})

test('notices that come together wake once more at most', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { room, notify } = openRoom()
  const place = enter(room, 'a')
  let woken = 0
  const wait = async (): Promise<void> => {
    while ((await place?.next(60_000)) !== 'answer') woken += 1
  }
  const ended = wait()
  for (let at = 0; at < 100; at++) {
    notify({ schoolId: 'a', of: at % 2 === 0 ? 'facts' : 'decisions' })
    await Promise.resolve()
  }
  assert.equal(woken, 1)
  t.mock.timers.tick(limits.waiting.pace)
  await Promise.resolve()
  await Promise.resolve()
  assert.equal(woken, 2)
  room.close()
  await ended
})

test('a room that closes has everybody answered and takes nobody', async () => {
  const { room } = openRoom()
  const waiting = enter(room, 'a')?.next(60_000)
  room.close()
  assert.equal(await waiting, 'answer')
  assert.equal(enter(room, 'a'), undefined)
})
