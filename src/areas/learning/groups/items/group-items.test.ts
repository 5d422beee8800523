import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write', 'school:read']
const NOBODYS = 'crs_00c00000000000000000000000'

const courseNamed = async (slug: string): Promise<string> =>
  (await app.send({ path: `/api/v1/courses/slug:${slug}` })).json.id

const twoCourses = async () => ({
  loaf: await courseNamed('first-loaf'),
  sourdough: await courseNamed('sourdough-from-scratch'),
})

const staff = () => app.actor('ben', { scopes: SCOPES })

const readId = async (actor: Actor, name: string): Promise<string> =>
  (await actor.get(`/members?email=${name}@crumb.example`)).json.data[0].id

const readOpen = async (actor: Actor, group: string, at?: Date): Promise<string[]> => {
  const query = at === undefined ? '' : `?at=${at.toISOString()}`
  const { json } = await actor.get(`/groups/${group}/items${query}`)
  return json.data.map(({ item }: { item: { id: string } }) => item.id)
}

const clock = async (): Promise<Date> => {
  const [row] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  assert.ok(row)
  return row.now
}

// Every period in which a member was in a group, from the rows of groups.
const stays = `
  select school_id, group_id, member_id, added_at, null as removed_at from group_members
  union all select school_id, group_id, member_id, added_at, removed_at from past_group_members`

const openedTo = async (member: string, at: Date): Promise<string[]> => {
  const found = await app.database.query<{ item_id: string }>(
    `select i.item_id from (${stays}) s join group_items i using (school_id, group_id)
     where s.school_id = $1 and s.member_id = $2
       and s.added_at <= $3 and coalesce(s.removed_at, 'infinity') > $3
       and i.opened_at <= $3 and coalesce(i.closed_at, 'infinity') > $3
     order by i.item_id`,
    [app.a.id, fromId('mem', member), at],
  )
  return found.map(({ item_id }) => item_id)
}

const inGroup = async (group: string, at: Date): Promise<string[]> => {
  const found = await app.database.query<{ member_id: string }>(
    `select member_id from (${stays}) s
     where school_id = $1 and group_id = $2 and added_at <= $3 and coalesce(removed_at, 'infinity') > $3
     order by member_id`,
    [app.a.id, fromId('grp', group), at],
  )
  return found.map(({ member_id }) => member_id)
}

const uuid = (id: string): string => fromId('crs', id) ?? ''

test('an unknown item cannot be added to a group, and the refusal says so', async () => {
  const ben = await staff()
  const refusals: [string, RegExp][] = [
    [`event/${NOBODYS.replace('crs_', 'evt_')}`, /no such event/],
    [`digital_product/${NOBODYS.replace('crs_', 'dpr_')}`, /no such digital_product/],
    [`course/${NOBODYS}`, /no such course/],
  ]
  for (const [item, detail] of refusals) {
    const refused = await ben.write('PUT', `/groups/external:bakers-circle/items/${item}`)
    assert.deepEqual([refused.status, refused.json.code], [422, 'unknown_item'])
    assert.match(refused.json.detail, detail)
  }
  assert.deepEqual(await readOpen(ben, 'external:bakers-circle'), [])
})

