import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createEntrance, leaveEntrance, whileReceiving } from './entrance.ts'
import { limits } from './limits.ts'

const { places } = limits.entrance

const buildRequest = (): IncomingMessage => new IncomingMessage(new Socket())

// Requests of school a for every place, which never end; then one more.
const isServedBeside = async (work: (raw: IncomingMessage) => Promise<unknown>, school = 'a'): Promise<boolean> => {
  const entrance = createEntrance()
  for (let at = 0; at < places; at++) {
    const raw = buildRequest()
    void entrance.handle(raw, 'a', () => work(raw))
  }
  let isServed = false
  void entrance.handle(buildRequest(), school, async () => {
    isServed = true
  })
  await nextTurn()
  return isServed
}

const never = (): Promise<never> => new Promise(() => undefined)

test('requests that are handled keep the next one waiting', async () => {
  assert.equal(await isServedBeside(never), false)
})

test('a school of which nothing is handled waits for no other school', async () => {
  assert.equal(await isServedBeside(never, 'b'), true)
})

test('bodies that are being received keep nobody waiting, and complete ones hold their place', async () => {
  assert.equal(await isServedBeside(raw => whileReceiving(raw, never)), true)
  const complete = (raw: IncomingMessage) => whileReceiving(Object.assign(raw, { complete: true }), never)
  assert.equal(await isServedBeside(complete), false)
})

test('files and operations of several steps keep nobody waiting', async () => {
  const leaving = (raw: IncomingMessage) => {
    leaveEntrance(raw)
    return never()
  }
  assert.equal(await isServedBeside(leaving), true)
})
