import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { createCourse } from '#testing/curriculum.ts'

const app = testApp()

test('each change of a lesson creates a version with author and time; restoring an earlier one creates a new one', async () => {
  const { carla, ada, add } = await createCourse(app, 'Versions')
  const { id } = (await add({ name: 'One', type: 'text', body: 'first' })).json
  const at = `/lessons/${id}`
  assert.equal((await ada.write('PATCH', at, { body: 'second' })).json.version, 2)
  assert.equal((await carla.write('PATCH', at, { name: 'Uno', preview: true })).json.version, 2, 'no setting is one')
  assert.equal((await carla.write('PATCH', at, { body: 'second' })).json.revision, 3, 'nor is what it holds already')
  const list = (await carla.get(`${at}/versions?limit=1&include_total=true`)).json
  assert.deepEqual([list.data[0].number, list.data[0].author.name, list.total], [2, 'Ada Moreira', 2])
  const [older] = (await carla.get(`${at}/versions?limit=1&cursor=${list.next_cursor}`)).json.data
  assert.deepEqual(
    [older.number, older.author.name, older.is_current, 'body' in older],
    [1, 'Carla Nunes', false, false],
  )
  const read = await carla.get(`${at}/versions/${older.id}`)
  assert.deepEqual([read.json.body, read.json.body_html], ['first', '<p>first</p>\n'])
  const etag = { 'if-match': String((await carla.get(at)).headers.etag) }
  const back = await carla.write('POST', `${at}/versions/${older.id}/restoration`, undefined, etag)
  assert.deepEqual([back.status, back.json.body, back.json.version, back.json.name], [200, 'first', 3, 'Uno'])
  assert.equal((await carla.write('POST', `${at}/versions/${older.id}/restoration`, undefined, etag)).status, 412)
  const same = await carla.write('POST', `${at}/versions/${older.id}/restoration`)
  assert.equal(same.json.version, 3, 'it holds that already')
  const [newest] = (await carla.get(`${at}/versions`)).json.data
  assert.deepEqual([newest.number, newest.restores, newest.author.name], [3, 1, 'Carla Nunes'])
  const elsewhere = (await add({ name: 'Two', type: 'text', body: 'x' })).json
  assert.equal((await carla.get(`/lessons/${elsewhere.id}/versions/${older.id}`)).status, 404)
  const foreign = await carla.write('POST', `/lessons/${elsewhere.id}/versions/${older.id}/restoration`)
  assert.deepEqual([foreign.status, foreign.json.code], [404, 'not_found'])
})
