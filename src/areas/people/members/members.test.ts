import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { tablesWith } from '#testing/database.ts'

const app = testApp()
const SCOPES = ['members:read', 'members:write']

const listEmails = (reply: { json: { data: { email: string }[] } }): string[] =>
  reply.json.data.map(({ email }) => email)

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
  assert.deepEqual(listEmails(backwards), ['ines@crumb.example', 'femi@crumb.example'])
})

test('search finds Zoë by zoe, an address by its prefix, and no member of another school', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const created = await ada.write('POST', '/members', {
    email: 'zoe@crumb.example',
    name: 'Zoë Straße',
    send_invitation: false,
  })
  assert.equal(created.status, 201, created.text)
  for (const q of ['zoe', 'ZOË', 'strasse', 'zoe str', 'crumb zoe'])
    assert.deepEqual(listEmails(await ada.get(`/members?q=${encodeURIComponent(q)}`)), ['zoe@crumb.example'], q)
  for (const q of ['zoe ada', '*****', "' OR 1=1--", ':*', 'a & & b', '('])
    assert.deepEqual(listEmails(await ada.get(`/members?q=${encodeURIComponent(q)}`)), [], q)
  const other = await app.actor('ada', { scopes: SCOPES, school: app.b })
  assert.deepEqual(listEmails(await other.get('/members?q=zoe')), [])
})

test('a batch creates, updates and refuses row by row, and changes nothing when it is sent again', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const rows = [
    { email: 'hugo@crumb.example', name: 'Hugo Lima', external_id: 'crm-1', tags: ['Open Day', 'open day'] },
    { email: 'dev@crumb.example', external_id: 'crm-2', phone: '+44 20 0000 0000' },
    { email: 'not an address', name: 'Nobody' },
    { email: 'HUGO@crumb.example', name: 'Hugo again' },
    { email: 'iris@crumb.example' },
    { email: 'ines@crumb.example', name: 7 },
  ]
  const first = await ada.write('POST', '/members/batches', { rows })
  assert.equal(first.status, 200, first.text)
  assert.deepEqual(
    first.json.results.map(({ pointer, status }: Record<string, string>) => `${pointer} ${status}`),
    ['/rows/0 created', '/rows/1 updated', '/rows/2 failed', '/rows/3 failed', '/rows/4 failed', '/rows/5 failed'],
  )
  assert.deepEqual([first.json.created, first.json.updated, first.json.failed], [1, 1, 4])
  const again = await ada.write('POST', '/members/batches', { rows: rows.slice(0, 2) })
  assert.deepEqual([again.json.unchanged, again.json.created, again.json.updated], [2, 0, 0])
  const hugo = await ada.get('/members/external:crm-1')
  assert.deepEqual([hugo.json.status, hugo.json.tags, hugo.json.email_verified], ['invited', ['open day'], false])
})

test('a thousand members are imported in one batch and exported as CSV, each cell safe for a spreadsheet', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const rows = Array.from({ length: 1000 }, (_, n) => ({
    email: `m${n}@crumb.example`,
    name: n === 7 ? "=cmd|' /C calc'!A0" : `Member ${n}`,
    tags: ['thousand'],
  }))
  const created = await ada.write('POST', '/members/batches', { rows }, { 'idempotency-key': 'thousand-1' })
  assert.deepEqual([created.status, created.json.created], [200, 1000], created.text.slice(0, 300))
  const replayed = await ada.write('POST', '/members/batches', { rows }, { 'idempotency-key': 'thousand-1' })
  assert.equal(replayed.headers['idempotency-replayed'], 'true')
  assert.equal(replayed.text, created.text)
  const csv = await ada.get('/members?tag=thousand&sort=name', { accept: 'text/csv' })
  assert.equal(csv.status, 200, csv.text.slice(0, 300))
  assert.match(String(csv.headers['content-type']), /^text\/csv; charset=utf-8/)
  const lines = csv.text.trimEnd().split('\r\n')
  assert.equal(lines.length, 1002)
  assert.equal(lines.at(-1), '# complete')
  assert.match(csv.text, /,'=cmd\|' \/C calc'!A0,/)
  for (const wrong of ['limit=5', 'fields=name', 'cursor=x', 'after=0'])
    assert.equal((await ada.get(`/members?${wrong}`, { accept: 'text/csv' })).status, 400, wrong)
})

test('S-03 a reader with after= misses nothing while slow writers commit late', async () => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const make = async (name: string): Promise<string> => {
    const body = { email: `${name}@slow.example`, name, send_invitation: false, tags: ['slow'] }
    return (await ada.write('POST', '/members', body)).json.id
  }
  const [first, second] = [await make('first'), await make('second')]
  const slow = new pg.Client({ connectionString: app.database.ownerUrl })
  await slow.connect()
  await slow.query('begin')
  await slow.query(`update members set revision = revision + 1 where school_id = $1 and email = 'first@slow.example'`, [
    app.a.id,
  ])
  assert.equal((await ada.write('PATCH', `/members/${second}`, { phone: '+351 21' })).status, 200)
  const listAfter = async (after: string): Promise<{ ids: string[]; next: string }> => {
    const ids: string[] = []
    for (let next = after; ; ) {
      const { json, text } = await ada.get(`/members?tag=slow&limit=1&after=${next}`)
      assert.ok(json.data, text)
      ids.push(...json.data.map(({ id }: { id: string }) => id))
      next = json.next_after
      if (!json.has_more) return { ids, next }
    }
  }
  const early = await listAfter('0')
  assert.ok(!early.ids.includes(second), 'what was written behind an open transaction waits for it')
  await slow.query('commit')
  await slow.end()
  const deadline = performance.now() + 20_000
  const distinctIds = new Set<string>()
  let { next } = early
  while (distinctIds.size < 2 && performance.now() < deadline) {
    const late = await listAfter(next)
    for (const id of late.ids) distinctIds.add(id)
    next = late.next
  }
  assert.deepEqual([...distinctIds].sort(), [first, second].sort())
  assert.deepEqual((await listAfter(next)).ids, [])
  assert.equal((await ada.get(`/members?tag=slow&sort=name&after=${next}`)).status, 400)
  assert.equal((await ada.get(`/members?tag=other&after=${next}`)).status, 400)
})

test('an erased person is in no table any more, and accounting records keep the row', async () => {
  const ada = await app.actor('ada', { scopes: [...SCOPES, 'school:read'] })
  const marker = 'zanzibar'
  const body = {
    email: `${marker}@crumb.example`,
    name: `Zed ${marker}`,
    phone: '+351 900',
    external_id: `x-${marker}`,
    tags: [marker],
  }
  const created = await ada.write('POST', '/members', body, { 'idempotency-key': 'zed' })
  assert.equal(created.status, 201, created.text)
  await ada.write('PATCH', `/members/${created.json.id}`, { name: `Zed the ${marker}` }, { 'idempotency-key': 'zed-2' })
  const dry = await ada.write('POST', `/members/${created.json.id}/erasure?dry_run=true`)
  assert.equal(dry.status, 200, dry.text)
  const reply = await ada.write('POST', `/members/${created.json.id}/erasure`)
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ada', reply.json.confirmation.url)
  assert.equal((await ada.get(`/members/${created.json.id}`)).json.name, 'Erased member')
  assert.deepEqual(await tablesWith(app.database, marker), [])
})
