import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write']

const emailsOf = (reply: { json: { data: { email: string }[] } }): string[] => reply.json.data.map(({ email }) => email)

test('staff read the members page by page, sorted, and count them', async () => {
  const ben = await app.actor('ben', { scopes: SCOPES })
  const first = await ben.get('/members?sort=name&limit=4&include_total=true')
  assert.equal(first.status, 200, first.text)
  assert.equal(first.json.total, 7)
  assert.deepEqual(
    first.json.data.map(({ name }: { name: string }) => name),
    ['Ada Moreira', 'Ben Okafor', 'Carla Nunes', 'Dev Patel'],
  )
  const second = await ben.get(`/members?sort=name&limit=4&cursor=${first.json.next_cursor}`)
  assert.deepEqual([second.json.data.length, second.json.has_more], [3, false])
  const backwards = await ben.get('/members?sort=-email&limit=2')
  assert.deepEqual(emailsOf(backwards), ['ines@crumb.example', 'femi@crumb.example'])
})

test('search finds Zoë by zoe, an address by its beginning, and nobody of another school', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const made = await ada.write('POST', '/members', {
    email: 'zoe@crumb.example',
    name: 'Zoë Straße',
    send_invitation: false,
  })
  assert.equal(made.status, 201, made.text)
  for (const q of ['zoe', 'ZOË', 'strasse', 'zoe str', 'crumb zoe'])
    assert.deepEqual(emailsOf(await ada.get(`/members?q=${encodeURIComponent(q)}`)), ['zoe@crumb.example'], q)
  for (const q of ['zoe ada', '*****', "' OR 1=1--", ':*', 'a & & b', '('])
    assert.deepEqual(emailsOf(await ada.get(`/members?q=${encodeURIComponent(q)}`)), [], q)
  const other = await app.actor('ada', { scopes: SCOPES, school: app.b })
  assert.deepEqual(emailsOf(await other.get('/members?q=zoe')), [])
})
