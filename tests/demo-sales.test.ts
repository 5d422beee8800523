import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { assertLedger } from '#testing/ledger.ts'
import { useShownDemo } from '#testing/shown-demo.ts'

const app = testApp()
const startDemo = useShownDemo(app)

type Count = { readonly status: string; readonly count: number }

test('the demo has orders in every state, whose books add up, with invoices, and takes payments at once', async () => {
  const id = await startDemo('http://127.0.0.1:9')
  await assertLedger(app.database)
  const counts = await app.database.query<Count>(
    `select case
       when o.status <> 'paid' then o.status
       when exists (select from disputes d where d.school_id = o.school_id and d.order_id = o.id) then 'disputed'
       when o.refunded_total = 0 then 'paid'
       when o.refunded_total < o.total then 'partially_refunded' else 'refunded' end as status, count(*)::integer as count
     from orders o where school_id = $1 group by 1 order by 1`,
    [id],
  )
  assert.deepEqual(
    counts.map(({ status, count }) => [status, count]),
    [
      ...[
        ['canceled', 1],
        ['disputed', 1],
        ['expired', 1],
        ['failed', 4],
        ['paid', 61],
      ],
      ...[
        ['partially_refunded', 2],
        ['pending', 3],
        ['refunded', 4],
      ],
    ],
  )
  const subscriptions = await app.database.query(
    'select status, count(*)::integer as count from subscriptions where school_id = $1 group by 1 order by 1',
    [id],
  )
  assert.deepEqual(
    subscriptions.map(({ status, count }) => [status, count]),
    [
      ['active', 11],
      ['trialing', 1],
    ],
  )
  const [facts] = await app.database.query(
    `select
       (select array_agg(name order by name) from payment_providers where school_id = $1) as providers,
       (select count(*)::integer from invoices where school_id = $1 and kind = 'invoice') as invoices,
       (select count(*)::integer from invoices where school_id = $1 and kind = 'credit_note') as notes,
       (select count(*)::integer from invoices where school_id = $1 and order_id not in (select id from orders)) as made_up,
       (select count(*)::integer from order_lines where school_id = $1 and item_type = 'digital_product') as products,
       (select max(count)::integer from (select count(*) from order_lines where school_id = $1 group by order_id) l) as lines,
       (select count(*)::integer from orders where school_id = $1 and total = 0 and discount_total > 0) as free,
       (select array_agg(o.number) from coupon_redemptions r
         join coupons c on c.school_id = r.school_id and c.id = r.coupon_id
         join orders o on o.school_id = r.school_id and o.id = r.order_id
         where r.school_id = $1 and c.name = 'First batch' and r.status = 'taken') as first_batch`,
    [id],
  )
  assert.deepEqual(facts, {
    ...{ providers: ['manual', 'test'], invoices: 66, notes: 6, made_up: 0, products: 18, lines: 2, free: 1 },
    first_batch: ['ORD-77'],
  })
})

test('where real money moves the demo sells nothing by test payments', async () => {
  const id = await startDemo('https://real.example')
  await assertLedger(app.database)
  const rows = await app.database.query(
    `select name from payment_providers where school_id = $1
     union all select provider from payments where school_id = $1 and provider = 'test'`,
    [id],
  )
  assert.deepEqual(rows, [])
})

test('the demo has people who joined and learned over weeks, in its figures from the start', async () => {
  const id = await startDemo('http://127.0.0.1:8')
  const weeks = await app.database.query<{ metric: string; weeks: number; total: number }>(
    `select metric, count(distinct date_trunc('week', at))::integer as weeks, sum(value)::integer as total
     from metric_buckets where school_id = $1 and metric in ('new_members', 'enrollments', 'lesson_completions') group by 1`,
    [id],
  )
  assert.equal(weeks.length, 3)
  for (const { metric, weeks: count } of weeks) assert.ok(count >= 8, `${metric} is in ${count} weeks`)
  const [hours] = await app.database.query<{ days: number }>(
    `select count(distinct date_trunc('day', hour))::integer as days from activity_hours where school_id = $1`,
    [id],
  )
  assert.ok((hours?.days ?? 0) > 10)
  assert.deepEqual(await app.database.query('select from metric_dirty where school_id = $1', [id]), [])
  // Lists are in the order of the ids, and show the day.
  const disordered = await app.database.query(
    `select from (
       select created_at, lag(created_at) over (order by id) as before from enrollments where school_id = $1
     ) as e where created_at < before - interval '1 day'`,
    [id],
  )
  assert.deepEqual(disordered, [])
})
