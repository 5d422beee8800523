import { addCodes, addCoupon, type OrderRow, type PaymentParts, type TestAction } from '#src/areas/shop/index.ts'
import { DAY } from '../clock.ts'
import { people } from '../people/people.ts'
import {
  askForPayment,
  expireOrder,
  type Purchase,
  payByTest,
  payByTransfer,
  placePurchase,
  refundLast,
  type Visit,
} from './purchases.ts'

const addFriends = ({ database, school }: PaymentParts): Promise<void> =>
  database.transaction(school.id, async (db, now) => {
    const coupon = await addCoupon(
      { db, school, now },
      { name: 'Friends of the bakery', kind: 'percent', percent_off: '100' },
    )
    await addCodes({ db, schoolId: school.id, now }, coupon, { code: 'FRIENDS' })
  })

type Sold = Omit<Purchase, 'email'> & { readonly by: keyof typeof people }

const place = (parts: PaymentParts, { by, ...purchase }: Sold): Promise<OrderRow> =>
  placePurchase(parts, { ...purchase, email: people[by].email })

const test =
  (sold: Sold, ...actions: readonly TestAction[]): Visit['run'] =>
  async then =>
    payByTest(then, await place(then, sold), actions)

const transfer =
  (sold: Sold): Visit['run'] =>
  async then =>
    payByTransfer(then, await place(then, sold))

const ask =
  (sold: Sold, provider: string): Visit['run'] =>
  async then =>
    askForPayment(then, await place(then, sold), provider)

const refund =
  (by: Sold['by']): Visit['run'] =>
  then =>
    refundLast(then, people[by].email)

// Nobody paid it within an hour.
const buildExpired = (minutes: number, sold: Sold): Visit[] => {
  let order: OrderRow | undefined
  const run: Visit['run'] = async then => {
    order = await place(then, sold)
  }
  return [
    { minutes, run },
    { minutes: minutes - 60, run: async then => order && expireOrder(then, order) },
  ]
}

const STARTER = 'keep-your-starter-alive'
const BAGUETTES = 'baguettes-at-home'
const CROISSANTS = 'croissants-layer-by-layer'
const WORKBOOK = 'sourdough-workbook'

/**
 * What the people of the demo bought: courses, a digital product, memberships and a payment plan, so that there is an order in every
 * state, placed and paid as buyers do, by test payments and bank transfers. One membership is in its trial.
 */
export const buildSales = (): Visit[] => [
  { minutes: 41 * DAY, run: test({ by: 'eli', of: ['bakers-club/year'] }, 'pay') },
  { minutes: 26 * DAY, run: test({ by: 'dev', of: [STARTER, WORKBOOK] }, 'pay') },
  { minutes: 23 * DAY, run: test({ by: 'eli', of: [BAGUETTES], code: 'WELCOME-10' }, 'pay') },
  { minutes: 20 * DAY, run: test({ by: 'carla', of: ['sourdough-from-scratch/payment_plan'] }, 'pay') },
  { minutes: 17 * DAY, run: addFriends },
  { minutes: 17 * DAY - 90, run: then => place(then, { by: 'ben', of: [STARTER], code: 'FRIENDS' }) },
  { minutes: 13 * DAY, run: transfer({ by: 'femi', of: [STARTER, WORKBOOK] }) },
  { minutes: 11 * DAY, run: refund('femi') },
  { minutes: 10 * DAY, run: transfer({ by: 'eli', of: [CROISSANTS] }) },
  { minutes: 8 * DAY, run: test({ by: 'femi', of: [CROISSANTS] }, 'decline_finally') },
  { minutes: 7 * DAY, run: refund('eli') },
  { minutes: 5 * DAY, run: test({ by: 'femi', of: ['bakers-club/month'] }, 'pay') },
  { minutes: 2 * DAY, run: test({ by: 'carla', of: [CROISSANTS] }, 'pay', 'dispute') },
  ...buildExpired(100, { by: 'carla', of: [WORKBOOK] }),
  { minutes: DAY / 2, run: ask({ by: 'dev', of: [CROISSANTS] }, 'manual') },
  { minutes: 5, run: ask({ by: 'femi', of: [BAGUETTES] }, 'test') },
]
