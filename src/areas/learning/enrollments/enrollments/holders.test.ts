import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { closeInBundle, entitleAll, openInBundle } from '#src/areas/learning/access/index.ts'
import type { RecordedFact } from '#src/contract/fact.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { createHolders, writingTo } from '#testing/access.ts'
import { testApp } from '#testing/app.ts'
import { LEARNING, readMemberId, TEACHING, teach } from '#testing/learning.ts'
import { onBundleItem } from './subscribers.ts'

const app = testApp()
const writing = writingTo(app)

// More than two pages, the last one incomplete.
const HOLDERS = 2300

const staff = () => app.actor('ada', { scopes: TEACHING })

const newCourse = async (name: string) => {
  const { id, lessons } = await teach(await staff(), name, [{ name: 'First' }])
  return { id, lessons, item: { type: 'course', id: fromId('crs', id) ?? '' } as const }
}

type BundleFact = RecordedFact<'plan.item_added' | 'plan.item_removed'>

const buildFact = (plan: string, course: string, type: BundleFact['type'] = 'plan.item_added'): BundleFact => ({
  id: randomUUID(),
  type,
  payload: { plan_id: toId('mpl', plan), item_type: 'course', item_id: course },
  sequence: '1',
})

const enroll = (plan: string, course: string) => writing(where => onBundleItem(buildFact(plan, course), where))

const enrolled = async (course: string): Promise<{ total: number; people: number; sources: string[] }> => {
  const [row] = await app.database.query<{ total: number; people: number; sources: string[] }>(
    `select count(*)::integer as total, count(distinct member_id)::integer as people, array_agg(distinct source) as sources
     from enrollments where school_id = $1 and course_id = $2`,
    [app.a.id, fromId('crs', course)],
  )
  return row ?? { total: 0, people: 0, sources: [] }
}

test('concurrent deliveries for two plans with the same course enroll each holder once', async () => {
  const course = await newCourse('Of two plans')
  const [gold, silver] = [randomUUID(), randomUUID()]
  const people = await createHolders(app, gold, HOLDERS)
  // Some hold both plans.
  const both = people.slice(0, 1200)
  await writing(where =>
    entitleAll(
      where,
      both.map(memberId => ({
        memberId,
        named: { type: 'membership_plan', id: silver },
        source: 'gift',
        sourceId: randomUUID(),
      })),
    ),
  )
  for (const plan of [gold, silver])
    await writing(where => openInBundle(where, { bundle: { type: 'membership_plan', id: plan }, item: course.item }))
  const joining = people.at(-1) ?? ''
  await Promise.all([
    enroll(gold, course.id),
    enroll(silver, course.id),
    enroll(gold, course.id),
    writing(where =>
      entitleAll(where, [{ memberId: joining, named: { type: 'membership_plan', id: silver }, source: 'gift' }]),
    ),
  ])
  const { total, people: distinct, sources } = await enrolled(course.id)
  assert.deepEqual([total, distinct], [HOLDERS, HOLDERS])
  assert.ok(sources.every(source => ['subscription', 'gift'].includes(source)))
  const listed = await (await staff()).get(
    `/enrollments?course_id=${course.id}&state=active&include_total=true&limit=1`,
  )
  assert.equal(listed.json.total, HOLDERS)
})

test('a course that was closed before delivery is enrolled only for those who had access to it', async () => {
  const course = await newCourse('Closed again')
  const plan = { type: 'membership_plan', id: randomUUID() } as const
  await createHolders(app, plan.id, 3)
  await writing(where => openInBundle(where, { bundle: plan, item: course.item }))
  await writing(where => closeInBundle(where, { bundle: plan, item: course.item }))
  await createHolders(app, plan.id, 2)
  await enroll(plan.id, course.id)
  assert.equal((await enrolled(course.id)).total, 3)
  await writing(where => onBundleItem(buildFact(plan.id, course.id, 'plan.item_removed'), where))
  assert.equal((await enrolled(course.id)).total, 3)
})

test('facts about other items enroll nobody', async () => {
  const [before] = await app.database.query('select count(*) from enrollments')
  const fact = buildFact(randomUUID(), toId('dpr', randomUUID()))
  await writing(where => onBundleItem(fact, where))
  assert.deepEqual(await app.database.query('select count(*) from enrollments'), [before])
})

test('a holder who learns before delivery gets an enrollment with the source of their access', async () => {
  const course = await newCourse('Learned at once')
  const plan = { type: 'membership_plan', id: randomUUID() } as const
  const memberId = await readMemberId(app, 'dev')
  await writing(where => entitleAll(where, [{ memberId, named: plan, source: 'subscription', sourceId: randomUUID() }]))
  await writing(where => openInBundle(where, { bundle: plan, item: course.item }))
  assert.equal((await enrolled(course.id)).total, 0)
  const dev = await app.actor('dev', { scopes: LEARNING })
  const completed = await dev.write('PUT', `/account/lessons/${course.lessons[0]}/completion`)
  assert.ok(completed.status < 300, completed.text)
  assert.deepEqual(await enrolled(course.id), { total: 1, people: 1, sources: ['subscription'] })
})
