import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Claimant, createSlots, type Slots } from './slots.ts'

const limits = { all: 200, reserved: 40, perPerson: 20, personShare: 1 / 4 }
const of = (school: string, person: string, isPrivileged = false): Claimant => ({ school, person, isPrivileged })

/** Takes slots until there is none. */
const takeAll = (slots: Slots, claimant: Claimant): number => {
  for (let count = 0; ; count++) if (slots.take(claimant) === undefined) return count
}

test('a single caller gets as many slots as one person may hold', () => {
  assert.equal(takeAll(createSlots(limits), of('a', 'dev')), 20)
})

test('people and schools that take all they get leave some for whoever comes next', () => {
  const slots = createSlots(limits)
  const slotSets = Array.from({ length: 12 }, (_, at) => takeAll(slots, of('a', `slow-${at}`)))
  assert.ok(slotSets.every(count => count >= 1))
  assert.ok(takeAll(slots, of('a', 'next')) >= 1)
  assert.ok(takeAll(slots, of('b', 'next')) >= 5)
  assert.ok(takeAll(slots, of('a', 'ada', true)) >= 5)
})

test('a school full of people leaves slots for other schools and for its own staff', () => {
  const slots = createSlots(limits)
  const slotSets = Array.from({ length: 500 }, (_, at) => takeAll(slots, of('a', `member-${at}`)))
  assert.equal(slotSets.at(-1), 0)
  assert.ok(takeAll(slots, of('b', 'next')) >= 5)
  assert.ok(takeAll(slots, of('a', 'ada', true)) >= 1)
})

test('a slot is released once, however often it is released', () => {
  const slots = createSlots({ all: 2, reserved: 0, perPerson: 2, personShare: 2 })
  const giveBack = slots.take(of('a', 'dev'))
  assert.ok(giveBack)
  giveBack()
  giveBack()
  assert.equal(takeAll(slots, of('a', 'dev')), 1)
})
