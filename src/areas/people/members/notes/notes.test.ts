import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PersonName, testApp } from '#testing/app.ts'
import { lookUp } from '#testing/examples.ts'
import { buildRequest, grantable, operations } from '#testing/matrix.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write', 'school:read']

const readId = async (name: PersonName): Promise<string> => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  return (await ada.get(`/members?email=${name}@crumb.example`)).json.data[0].id
}

test('staff create, read, update and delete notes, each with its entry in the audit log', async () => {
  const ben = await app.actor('ben', { scopes: SCOPES })
  const at = `/members/${await readId('eli')}/notes`
  const created = await ben.write('POST', at, { body: 'Allergic to sesame.\nAsk before tastings.' })
  assert.equal(created.status, 201, created.text)
  assert.deepEqual([created.json.author.name, created.json.revision], ['Ben Okafor', 1])
  const ada = await app.actor('ada', { scopes: SCOPES })
  const one = `${at}/${created.json.id}`
  const read = await ada.get(one)
  assert.equal(read.json.body, 'Allergic to sesame.\nAsk before tastings.')
  assert.deepEqual(read.json.allowed_actions, ['getMemberNote', 'updateMemberNote', 'deleteMemberNote'])
  const changed = await ada.write(
    'PATCH',
    one,
    { body: 'Allergic to nuts.' },
    { 'if-match': String(read.headers.etag) },
  )
  assert.deepEqual([changed.status, changed.json.revision, changed.json.author.name], [200, 2, 'Ben Okafor'])
  const same = await ada.write('PATCH', one, { body: 'Allergic to nuts.' })
  assert.equal(same.json.revision, 2, 'what is there already is not written again')
  assert.equal((await ada.write('DELETE', one)).status, 204)
  assert.equal((await ada.get(one)).status, 404)
  const log = (await ada.get('/school/audit-log')).json.data
  const mine = log.filter(({ resource_ids: ids }: { resource_ids: string[] }) => ids.includes(created.json.id))
  assert.deepEqual(
    mine.map(({ operation, revision }: { operation: string; revision: number | null }) => [operation, revision]),
    [
      ['deleteMemberNote', null],
      ['updateMemberNote', 2],
      ['createMemberNote', 1],
    ],
  )
  assert.ok(!JSON.stringify(log).includes('Allergic'), 'values are never kept')
})

test('a note that changed since it was read is neither updated nor deleted', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const at = `/members/${await readId('femi')}/notes`
  const [note] = (await ada.get(at)).json.data
  const { headers } = await ada.get(`${at}/${note.id}`)
  const etag = { 'if-match': String(headers.etag) }
  assert.equal((await ada.write('PATCH', `${at}/${note.id}`, { body: 'Half past seven is fine.' })).status, 200)
  for (const method of ['PATCH', 'DELETE'] as const) {
    const body = method === 'PATCH' ? { body: 'Lost' } : undefined
    const refused = await ada.write(method, `${at}/${note.id}`, body, etag)
    assert.deepEqual([refused.status, refused.json.code], [412, 'precondition_failed'])
    assert.match(String(refused.headers.etag), /^"2-/)
  }
  assert.equal((await ada.get(`${at}/${note.id}`)).json.body, 'Half past seven is fine.')
})

test('notes are listed page by page, newest first, only for their own member', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const at = `/members/${await readId('dev')}/notes`
  for (const body of ['one', 'two', 'three']) assert.equal((await ada.write('POST', at, { body })).status, 201)
  const first = (await ada.get(`${at}?limit=2&include_total=true`)).json
  assert.deepEqual([first.data.map(({ body }: { body: string }) => body), first.total], [['three', 'two'], 3])
  const second = (await ada.get(`${at}?limit=2&cursor=${first.next_cursor}`)).json
  assert.deepEqual([second.data[0].body, second.data.length, second.has_more], ['one', 1, false])
  const elsewhere = await ada.get(`/members/${await readId('ada')}/notes/${first.data[0].id}`)
  assert.equal(elsewhere.status, 404)
})

test('an admin writes a note about an owner; an empty or too long note is refused', async () => {
  const ben = await app.actor('ben', { scopes: SCOPES })
  const at = `/members/${await readId('ada')}/notes`
  for (const body of ['', ' \n\t', 'x'.repeat(10_001)]) {
    const refused = await ben.write('POST', at, { body })
    assert.deepEqual([refused.status, refused.json.code], [422, 'invalid_body'])
  }
  assert.deepEqual((await ben.get(at)).json.data, [])
  assert.equal((await ben.write('POST', at, { body: 'x'.repeat(10_000) })).status, 201)
})

test('a note is in no response that a learner or an anonymous caller can get', async () => {
  const marker = 'heliotrope-4711'
  const ada = await app.actor('ada', { scopes: SCOPES })
  const dev = await readId('dev')
  assert.equal((await ada.write('POST', `/members/${dev}/notes`, { body: marker })).status, 201)
  assert.ok((await ada.get(`/members/${dev}/notes`)).text.includes(marker))
  const learner = await app.actor('dev', { scopes: grantable, approvedAs: 'owner' })
  assert.deepEqual([...learner.scopes].sort(), [...grantable].sort())
  for (const operation of operations.filter(({ method }) => method === 'GET')) {
    const instead = await lookUp(operation, ada.token, request => app.send(request)).catch(() => ({}))
    for (const token of [learner.token, undefined]) {
      const reply = await app.send(buildRequest(operation, { ...instead, token }))
      assert.ok(!reply.text.includes(marker), operation.id)
    }
  }
})
