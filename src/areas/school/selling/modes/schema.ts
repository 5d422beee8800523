import Type, { type Static } from 'typebox'
import { Closed, Line } from '#src/kit/shapes.ts'

/** Whether real money moves. */
export const TestMode = Closed('TestMode', {
  is_test: Type.Boolean({ description: 'Whether no real money moves in the school' }),
})

const Count = (what: string) => Type.Integer({ minimum: 0, description: what })

const SaleCounts = Closed('SaleCounts', {
  orders: Count('Orders'),
  payments: Count('Payments'),
  refunds: Count('Refunds'),
  disputes: Count('Disputes'),
  invoices: Count('Invoices and credit notes'),
  subscriptions: Count('Subscriptions'),
  redemptions: Count('Uses of coupons'),
  registrations: Count('Registrations for events that were ordered'),
  entitlements: Count('What orders and subscriptions gave'),
})

/** How much was sold, by its kind. */
export type SaleCounts = Static<typeof SaleCounts>

/** What a test school has sold. */
export const TestSales = Closed('TestSales', {
  counts: SaleCounts,
  is_clearing: Type.Boolean({ description: 'Whether all of it is being deleted already, while nothing is sold' }),
})

/** The school whose sales are deleted. */
export const TestSalesClearing = Closed('TestSalesClearing', {
  name: Line(200, 'The name of the school, typed'),
})