test('an item that a later area confirms is added once and removed; the effects name who gains and loses what', async () => {
  const ben = await staff()
  const { loaf } = await twoCourses()
  const at = `/groups/external:bakers-circle/items/course/${loaf}`
  const dry = await ben.write('PUT', `${at}?dry_run=true`)
  assert.equal(dry.json.effects[0].access, "The group “Bakers' circle” opens “First loaf” to 2 members")
  assert.deepEqual(await readOpen(ben, 'external:bakers-circle'), [])
  const both = await Promise.all([ben.write('PUT', at), ben.write('PUT', at)])
  assert.deepEqual(both[0]?.json, both[1]?.json)
  assert.deepEqual(await readOpen(ben, 'external:bakers-circle'), [loaf])
  const opened = await app.database.query(`select id from facts where type = 'group.item_added'`)
  assert.equal(opened.length, 1)
  const joining = await ben.write(
    'PUT',
    `/groups/external:bakers-circle/members/${await readId(ben, 'femi')}?dry_run=true`,
  )
  assert.equal(joining.json.effects[0].access, "Femi Adeyemi gets access to one item by the group “Bakers' circle”")
  const ending = await ben.write('DELETE', '/groups/external:bakers-circle?dry_run=true')
  assert.match(ending.json.effects[0].access, /2 members lose the access to one item/)
  for (let time = 0; time < 2; time++) assert.equal((await ben.write('DELETE', at)).status, 204)
  assert.deepEqual(await readOpen(ben, 'external:bakers-circle'), [])
  const closed = await app.database.query(`select id from facts where type = 'group.item_removed'`)
  assert.equal(closed.length, 1)
})

test('an item that is unknown, of another kind, of another school, or never added is refused', async () => {
  const ben = await staff()
  const at = '/groups/external:bakers-circle/items'
  const { loaf } = await twoCourses()
  const unknown = await ben.write('PUT', `${at}/course/${NOBODYS}`)
  assert.deepEqual([unknown.status, unknown.json.code], [422, 'unknown_item'])
  assert.equal((await ben.write('PUT', `${at}/event/${loaf}`)).status, 404)
  assert.equal((await ben.write('PUT', `${at}/group/${loaf}`)).status, 404)
  assert.equal((await ben.write('DELETE', `${at}/course/${NOBODYS}`)).status, 404)
  const elsewhere = await app.actor('ada', { scopes: SCOPES, school: app.b })
  assert.equal((await elsewhere.write('PUT', `${at}/course/${loaf}`)).status, 422)
  assert.deepEqual(await readOpen(ben, 'external:bakers-circle'), [])
})

test('past access stays on record when items are removed, members leave and the group is deleted', async () => {
  const ben = await staff()
  const { loaf, sourdough } = await twoCourses()
  const group = (await ben.write('POST', '/groups', { name: 'Dated' })).json.id
  const [dev, eli] = [await readId(ben, 'dev'), await readId(ben, 'eli')]
  const step = async (work: () => Promise<{ status: number }>): Promise<Date> => {
    assert.ok((await work()).status < 300)
    const at = await clock()
    await app.moveClock(60)
    return at
  }
  const before = await clock()
  await app.moveClock(60)
  const open = await step(() => ben.write('PUT', `/groups/${group}/items/course/${loaf}`))
  const joined = await step(() => ben.write('PUT', `/groups/${group}/members/${dev}`))
  const second = await step(() => ben.write('PUT', `/groups/${group}/items/course/${sourdough}`))
  const closed = await step(() => ben.write('DELETE', `/groups/${group}/items/course/${loaf}`))
  const late = await step(() => ben.write('PUT', `/groups/${group}/members/${eli}`))
  const left = await step(() => ben.write('DELETE', `/groups/${group}/members/${dev}`))
  assert.deepEqual(await readOpen(ben, group, second), [loaf, sourdough])
  assert.deepEqual(await readOpen(ben, group, before), [])
  const ended = await step(() => ben.write('DELETE', `/groups/${group}`))
  for (const [at, dated] of [
    [before, []],
    [open, []],
    [joined, [loaf]],
    [second, [loaf, sourdough]],
    [closed, [sourdough]],
    [late, [sourdough]],
    [left, []],
    [ended, []],
  ] as const)
    assert.deepEqual(await openedTo(dev, at), dated.map(uuid).sort(), at.toISOString())
  assert.deepEqual(await openedTo(eli, left), [uuid(sourdough)])
  assert.deepEqual(await openedTo(eli, ended), [])
  const uuids = [dev, eli].map(id => fromId('mem', id) ?? '')
  assert.deepEqual(await inGroup(group, late), [...uuids].sort())
  assert.deepEqual(await inGroup(group, left), uuids.slice(1))
  assert.deepEqual(await inGroup(group, ended), [])
})
