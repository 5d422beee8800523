import Type, { type Static } from 'typebox'
import { Closed, Day, Id, Instant, Nullable, OneOf, Personal } from '#src/kit/shapes.ts'

/** What may wait for somebody, in the order in which it is shown. */
export const waitingKinds = [
  'transfers',
  'disputes',
  'not_given',
  'failed_refunds',
  'credits',
  'past_due',
  'works',
  'answers',
  'requests',
  'reviews',
  'comments',
  'questions',
  'reports',
  'failed_mails',
] as const

/** One of them. */
export type WaitingKind = (typeof waitingKinds)[number]

/** The most of one kind that are counted. */
export const MAX_COUNTED = 100

/** How many of one kind are named. */
export const MAX_NAMED = 3

const Amount = Nullable(Type.Integer({ description: 'In minor units of the currency' }))
const Currency = Nullable(Type.String({ description: 'ISO 4217' }))

const Example = Closed('WaitingExample', {
  order: Nullable(Type.String({ description: 'The number of the order' })),
  name: Nullable(Personal(Type.String({ description: 'Whose it is' }))),
  about: Nullable(Type.String({ description: 'What it is about, such as a lesson, or why it failed' })),
  amount: Amount,
  currency: Currency,
})

const Waiting = Closed('WaitingItem', {
  kind: OneOf(waitingKinds, 'What waits'),
  count: Type.Integer({ minimum: 1, maximum: MAX_COUNTED, description: `At ${MAX_COUNTED} there may be more` }),
  since: Type.Unsafe<Date>({ ...Instant, description: 'Since when the oldest of them waits' }),
  until: Nullable(Type.Unsafe<Date>({ ...Instant, description: 'Until when the first of them has to be done' })),
  examples: Type.Array(Example, { maxItems: MAX_NAMED, description: 'The oldest of them' }),
})

const Total = (description: string) => Type.Integer({ description })

const Sales = Closed('SalesOfDays', {
  currency: Type.String({ description: 'ISO 4217' }),
  days: Type.Array(
    Closed('SalesOfDay', {
      day: Day,
      amount: Type.Integer({ description: 'What was sold on that day, in minor units, tax included' }),
      previous: Nullable(
        Type.Integer({ description: 'The same of the day 30 days before; null before the school began' }),
      ),
      orders: Type.Integer({ minimum: 0, description: 'How many orders were paid on that day, in all currencies' }),
      previous_orders: Type.Integer({ minimum: 0 }),
    }),
    { description: 'The last 30 days, in the time zone of the school' },
  ),
})

const Figure = Closed('FigureOfDays', {
  metric: Type.String({ description: 'The name of a metric' }),
  total: Total('Of the last 30 days; of a gauge the last value, of people each counted once'),
  previous: Nullable(Total('The same of the 30 days before; null before the school began')),
  points: Type.Array(Type.Integer(), { description: 'The value of each day' }),
})

const NewOrder = Closed('NewOrder', {
  number: Type.String(),
  member_id: Id('mem'),
  name: Personal(Type.String()),
  amount: Type.Integer({ description: 'In minor units' }),
  currency: Type.String(),
  status: Type.String({ description: 'Its status, as `Order` has it' }),
  created_at: Instant,
})

const NewStudent = Closed('NewStudent', {
  enrollment_id: Id('enr'),
  member_id: Id('mem'),
  name: Personal(Type.String()),
  course_id: Id('crs'),
  course: Type.String(),
  percent_complete: Type.Integer({ minimum: 0, maximum: 100 }),
  created_at: Instant,
})

/** What staff, or somebody who teaches, have to know today. */
export const Today = Closed('Today', {
  as_of: Instant,
  waiting: Type.Array(Waiting, { description: 'What waits for the caller; what does not wait is left out' }),
  sales: Type.Array(Sales, { description: 'By currency, that of the school first; empty for those who teach' }),
  figures: Type.Array(Figure),
  orders: Type.Array(NewOrder, { description: 'The newest orders; empty for those who teach' }),
  students: Type.Array(NewStudent, { description: 'Who was enrolled last' }),
})

/** The same as values. */
export type TodayValues = Static<typeof Today>
