import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  foldCode,
  isRefunded,
  mayMove,
  registrationMoves,
  registrationStatuses,
  shownCode,
  statusAfter,
  type Verb,
} from './rules.ts'
import { firstWithSeat, seatsLeft } from './seats/rules.ts'

const verbs = [...new Set(registrationMoves.map(({ verb }) => verb))]

test('each verb leads to one status, and every pair that is not in the table is refused', () => {
  for (const verb of verbs) {
    const moves = registrationMoves.filter(move => move.verb === verb)
    assert.equal(new Set(moves.map(({ to }) => to)).size, 1, verb)
    assert.equal(statusAfter(verb), moves[0]?.to)
    for (const status of registrationStatuses)
      assert.equal(
        mayMove(verb, status),
        moves.some(({ from }) => from === status),
        `${verb} from ${status}`,
      )
  }
})

test('nothing leads on from what was declined, and nobody is checked in without a confirmed seat', () => {
  assert.ok(verbs.every(verb => !mayMove(verb, 'declined')))
  const leading = (to: string): (string | undefined)[] =>
    registrationMoves.filter(move => move.to === to).map(({ from }) => from)
  assert.deepEqual(leading('checked_in'), ['confirmed'])
  const check: Verb = 'cancel'
  assert.ok(!mayMove(check, 'checked_in'))
})

test('a code is read as people type it', () => {
  const code = '0123456789ab'
  assert.equal(foldCode(shownCode(code)), code)
  assert.equal(foldCode(' o12i-4567 89ab'), '012145678' + '9ab')
})

test('seats are limited by the date and by the ticket', () => {
  const count = (ticket_type_id: string | null, taken: number) => ({
    occurrence_id: 'o',
    ticket_type_id,
    taken,
    requested: 0,
    waiting: 0,
  })
  const seats = {
    capacity: 5,
    counts: [count('a', 2), count(null, 1)],
    limits: new Map([
      ['a', 3],
      ['b', null],
    ]),
  }
  assert.deepEqual([seatsLeft(seats, 'a'), seatsLeft(seats, 'b'), seatsLeft(seats, null)], [1, 2, 2])
  assert.equal(seatsLeft({ ...seats, capacity: null }, 'b'), null)
  const waiting = ['a', 'a', 'b', 'b'].map((ticket_type_id, at) => ({ id: String(at), ticket_type_id }))
  assert.deepEqual(firstWithSeat(seats, waiting), ['0', '2'])
})

test('who cancels is paid back by the rule of the event', () => {
  assert.deepEqual(
    [isRefunded('full', false), isRefunded('none', true), isRefunded('until', true), isRefunded('until', false)],
    [true, false, true, false],
  )
})
