import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listFields, listForms } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import { learner, listLinks, readMain } from '#testing/learn-pages.ts'
import { formWith, once, press, readNotice } from '#testing/staff-pages.ts'

const app = testApp()
const ada = once(() => app.actor('ada', { scopes: ['members:read', 'members:write', 'school:read'] }))
const owner = once(() => learner(app, 'ada'))

const PATH = '/staff/fields'

const readFields = async () => (await (await ada()).get('/custom-fields')).json.data

test('a field is added with a key made of its name, ordered, changed and deleted with its values', async () => {
  const before = (await readFields()).length
  const page = await (await owner()).open(PATH)
  const added = await (await owner()).submit(
    formWith(page, 'label'),
    Object.entries({ label: 'Öven at home?', type: 'choice', options: ' gas \n\nwood\n', key: '' }),
  )
  assert.match(readNotice(added), /field was added/)
  const field = (await readFields()).at(-1)
  assert.deepEqual([field.key, field.label, field.options], ['oven_at_home', 'Öven at home?', ['gas', 'wood']])

  const again = await (await owner()).submit(
    formWith(await (await owner()).open(PATH), 'label'),
    Object.entries({ label: 'Oven at home', type: 'text', options: '', key: '' }),
  )
  assert.equal(again.status, 409)
  assert.match(again.text, /Another field has this key[\s\S]*value="Oven at home"/)
  assert.equal((await readFields()).length, before + 1)

  const one = `${PATH}/${field.id}`
  assert.ok(listLinks(added).includes(one))
  const moves = listForms(added).filter(({ fields }) => fields.some(([, value]) => value === field.id))
  const up = moves.find(({ fields }) => fields.some(([name, value]) => name === 'act' && value === 'up'))
  assert.ok(up !== undefined)
  assert.match(readNotice(await (await owner()).submit(up, [])), /order was changed/)
  assert.equal((await readFields()).at(-2).id, field.id)

  const saved = await press(await owner(), one, 'save', { label: 'Oven', options: 'gas\nwood\nelectric' })
  assert.match(readNotice(saved), /field was saved/)
  assert.deepEqual((await readFields()).at(-2).options, ['gas', 'wood', 'electric'])
  assert.match(readNotice(await press(await owner(), one, 'delete')), /values were deleted/)
  assert.equal((await readFields()).length, before)
})

test('the history says who changed what, and staff alone read it', async () => {
  const member = (await (await ada()).get('/members?q=femi')).json.data[0]
  await (await ada()).write('PATCH', `/members/${member.id}`, { name: 'Femi Adeyemi' })
  const page = await (await owner()).open('/staff/history')
  assert.match(readMain(page), /What was done Who On what Date.*Ada Moreira/)
  const none = await (await owner()).open('/staff/history?from=2199-01-01')
  assert.match(readMain(none), /From: 1 January 2199 .*Nothing was changed in these days/)
  for (const name of ['carla', 'dev'] as const)
    for (const path of [PATH, '/staff/history']) assert.equal((await (await learner(app, name)).open(path)).status, 403)
  assert.ok(listFields(formWith(await (await owner()).open(PATH), 'label')).length > 0)
})
