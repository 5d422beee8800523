import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import '#src/areas.ts'
import {
  type AppliedCode,
  applyCodes,
  type CodeLine,
  holdRedemptions,
  returnRedemptions,
  takeRedemptions,
} from '#src/areas/shop/index.ts'
import type { Db } from '#src/contract/db.ts'
import type { PriceValues } from '#src/contract/price.ts'
import type { School } from '#src/contract/school.ts'
import { recordFacts } from '#src/db/audit.ts'
import { fromId, newUuid } from '#src/kit/ids.ts'
import type { Actor } from './actor.ts'
import { newLine, openSales } from './offers.ts'
import { preloadArguments } from './preload.ts'

/** The transaction of an order. */
type Place = { readonly db: Db; readonly school: School; readonly now: Date }

/** What is paid once for it, in minor units. */
export const oneTime = (amount: number, currency = 'EUR'): PriceValues => ({
  payment_type: 'one_time',
  amount,
  currency,
  interval: null,
  interval_count: null,
  number_of_payments: null,
  trial_days: null,
  access_days: null,
  access_until: null,
  enrollment_cap: null,
})

/** What is paid for it every month. */
export const monthly = (amount: number): PriceValues => ({
  ...oneTime(amount),
  payment_type: 'subscription',
  interval: 'month',
  interval_count: 1,
})

/** A line about a course, by default one of its own. */
export const buildLine = (payment: PriceValues, courseId = newUuid(0)): CodeLine => ({
  lineId: newLine(),
  priceId: newUuid(0),
  item: { type: 'course', id: courseId },
  payment,
  amount: payment.amount,
})

/** The UUID of an id on the wire of a coupon. */
export const couponUuid = (id: string): string => {
  const uuid = fromId('cpn', id)
  if (uuid === undefined) throw new Error(`${id} is no id of a coupon`)
  return uuid
}

/** Makes a coupon with one code, by default 20 %; returns its body. */
export const makeCoupon = async (actor: Actor, code: string, more: Readonly<Record<string, unknown>> = {}) => {
  const body = { name: code, kind: 'percent', ...('kind' in more ? {} : { percent_off: '20' }), ...more }
  const { status, json, text } = await actor.write('POST', '/coupons', body)
  if (status !== 201) throw new Error(text)
  const added = await actor.write('POST', `/coupons/${json.id}/codes`, { code })
  if (added.status !== 200) throw new Error(added.text)
  return json
}

/** An order that uses codes. */
export type CodeOrder = {
  readonly orderId: string
  readonly memberId: string
  readonly codes: readonly string[]
  readonly lines: readonly CodeLine[]
}

/** A new order of a member over one line of 50 euros. */
export const newOrder = (memberId: string, ...codes: readonly string[]): CodeOrder => ({
  orderId: newUuid(0),
  memberId,
  codes,
  lines: [buildLine(oneTime(5000))],
})

/** How an order ended: `held`, or the first reason of a refusal. */
export type Placed = { readonly outcome: string; readonly applied: readonly AppliedCode[] }

class RolledBack extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}

type Sales = Pick<ReturnType<typeof openSales>, 'run'>

const placeIn = async (place: Place, order: CodeOrder, isLocking: boolean): Promise<Placed> => {
  const { orderId, memberId, codes, lines } = order
  const request = { codes, lines, currency: 'EUR', memberId, now: place.now, isLocking }
  const { applied, refused } = await applyCodes(place, request)
  const [first] = refused
  if (first !== undefined) throw new RolledBack(first.reason)
  const held = await holdRedemptions(place, { orderId, memberId, currency: 'EUR', applied })
  if ('refused' in held) throw new RolledBack(held.refused.reason)
  await recordFacts(place.db, { schoolId: place.school.id, now: place.now }, held.facts)
  return { outcome: 'held', applied }
}

/** Places an order as the area of orders does: the codes are applied and held in one transaction, or nothing is written. */
export const placeOrder = ({ run }: Sales, order: CodeOrder, isLocking = true): Promise<Placed> =>
  run(place => placeIn(place, order, isLocking)).catch((error: unknown) => {
    if (error instanceof RolledBack) return { outcome: error.reason, applied: [] }
    throw error
  })

type Settled = Awaited<ReturnType<typeof takeRedemptions>>

const settle = ({ run }: Sales, verb: typeof takeRedemptions, orderId: string): Promise<Settled> =>
  run(async place => {
    const settled = await verb(place, { orderId })
    await recordFacts(place.db, { schoolId: place.school.id, now: place.now }, settled.facts)
    return settled
  })

/** Takes what an order holds, as its payment does. */
export const payOrder = (sales: Sales, orderId: string): Promise<Settled> => settle(sales, takeRedemptions, orderId)

/** Returns what an order holds or took, as its end or its full refund does. */
export const endOrder = (sales: Sales, orderId: string): Promise<Settled> => settle(sales, returnRedemptions, orderId)

/** A step of an order. */
export type CodeTask =
  | { readonly verb: 'place'; readonly order: CodeOrder; readonly isLocking: boolean }
  | { readonly verb: 'pay' | 'end'; readonly orderId: string }

/** A process of its own that takes many steps at once, each in its own transaction. */
export type CouponProcess = { perform(tasks: readonly CodeTask[]): Promise<readonly string[]>; stop(): Promise<void> }

/** Starts one; it ends with the process of the test. */
export const startCouponProcess = async (databaseUrl: string, schoolId: string): Promise<CouponProcess> => {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), [databaseUrl, schoolId], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...preloadArguments],
    serialization: 'advanced',
  })
  const answer = async (): Promise<readonly string[]> => {
    const [message] = await once(child, 'message')
    return message
  }
  await answer()
  return {
    perform: tasks => {
      const answered = answer()
      child.send(tasks)
      return answered
    },
    stop: async () => {
      child.disconnect()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

const readOutcome = async (sales: Sales, task: CodeTask): Promise<string> => {
  if (task.verb === 'place') return (await placeOrder(sales, task.order, task.isLocking)).outcome
  const { done, failed } = await (task.verb === 'pay' ? payOrder : endOrder)(sales, task.orderId)
  return `${done.length} done, ${failed.length} failed`
}

const performTasks = (databaseUrl: string, schoolId: string): void => {
  const sales = openSales(databaseUrl, schoolId)
  process.on('message', async (message: unknown) => {
    const settled = await Promise.allSettled((message as readonly CodeTask[]).map(task => readOutcome(sales, task)))
    process.send?.(settled.map(one => (one.status === 'fulfilled' ? one.value : String(one.reason))))
  })
  process.once('disconnect', () => void sales.close())
  process.send?.([])
}

if (import.meta.main) performTasks(process.argv[2] ?? '', process.argv[3] ?? '')
