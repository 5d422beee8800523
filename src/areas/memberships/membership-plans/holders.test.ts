import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import { writingTo } from '#testing/access.ts'
import { testApp } from '#testing/app.ts'
import { givePlan, planner, sellPlan } from '#testing/memberships.ts'

const app = testApp()
const writing = writingTo(app)
const once = { payment_type: 'one_time', amount: 9900 }

test('staff list who holds a plan, with since, until and source, filtered, and as CSV', async () => {
  const ada = await planner(app)
  const plan = await sellPlan(ada, { name: 'Listed', plan_type: 'lifetime' }, [once])
  await givePlan(app, writing, { plan, name: 'dev', source: 'gift' })
  await givePlan(app, writing, { plan, name: 'dev' })
  await givePlan(app, writing, { plan, name: 'eli' })
  const listed = await ada.get(`${plan.path}/holders?include_total=true`)
  const rows = listed.json.data.map((one: { member: { name: string }; source: string; until: string | null }) => [
    one.member.name,
    one.source,
    one.until,
  ])
  assert.deepEqual(rows.sort(), [
    ['Dev Patel', 'gift', null],
    ['Eli Sørensen', 'subscription', null],
  ])
  assert.equal(listed.json.total, 2)
  assert.doesNotMatch(listed.text, /@/, 'no addresses, except as CSV for staff')
  const gifts = (await ada.get(`${plan.path}/holders?source=gift`)).json.data
  assert.equal(gifts.length, 1)
  const one = (await ada.get(`${plan.path}/holders?member_id=${gifts[0].member.id}`)).json.data
  assert.equal(one.length, 1)
  const csv = await ada.get(`${plan.path}/holders`, { accept: 'text/csv' })
  assert.equal(csv.status, 200, csv.text)
  assert.match(csv.text, /^﻿?member_id,member_name,member_email,since,until,source\r?\n/)
  assert.match(csv.text, /mem_\w{26},Dev Patel,dev@crumb\.example,/)
})

test('the count follows when a holder is suspended, reinstated or erased', async () => {
  const ada = await planner(app, ['members:write'])
  const plan = await sellPlan(ada, { name: 'Counted', plan_type: 'lifetime' }, [once])
  for (const name of ['dev', 'eli', 'femi'] as const) await givePlan(app, writing, { plan, name })
  const count = async (): Promise<number> => (await ada.get(plan.path)).json.holder_count
  const listed = async (): Promise<number> => (await ada.get(`${plan.path}/holders`)).json.data.length
  assert.deepEqual([await count(), await listed()], [3, 3])
  const femi = (await ada.get('/members?email=femi@crumb.example')).json.data[0].id
  const suspended = await ada.write('PUT', `/members/${femi}/suspension`, { reason: 'A test' })
  assert.equal(suspended.status, 200, suspended.text)
  assert.deepEqual([await count(), await listed()], [2, 2])
  await ada.write('DELETE', `/members/${femi}/suspension`)
  assert.deepEqual([await count(), await listed()], [3, 3])
  await app.database.query(`update entitlements set revoked_at = stoa.now() where item_id = $1 and member_id = $2`, [
    plan.uuid,
    fromId('mem', femi),
  ])
  assert.deepEqual([await count(), await listed()], [2, 2])
})
