import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { MAX_AMOUNT } from '#src/kit/money.ts'
import {
  computeLeft,
  computeRefunds,
  computeUnused,
  type PaidLine,
  type PaidPeriod,
  paidFor,
} from '#src/kit/proration.ts'
import { chooseInstant, computeProration, expiredBy, isSameRhythm, usualTime } from './proration/rules.ts'

const DAY = 24 * 3600 * 1000
const start = Date.UTC(2026, 0, 31, 9)
const period: PaidPeriod = { from: new Date(start), until: new Date(start + 30 * DAY) }
const after = (days: number): Date => new Date(start + days * DAY)

const inputs = fc
  .record({
    from: fc.integer({ min: 0, max: 4_000_000_000 }),
    seconds: fc.integer({ min: 1, max: 400 * 24 * 3600 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    paid: fc.integer({ min: 0, max: MAX_AMOUNT }),
    credited: fc.integer({ min: 0, max: MAX_AMOUNT }),
    standing: fc.integer({ min: 0, max: MAX_AMOUNT }),
    amount: fc.integer({ min: 0, max: MAX_AMOUNT }),
    isSameRhythm: fc.boolean(),
  })
  .map(({ from, seconds, part, paid, credited, ...rest }) => {
    const running = { from: new Date(from * 1000), until: new Date((from + seconds) * 1000) }
    const at = new Date((from + Math.floor(part * seconds)) * 1000)
    return {
      ...rest,
      prorates: true,
      period: running,
      paid: { ...running, amount: paid, creditAmount: Math.min(paid, credited) },
      at,
    }
  })

suite('what a change of the price costs', () => {
  test('half of a period is left: half of what was paid is credited, and half of the new price is due', () => {
    const input = {
      period,
      at: after(15),
      paid: { ...period, amount: 2000, creditAmount: 0 },
      amount: 5000,
      standing: 0,
      isSameRhythm: true,
      prorates: true,
    }
    assert.deepEqual(computeProration(input), {
      ...{ credit: 1000, ofCredit: 0, due: 2500, used: 1000, held: 0, rest: 0, toPay: 1500 },
    })
  })

  test('what is paid less often begins a whole period now, less the credit', () => {
    const input = {
      period,
      at: after(10),
      paid: { ...period, amount: 3000, creditAmount: 0 },
      amount: 30_000,
      standing: 0,
      isSameRhythm: false,
      prorates: true,
    }
    assert.deepEqual(computeProration(input), {
      ...{ credit: 2000, ofCredit: 0, due: 30_000, used: 2000, held: 0, rest: 0, toPay: 28_000 },
    })
  })

  test('a lower price leaves a credit for coming periods, and nothing is paid back', () => {
    const input = {
      period,
      at: after(15),
      paid: { ...period, amount: 5000, creditAmount: 0 },
      amount: 2000,
      standing: 0,
      isSameRhythm: true,
      prorates: true,
    }
    assert.deepEqual(computeProration(input), {
      ...{ credit: 2500, ofCredit: 0, due: 1000, used: 1000, held: 0, rest: 1500, toPay: 0 },
    })
  })

  test('without proration nothing is credited or due', () => {
    const input = {
      period,
      at: after(15),
      paid: { ...period, amount: 5000, creditAmount: 0 },
      amount: 2000,
      standing: 0,
      isSameRhythm: true,
      prorates: false,
    }
    assert.deepEqual(computeProration(input), {
      ...{ credit: 0, ofCredit: 0, due: 0, used: 0, held: 0, rest: 0, toPay: 0 },
    })
  })

  test('a second change credits what the first one paid for the rest of the period', () => {
    const rest = { from: after(15), until: period.until }
    const input = { period, at: after(22.5), amount: 5000, standing: 0, isSameRhythm: true, prorates: true }
    const paid = { ...rest, amount: 2500, creditAmount: 0 }
    assert.deepEqual(computeProration({ ...input, paid }), {
      ...{ credit: 1250, ofCredit: 0, due: 1250, used: 1250, held: 0, rest: 0, toPay: 0 },
    })
  })

  test('is counted by the second', () => {
    const at = new Date(period.until.getTime() - 1500)
    assert.deepEqual(computeLeft(period, at), { left: 1, length: 30 * 24 * 3600 })
    assert.equal(computeUnused(30 * 24 * 3600, period, at), 1)
  })

  test('of any amounts and instants: what is credited is used or left, and never more than was paid', () => {
    fc.assert(
      fc.property(inputs, input => {
        const { credit, ofCredit, due, used, held, rest, toPay } = computeProration(input)
        assert.equal(used + rest, credit)
        assert.equal(toPay, Math.max(0, due - credit - input.standing))
        assert.equal(used + held + toPay, due)
        assert.ok(ofCredit >= 0 && ofCredit <= credit && held >= 0 && held <= input.standing)
        assert.ok(
          credit >= 0 && credit <= input.paid.amount && due >= 0 && due <= input.amount && rest >= 0 && toPay >= 0,
        )
      }),
    )
  })

  test('never falls with the new price, and never rises with what was paid or with time', () => {
    fc.assert(
      fc.property(inputs, fc.integer({ min: 0, max: 1000 }), (input, more) => {
        const { toPay, credit, rest } = computeProration(input)
        assert.ok(computeProration({ ...input, amount: Math.min(MAX_AMOUNT, input.amount + more) }).toPay >= toPay)
        const amount = Math.min(MAX_AMOUNT, input.paid.amount + more)
        const richer = computeProration({ ...input, paid: { ...input.paid, amount } })
        assert.ok(richer.toPay <= toPay && richer.rest >= rest)
        assert.ok(computeProration({ ...input, at: new Date(input.at.getTime() + more * 1000) }).credit <= credit)
      }),
    )
  })

  test('at the same price changes nothing that anybody pays', () => {
    fc.assert(
      fc.property(inputs, input => {
        const { toPay, rest } = computeProration({ ...input, isSameRhythm: true, amount: input.paid.amount })
        assert.deepEqual([toPay, rest], [0, 0])
      }),
    )
  })

  test('at the beginning of a period is the whole of it, and at its end nothing', () => {
    fc.assert(
      fc.property(inputs, ({ period: running, paid }) => {
        assert.equal(computeUnused(paid.amount, running, running.from), paid.amount)
        assert.equal(computeUnused(paid.amount, running, running.until), 0)
      }),
    )
  })
})

const line = (values: Partial<PaidLine>): PaidLine => ({
  ...{ unit_amount: 5000, quantity: 1, discount_amount: 0, credit_amount: 0, amount: 5000, refunded_amount: 0 },
  ...values,
})

suite('what goes back of a period that ends', () => {
  const whole = { period }
  const back = (parts: Parameters<typeof computeRefunds>[0], days: number) => computeRefunds(parts, after(days))

  test('is the part that is not used of what money paid', () => {
    assert.deepEqual(back([{ ...line({ amount: 6000 }), ...whole }], 15), [3000])
    assert.deepEqual(
      back([{ ...line({ discount_amount: 4000, credit_amount: 4000, amount: 1000 }), ...whole }], 15),
      [500],
    )
    assert.deepEqual(back([{ ...line({ refunded_amount: 2500 }), ...whole }], 15), [1250])
    assert.deepEqual([back([], 15), back([{ ...line({}), ...whole }], 30)], [[], [0]])
  })

  test('is that of both orders after a higher price, and only that of the new one after a lower price', () => {
    const rest = { from: after(15), until: period.until }
    // From 5000 to 9000 with half of the period left: 4500 are due, less a credit of 2500.
    const higher = line({ unit_amount: 4500, discount_amount: 2500, credit_amount: 2500, amount: 2000 })
    assert.deepEqual(
      back(
        [
          { ...higher, period: rest },
          { ...line({}), ...whole },
        ],
        20,
      ),
      [1333, 1667],
    )
    // From 5000 to 2000: 1000 are due, which the credit of 2500 pays; the rest of it pays coming periods.
    const lower = line({ unit_amount: 1000, discount_amount: 1000, credit_amount: 1000, amount: 0 })
    assert.deepEqual(
      back(
        [
          { ...lower, period: rest },
          { ...line({}), ...whole },
        ],
        20,
      ),
      [0, 667],
    )
  })
})

suite('what was paid for a period', () => {
  test('is what codes left, with what a credit paid, before tax that was added', () => {
    assert.equal(paidFor(line({})), 5000)
    assert.equal(paidFor(line({ discount_amount: 1000, amount: 4000 })), 4000)
    assert.equal(paidFor(line({ discount_amount: 3000, credit_amount: 2000, amount: 2000 })), 4000)
    assert.equal(paidFor(line({ amount: 6150 })), 5000)
  })

  test('is without the part that was refunded, and nothing after a full refund', () => {
    assert.equal(paidFor(line({ amount: 6150, refunded_amount: 3075 })), 2500)
    assert.equal(paidFor(line({ amount: 6150, refunded_amount: 6150 })), 0)
    assert.equal(paidFor(line({ discount_amount: 5000, amount: 0 })), 0)
    assert.equal(paidFor(line({ discount_amount: 5000, credit_amount: 5000, amount: 0 })), 5000)
  })
})

test('an instant of a preview can be used for an hour, within the period that runs', () => {
  const now = after(10)
  const before = (ms: number) => new Date(now.getTime() - ms)
  assert.equal(expiredBy(now, now, period), undefined)
  assert.equal(expiredBy(before(3600_000), now, period), undefined)
  assert.equal(expiredBy(before(3600_001), now, period), 'too_old')
  assert.equal(expiredBy(before(-1), now, period), 'ahead')
  const begins = { ...period, from: before(-900) }
  assert.equal(expiredBy(chooseInstant(now, begins), now, begins), undefined)
  assert.equal(expiredBy(before(-901), now, begins), 'ahead')
  assert.equal(expiredBy(before(60_000), now, { ...period, from: before(59_000) }), 'other_period')
  assert.equal(expiredBy(before(60_000), now, { ...period, until: now }), 'other_period')
})

test('what costs more takes effect now, and what costs less with the next period', () => {
  const monthly = { interval: 'month', interval_count: 1 } as const
  const yearly = { interval: 'year', interval_count: null } as const
  assert.equal(usualTime(2000, monthly, 5000, monthly), 'now')
  assert.equal(usualTime(5000, monthly, 2000, monthly), 'period_end')
  assert.equal(usualTime(2000, monthly, 1000, yearly), 'now')
  assert.equal(isSameRhythm(monthly, { interval: 'month', interval_count: null }), true)
  assert.equal(isSameRhythm(monthly, yearly), false)
})
