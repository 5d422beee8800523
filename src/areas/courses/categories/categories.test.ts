import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['courses:read', 'courses:write']

const listNames = (reply: { json: { data: { name: string }[] } }): string[] => reply.json.data.map(({ name }) => name)

test('the tree is listed in its order, page by page, and a category includes the courses of its subcategories', async () => {
  const all = await app.send({ path: '/api/v1/categories' })
  assert.deepEqual(listNames(all), ['Bread', 'Sourdough', 'Sweet things', 'Workshops'])
  const first = await app.send({ path: '/api/v1/categories?limit=3&include_total=true' })
  assert.equal(first.json.total, 4)
  const rest = await app.send({
    path: `/api/v1/categories?limit=3&include_total=true&cursor=${first.json.next_cursor}`,
  })
  assert.deepEqual(listNames(rest), ['Workshops'])
  const ada = await app.actor('ada', { scopes: SCOPES })
  const [bread, sourdough] = all.json.data
  await ada.write('PATCH', '/courses/slug:first-loaf', { category_ids: [sourdough.id] })
  const below = await app.send({ path: `/api/v1/courses?category_id=${sourdough.id}` })
  assert.deepEqual(listNames(below), ['First loaf'])
  const above = await app.send({ path: `/api/v1/courses?category_id=${bread.id}` })
  assert.deepEqual(listNames(above), ['Sourdough from scratch', 'First loaf'])
})

test('a category is not moved below itself, too deep, or below an unknown one', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const make = async (name: string, parent: string | null) =>
    (await ada.write('POST', '/categories', { name, parent_id: parent })).json
  const a = await make('a', null)
  const b = await make('b', a.id)
  const c = await make('c', b.id)
  const d = await make('d', c.id)
  const readCode = async (reply: Promise<{ status: number; json: { errors?: { code: string }[] } }>) => {
    const { status, json } = await reply
    return [status, json.errors?.[0]?.code]
  }
  assert.deepEqual(await readCode(ada.write('POST', '/categories', { name: 'e', parent_id: d.id })), [422, 'depth'])
  for (const parent of [a.id, b.id, d.id])
    assert.deepEqual(await readCode(ada.write('PATCH', `/categories/${a.id}`, { parent_id: parent })), [422, 'circle'])
  const { json: top } = await ada.write('POST', '/categories', { name: 'top' })
  assert.deepEqual(await readCode(ada.write('PATCH', `/categories/${a.id}`, { parent_id: top.id })), [422, 'depth'])
  const nobody = `cat_${'0'.repeat(26)}`
  assert.deepEqual(await readCode(ada.write('PATCH', `/categories/${a.id}`, { parent_id: nobody })), [422, 'unknown'])
  const blocked = await ada.write('DELETE', `/categories/${a.id}`)
  assert.deepEqual([blocked.status, blocked.json.code], [409, 'category_not_empty'])
  assert.equal((await ada.get(`/categories/${a.id}`)).json.parent_id, null)
})

test('concurrent moves of two categories below each other never form a cycle', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  for (let round = 0; round < 10; round++) {
    const [x, y] = [
      (await ada.write('POST', '/categories', { name: `x${round}` })).json,
      (await ada.write('POST', '/categories', { name: `y${round}` })).json,
    ]
    const moves = await Promise.all([
      ada.write('PATCH', `/categories/${x.id}`, { parent_id: y.id }),
      ada.write('PATCH', `/categories/${y.id}`, { parent_id: x.id }),
    ])
    assert.deepEqual(moves.map(({ status }) => status).sort(), [200, 422])
    const all = listNames(await ada.get('/categories?limit=100'))
    assert.ok(all.includes(`x${round}`) && all.includes(`y${round}`), 'both are still in the tree')
  }
})

test('deleting a category removes it from its courses, each of which gets a new revision', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { json: gone } = await ada.write('POST', '/categories', { name: 'Gone soon' })
  await ada.write('PATCH', '/courses/slug:rye-for-the-patient', { category_ids: [gone.id] })
  const before = (await ada.get('/courses/slug:rye-for-the-patient')).json
  assert.deepEqual(before.category_ids, [gone.id])
  assert.equal((await ada.write('DELETE', `/categories/${gone.id}`)).status, 204)
  const after = (await ada.get('/courses/slug:rye-for-the-patient')).json
  assert.deepEqual([after.category_ids, after.revision], [[], before.revision + 1])
})

test('categories of one parent are reordered, others are refused', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const all = (await ada.get('/categories?limit=100')).json.data
  const readId = (name: string) => all.find((one: { name: string }) => one.name === name).id
  const ordered = await ada.write('PUT', '/categories/order', {
    category_ids: [readId('Workshops'), readId('Sweet things')],
  })
  assert.equal(ordered.status, 200, ordered.text)
  assert.deepEqual(listNames(await ada.get('/categories?limit=1')), ['Workshops'])
  const wrong = await ada.write('PUT', '/categories/order', { category_ids: [readId('Sourdough')] })
  assert.equal(wrong.status, 422)
  assert.deepEqual(listNames(await ada.get('/categories?limit=1')), ['Workshops'])
})
