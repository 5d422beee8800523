import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { createTestDatabase } from '#testing/database.ts'

const MIGRATIONS = new URL('../migrations/', import.meta.url)
const MIGRATION = '0107_fact_payloads.sql'
const [SCHOOL, EMPTY] = [randomUUID(), randomUUID()]

let database: Awaited<ReturnType<typeof createTestDatabase>>

const readMigration = (name: string): Promise<string> => readFile(new URL(name, MIGRATIONS), 'utf8')

// Each fact as it was recorded before the migration, and its payload after it.
const cases: readonly [type: string, before: object, after: object][] = [
  ['course.published', { course: 'crs_1' }, { course_id: 'crs_1' }],
  ['course.scheduled', { course: 'crs_1', at: '2027-01-01' }, { course_id: 'crs_1', publish_at: '2027-01-01' }],
  [
    'member.role_changed',
    { member: 'mem_1', from: 'member', to: 'admin' },
    { member_id: 'mem_1', from: 'member', to: 'admin' },
  ],
  ['member.merged', { member: 'mem_1', from: 'mem_2' }, { member_id: 'mem_1', merged_member_id: 'mem_2' }],
  [
    'digital_product.updated',
    { digital_product: 'dpr_1', fields: ['name'] },
    { product_id: 'dpr_1', fields: ['name'] },
  ],
  [
    'payment.failed',
    { payment: 'pay_1', order: 'ord_1', code: 'x' },
    { payment_id: 'pay_1', order_id: 'ord_1', code: 'x' },
  ],
  ['coupon.code_stopped', { code: 'cod_1', coupon: 'cpn_1' }, { code_id: 'cod_1', coupon_id: 'cpn_1' }],
  [
    'occurrence.cancelled',
    { occurrence: 'occ_1', event: 'evt_1', refund: 'all' },
    { occurrence_id: 'occ_1', event_id: 'evt_1', refund: 'all' },
  ],
  [
    'refund.begun',
    { refund: 'rfd_1', payment: 'pay_1', order: 'ord_1' },
    { refund_id: 'rfd_1', payment_id: 'pay_1', order_id: 'ord_1' },
  ],
  [
    'lesson.unlocked',
    { lessons: ['les_1', 'les_2'], course: 'crs_1' },
    { lesson_ids: ['les_1', 'les_2'], course_id: 'crs_1', count: 2 },
  ],
  [
    'section.archived',
    { section: 'sec_1', course: 'crs_1', lessons: 3 },
    { section_id: 'sec_1', course_id: 'crs_1', lesson_count: 3 },
  ],
  ['page.published', { page: 'pag_1', version: 4 }, { page_id: 'pag_1', version: 4 }],
  ['appearance.published', { version: 'apv_1', number: 2, fields: [] }, { version_id: 'apv_1', number: 2, fields: [] }],
  [
    'entitlement.granted',
    { entitlement: 'ent_1', member: 'mem_1', item_type: 'course', item: 'crs_1', source: 'gift' },
    {
      entitlement_id: 'ent_1',
      member_id: 'mem_1',
      item_type: 'course',
      item_id: 'crs_1',
      course_id: 'crs_1',
      source: 'gift',
    },
  ],
  ['member.erased', { member: 'mem_1', mails: ['m1', 'm2'] }, { member_id: 'mem_1' }],
  [
    'subscription.canceled',
    { subscription: 'sub_1', member: 'mem_1', reason: 'payment_failed' },
    { subscription_id: 'sub_1', member_id: 'mem_1', is_unpaid: true },
  ],
  [
    'subscription.cancel_planned',
    { subscription: 'sub_1', member: 'mem_1', reason: 'Too dear' },
    { subscription_id: 'sub_1', member_id: 'mem_1' },
  ],
  ['school.went_live', {}, {}],
  // A payload that has the new names already stays as it is.
  ['plan.published', { plan_id: 'mpl_1' }, { plan_id: 'mpl_1' }],
]

const insert = (type: string, payload: object, delivered: boolean, sequence: number | null) =>
  database.query(
    `insert into facts (school_id, id, type, payload, recorded_at, delivered_at, sequence)
     values ($1, $2, $3, $4, now(), case when $5 then now() end, $6)`,
    [SCHOOL, randomUUID(), type, JSON.stringify(payload), delivered, sequence],
  )

before(async () => {
  database = await createTestDatabase('template0')
  const names = (await readdir(MIGRATIONS)).filter(name => /^\d{4}_/.test(name) && name < MIGRATION).sort()
  await database.query('create schema stoa')
  for (const name of names) await database.query(await readMigration(name))
  for (const [id, host] of [
    [SCHOOL, 'learn'],
    [EMPTY, 'empty'],
  ])
    await database.query(
      `insert into schools (id, base_url, name, created_at, updated_at) values ($1, $2, 'Crumb', now(), now())`,
      [id, `https://${host}.example.org`],
    )
  await insert('course.created', { course: 'crs_1' }, true, 7)
  for (const [type, payload] of cases) await insert(type, payload, false, null)
  await database.query(await readMigration(MIGRATION))
})
after(() => database?.drop())

test('what is not delivered yet gets the names of the API', async () => {
  const rows = await database.query<{ type: string; payload: object; is_withheld: boolean }>(
    `select type, payload, is_withheld from facts where delivered_at is null and type <> 'mail.deleted'`,
  )
  assert.equal(rows.length, cases.length)
  for (const [type, , payload] of cases) assert.deepEqual(rows.find(row => row.type === type)?.payload, payload, type)
  assert.ok(rows.every(row => !row.is_withheld))
})

test('what was delivered stays as it was, and apps read what comes after it', async () => {
  const rows = await database.query('select payload from facts where delivered_at is not null')
  assert.deepEqual(rows, [{ payload: { course: 'crs_1' } }])
  const schools = await database.query(
    'select id, facts_open_after::integer as after from schools order by facts_open_after',
  )
  assert.deepEqual(schools, [
    { id: EMPTY, after: 0 },
    { id: SCHOOL, after: 7 },
  ])
})

test('the mails of an erased member are named by a fact that waits for the worker', async () => {
  const rows = await database.query(
    `select f.payload, j.kind from facts f join jobs j on j.school_id = f.school_id and j.id = f.id where f.type = 'mail.deleted'`,
  )
  assert.deepEqual(rows, [{ payload: { row_ids: ['m1', 'm2'], count: 2 }, kind: 'fact' }])
})
