import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { SchoolContext } from './context.ts'
import { hook, implement, registerHooks } from './hook.ts'

const place = {} as SchoolContext

suite('hooks', () => {
  test('a call reaches every implementation, in the order in which the areas were registered', async () => {
    const price = hook<{ readonly amount: number }, number>('test.price')
    registerHooks('coupons', [implement(price, async ({ amount }) => amount - 1)])
    registerHooks('taxes', [implement(price, async ({ amount }) => amount * 2)])
    assert.deepEqual(await price.call({ amount: 10 }, place), [9, 20])
  })

  test('a name can be declared once', () => {
    hook<void, void>('test.once')
    assert.throws(() => hook<void, void>('test.once'), /the hook test.once is declared twice/)
  })

  test('an area can implement a hook once', () => {
    const seats = hook<void, number>('test.seats')
    const one = implement(seats, async () => 1)
    assert.throws(() => registerHooks('courses', [one, one]), /the area courses implements the hook test.seats twice/)
  })
})
