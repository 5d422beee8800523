import { randomUUID } from 'node:crypto'
import { areas } from '#src/areas.ts'
import { toId } from '#src/kit/ids.ts'
import { asOperator } from '../src/commands/as-operator.ts'
import type { Actor } from './actor.ts'
import type { TestApp } from './app.ts'
import type { TestReply } from './http.ts'
import { type CourseOnSale, sellCourse } from './offers.ts'

/** A price that is paid once, by default 49.00. */
export const once = (amount = 4900) => ({ payment_type: 'one_time', amount })

/** A course on sale, with the ids of its prices as an app knows them. */
export type Sold = CourseOnSale & { readonly priceIds: readonly string[]; readonly priceId: string }

/** Makes a published course with these prices; by default one that is paid once. */
export const sell = async (
  staff: Actor,
  name: string,
  prices: readonly Readonly<Record<string, unknown>>[] = [once()],
): Promise<Sold> => {
  const course = await sellCourse(staff, name, prices)
  const priceIds = course.prices.map(id => toId('prc', id))
  return { ...course, priceIds, priceId: priceIds[0] ?? '' }
}

/** Begins a purchase of one of each price, with a new key. */
export const checkout = (
  buyer: Actor,
  priceIds: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
  path = '/account/checkouts',
): Promise<TestReply> => {
  const items = priceIds.map(price_id => ({ price_id }))
  return buyer.write('POST', path, { items, ...more }, { 'idempotency-key': randomUUID() })
}

/** The quote of a purchase: its dry run. */
export const quote = (
  buyer: Actor,
  priceIds: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<TestReply> => checkout(buyer, priceIds, more, '/account/checkouts?dry_run=true')

/** The school in which the operator decides: the first one of an application, or `{ …, a: app.b }`. */
type OperatedSchool = Pick<TestApp, 'database' | 'secret' | 'folder' | 'a'>

type Performed = Parameters<Parameters<Parameters<typeof asOperator>[1]>[0]>[1]

/** Performs an operation without a route as the operator of the first school; a refusal is an error with its detail. */
export const performAsOperator = async (app: OperatedSchool, call: Performed): Promise<void> => {
  const { secret, a: school, folder } = app
  await asOperator(
    { database: app.database.elsewhere(), secret, storage: { folder }, school, areas },
    async (performAs, at) => {
      await performAs(at, call)
    },
  )
}

/** Performs an operation without a route on an order, as the operator of the first school. */
export const decide = (app: OperatedSchool, operation: string, orderId: string, body?: object): Promise<void> =>
  performAsOperator(app, { operation, params: { order_id: orderId }, ...(body === undefined ? {} : { body }) })
