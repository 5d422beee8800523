import { addCodes, addCoupon, type OrderRow, type PaymentParts } from '#src/areas/shop/index.ts'
import { openEarlier } from '../clock.ts'
import { people } from '../people/people.ts'
import {
  askForPayment,
  expireOrder,
  type Purchase,
  payByTest,
  payByTransfer,
  placePurchase,
  refundLines,
} from './purchases.ts'

const addFriends = ({ database, school }: PaymentParts): Promise<void> =>
  database.transaction(school.id, async (db, now) => {
    const coupon = await addCoupon(
      { db, school, now },
      { name: 'Friends of the bakery', kind: 'percent', percent_off: '100' },
    )
    await addCodes({ db, schoolId: school.id, now }, coupon, { code: 'FRIENDS' })
  })

const place = (
  parts: PaymentParts,
  { by, ...purchase }: Omit<Purchase, 'email'> & { readonly by: keyof typeof people },
): Promise<OrderRow> => placePurchase(parts, { ...purchase, email: people[by].email })

const STARTER = 'keep-your-starter-alive'
const BAGUETTES = 'baguettes-at-home'
const CROISSANTS = 'croissants-layer-by-layer'
const WORKBOOK = 'sourdough-workbook'

/**
 * Sells courses, a digital product, memberships and a payment plan, so that the demo has an order in every state: placed and paid as
 * buyers do, by test payments and bank transfers, with their invoices and credit notes. One membership is in its trial.
 */
export const createDemoSales = async (parts: PaymentParts): Promise<void> => {
  const hourAgo = { ...parts, database: openEarlier(parts.database, 60) }
  await expireOrder(parts, await place(hourAgo, { by: 'carla', of: [WORKBOOK] }))
  await payByTest(parts, await place(parts, { by: 'dev', of: [STARTER, WORKBOOK] }), ['pay'])
  await payByTest(parts, await place(parts, { by: 'eli', of: [BAGUETTES], code: 'WELCOME-10' }), ['pay'])
  await payByTest(parts, await place(parts, { by: 'carla', of: [CROISSANTS] }), ['pay', 'dispute'])
  await payByTest(parts, await place(parts, { by: 'femi', of: [CROISSANTS] }), ['decline_finally'])
  const some = await place(parts, { by: 'femi', of: [STARTER, WORKBOOK] })
  await payByTransfer(parts, some)
  await refundLines(parts, some, 1)
  const all = await place(parts, { by: 'eli', of: [CROISSANTS] })
  await payByTransfer(parts, all)
  await refundLines(parts, all, 1)
  await payByTest(parts, await place(parts, { by: 'eli', of: ['bakers-club/year'] }), ['pay'])
  await payByTest(parts, await place(parts, { by: 'femi', of: ['bakers-club/month'] }), ['pay'])
  await payByTest(parts, await place(parts, { by: 'carla', of: ['sourdough-from-scratch/payment_plan'] }), ['pay'])
  await addFriends(parts)
  await place(parts, { by: 'ben', of: [STARTER], code: 'FRIENDS' })
  await askForPayment(parts, await place(parts, { by: 'dev', of: [CROISSANTS] }), 'manual')
  await askForPayment(parts, await place(parts, { by: 'femi', of: [BAGUETTES] }), 'test')
}
