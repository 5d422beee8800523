import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { usesOf } from '#src/areas/files/index.ts'
import { newUuid, toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'
import { uploader } from '#testing/uploads.ts'

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())

type Owner = { readonly member_id: string | null; readonly form_id: string | null }
type Stored = Owner & { readonly purpose: string; readonly status?: 'created' | 'ready' }

/** Stores a file of three bytes, as later areas will: nothing uploads for a form yet. */
const insert = async ({ member_id, form_id, purpose, status = 'ready' }: Stored): Promise<string> => {
  const id = newUuid(Date.now())
  const isReady = status === 'ready'
  await app.database.query(
    `insert into uploads (school_id, id, member_id, form_id, purpose, status, filename, declared_type, byte_size,
       received_bytes, object_key, content_type, sha256, unlinked_since, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, 'answer.txt', 'text/plain', 3, $7, $8, $9, $10, stoa.now(), stoa.now(), stoa.now())`,
    [
      ...[app.a.id, id, member_id, form_id, purpose, status, isReady ? 3 : 0],
      ...(isReady ? [`${app.a.id}/files/00/${id}`, 'text/plain', Buffer.alloc(32)] : [null, null, null]),
    ],
  )
  await app.database.query('update storage_totals set bytes = bytes + 3 where school_id = $1', [app.a.id])
  return id
}

const readRow = async (email: string): Promise<string> => {
  const [row] = await app.database.query<{ id: string }>('select id from members where school_id = $1 and email = $2', [
    app.a.id,
    email,
  ])
  return row?.id ?? ''
}

/** Moves the clock, and waits until the worker has looked after the files. */
const pass = async (seconds: number): Promise<void> => {
  await app.moveClock(seconds)
  const due = `select from jobs where due_at <= stoa.now() + interval '1 hour' and kind in ('storage', 'file_removal')`
  await until(async () => (await app.database.query(due)).length === 0, 'the worker looks after the files')
}

const isThere = async (id: string): Promise<boolean> =>
  (await app.database.query(`select from uploads where id = $1 and status <> 'gone'`, [id])).length === 1

test('a file has one owner: a member, or the form that it answers', async () => {
  const [memberId, formId] = [await readRow('dev@crumb.example'), randomUUID()]
  const wrong: readonly (readonly [Stored, string])[] = [
    [{ member_id: null, form_id: null, purpose: 'post' }, 'uploads_one_owner'],
    [{ member_id: memberId, form_id: formId, purpose: 'form' }, 'uploads_one_owner'],
    [{ member_id: null, form_id: formId, purpose: 'post' }, 'uploads_form_purpose'],
    [{ member_id: memberId, form_id: null, purpose: 'form' }, 'uploads_form_purpose'],
  ]
  for (const [stored, constraint] of wrong) await assert.rejects(insert(stored), { constraint })
})

test('a file of a form answer is in no list of uploads, counts towards the quota, and goes when it is abandoned', async () => {
  const [dev, ada] = await Promise.all([uploader(app, 'dev'), app.actor('ada', { scopes: ['school:read'] })])
  const used = async (): Promise<number> => (await ada.get('/school/usage')).json.areas.storage.bytes
  const [listed, before] = [(await dev.get('/uploads?limit=100')).json.data, await used()]
  const form = { member_id: null, form_id: randomUUID(), purpose: 'form' }
  const [answered, unused, begun] = [
    await insert(form),
    await insert(form),
    await insert({ ...form, status: 'created' }),
  ]
  usesOf.set('forms', async ({ fileIds }) =>
    fileIds.filter(id => id === answered).map(fileId => ({ fileId, kind: 'form_submission', id: 'fsb_1' })),
  )
  assert.deepEqual((await dev.get('/uploads?limit=100')).json.data, listed)
  assert.equal(await used(), before + 9)
  for (const id of [answered, begun]) {
    const path = `/uploads/${toId('upl', id)}`
    assert.equal((await dev.get(path)).status, 404)
    assert.equal((await dev.write('DELETE', path)).status, 404)
    assert.equal((await dev.put(toId('upl', id), Buffer.from('abc'))).status, 404)
    assert.equal((await dev.complete(toId('upl', id))).status, 404)
  }
  await pass(24 * 3600 + 60)
  assert.deepEqual([await isThere(answered), await isThere(unused), await isThere(begun)], [true, true, false])
  await pass(31 * 24 * 3600)
  assert.deepEqual([await isThere(answered), await isThere(unused)], [true, false])
})

test('an invoice stays when its buyer is erased, and is not among their uploads', async () => {
  const ada = await app.actor('ada', { scopes: ['members:read', 'members:write'] })
  const eli = await uploader(app, 'eli')
  const memberId = await readRow('eli@crumb.example')
  const [invoice, unused] = [
    await insert({ member_id: memberId, form_id: null, purpose: 'invoice' }),
    await insert({ member_id: memberId, form_id: null, purpose: 'submission' }),
  ]
  const ids = (await eli.get('/uploads?limit=100')).json.data.map(({ id }: { id: string }) => id)
  assert.deepEqual([ids.includes(toId('upl', unused)), ids.includes(toId('upl', invoice))], [true, false])
  assert.equal((await eli.get(`/uploads/${toId('upl', invoice)}`)).status, 404)
  const asked = await ada.write('POST', `/members/${toId('mem', memberId)}/erasure`)
  assert.match(asked.json.confirmation.effects[0].access, /Issued invoices keep name and address/)
  await approveAs(app, 'ada', asked.json.confirmation.url)
  assert.deepEqual([await isThere(unused), await isThere(invoice)], [false, true])
})
