import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()

type Category = { readonly id: string; readonly name: string; readonly slug: string; readonly revision: number }

const staff = () => app.actor('ada', { scopes: ['posts:read', 'posts:write'] })

const add = async (name: string, more: object = {}): Promise<Category> => {
  const { status, json, text } = await (await staff()).write('POST', '/post-categories', { name, ...more })
  assert.equal(status, 201, text)
  return json
}

const namesNow = async (): Promise<string[]> => {
  const { json } = await app.send({ path: '/api/v1/post-categories?limit=100' })
  return json.data.map(({ name }: Category) => name)
}

test('anybody lists categories in the order of the school, and those that are named first come first', async () => {
  const [first, second, third] = [await add('Order one'), await add('Order two'), await add('Order three')]
  const before = await namesNow()
  assert.deepEqual(before.slice(-3), ['Order one', 'Order two', 'Order three'])
  const ada = await staff()
  const moved = await ada.write('PUT', '/post-categories/order', { category_ids: [third.id, first.id] })
  assert.deepEqual(moved.json.category_ids.slice(0, 2), [third.id, first.id])
  assert.deepEqual((await namesNow()).slice(0, 2), ['Order three', 'Order one'])
  assert.equal((await namesNow()).at(-1), 'Order two')
  const unknown = await ada.write('PUT', '/post-categories/order', {
    category_ids: [second.id, `pcg_${'0'.repeat(26)}`],
  })
  assert.deepEqual([unknown.status, unknown.json.errors[0].pointer], [422, '/category_ids/1'])
  assert.deepEqual((await namesNow()).slice(0, 2), ['Order three', 'Order one'])
})

test('a slug is made from the name, belongs to one category, and finds it', async () => {
  const breads = await add('Pão & Bröt')
  assert.equal(breads.slug, 'pao-brot')
  const found = await app.send({ path: '/api/v1/post-categories/slug:pao-brot' })
  assert.equal(found.json.id, breads.id)
  assert.equal((await add('Pão Bröt')).slug, 'pao-brot-2')
  const ada = await staff()
  const taken = await ada.write('POST', '/post-categories', { name: 'Another', slug: 'pao-brot' })
  assert.deepEqual([taken.status, taken.json.code], [409, 'slug_taken'])
  const moved = await ada.write('PATCH', `/post-categories/${breads.id}`, { slug: 'pao-brot-2' })
  assert.deepEqual([moved.status, moved.json.code], [409, 'slug_taken'])
})

test('a category has a visible name, and a change about an earlier revision is refused', async () => {
  const ada = await staff()
  const invisible = await ada.write('POST', '/post-categories', { name: '\u200b \u00a0' })
  assert.deepEqual([invisible.status, invisible.json.errors[0].pointer], [422, '/name'])
  const { id, revision } = await add('Revised')
  const changed = await ada.write('PATCH', `/post-categories/${id}`, { description: 'Once' })
  assert.deepEqual([changed.json.revision, changed.json.description], [revision + 1, 'Once'])
  const same = await ada.write('PATCH', `/post-categories/${id}`, { description: 'Once' })
  assert.equal(same.json.revision, revision + 1)
  const stale = await ada.write(
    'PATCH',
    `/post-categories/${id}`,
    { description: 'Twice' },
    { 'if-match': `"${revision}"` },
  )
  assert.equal(stale.status, 412)
})

test('members and visitors read categories and cannot write them', async () => {
  const { id } = await add('Only staff writes')
  const dev = await app.actor('dev', { scopes: ['posts:read'] })
  assert.equal((await dev.get(`/post-categories/${id}`)).json.name, 'Only staff writes')
  for (const reply of [
    await dev.write('DELETE', `/post-categories/${id}`),
    await dev.write('PATCH', `/post-categories/${id}`, { name: 'Mine' }),
    await app.send({ method: 'DELETE', path: `/api/v1/post-categories/${id}` }),
  ])
    assert.equal(reply.status, 403, reply.text)
  assert.ok((await namesNow()).includes('Only staff writes'))
})

test('eight categories that are created with the same name at once have different slugs', async () => {
  const ada = await staff()
  const made = await Promise.all(
    Array.from({ length: 8 }, () => ada.write('POST', '/post-categories', { name: 'At once' })),
  )
  assert.deepEqual(
    made.map(({ status }) => status),
    Array(8).fill(201),
  )
  assert.equal(new Set(made.map(({ json }) => json.slug)).size, 8)
})
