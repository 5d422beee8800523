import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Claimant, createSlots, type SlotLimits } from './slots.ts'

const of = (school: string, person: string, isPrivileged = false): Claimant => ({ school, person, isPrivileged })
const open: SlotLimits = { all: 100, reserved: 0, perPerson: 1000, personShare: 1000 }

/** How many slots each claimant gets in turn, taking all that there are. */
const taken = (limits: SlotLimits, ...claimants: readonly Claimant[]): number[] => {
  const slots = createSlots(limits)
  return claimants.map(claimant => {
    let count = 0
    while (slots.take(claimant) !== undefined) count++
    return count
  })
}

test('a school holds up to four slots for each that is free, whoever its people are', () => {
  assert.deepEqual(taken(open, of('a', 'dev'), of('a', 'eli'), of('b', 'dev'), of('c', 'dev')), [80, 0, 16, 3])
  assert.deepEqual(taken({ ...open, all: 5 }, of('a', 'dev'), of('b', 'dev')), [4, 0])
  assert.deepEqual(taken({ ...open, all: 1 }, of('a', 'dev')), [0])
})

test('only privileged callers use the reserve', () => {
  const limits = { ...open, reserved: 50 }
  assert.deepEqual(taken(limits, of('a', 'dev')), [40])
  assert.deepEqual(taken(limits, of('a', 'ada', true)), [80])
  assert.deepEqual(taken(limits, of('a', 'dev'), of('b', 'dev'), of('b', 'ada', true)), [40, 8, 40])
})

test('a person holds no more than their bound, or their share of what the school may still take, but one at least', () => {
  assert.deepEqual(taken({ ...open, perPerson: 7 }, of('a', 'dev'), of('a', 'eli'), of('b', 'dev')), [7, 7, 7])
  assert.deepEqual(taken({ ...open, personShare: 1 / 4 }, of('a', 'dev'), of('a', 'eli')), [16, 13])
  assert.deepEqual(taken({ ...open, perPerson: 0 }, of('a', 'dev'), of('a', 'eli')), [1, 1])
  assert.deepEqual(taken({ ...open, personShare: 0 }, of('a', 'dev'), of('a', 'eli')), [1, 1])
})

test('a slot that is returned can be taken again, by its person and its school', () => {
  const slots = createSlots({ ...open, all: 5, perPerson: 2 })
  const [dev, eli] = [of('a', 'dev'), of('a', 'eli')]
  const first = slots.take(dev)
  assert.ok(first && slots.take(dev) && slots.take(eli) && slots.take(eli))
  assert.equal(slots.take(of('a', 'femi')), undefined)
  first()
  assert.ok(slots.take(of('a', 'femi')))
  assert.equal(slots.take(dev), undefined, 'the school is full again')
})
