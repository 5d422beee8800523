import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personalData } from '#src/contract/personal-data.ts'
import { openDatabase } from '#src/db/database.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { approveAs } from '#testing/confirming.ts'
import { buildRefund, sales, saleTo, sold } from '#testing/sales.ts'
import { sweepBuyers } from './sweeps.ts'

const app = testApp({ moreAreas: [sales] })
const SCOPES = ['orders:read', 'members:read', 'members:write']
const MARKERS = ['Mira Marker', 'Marker & Daughters', '7 Marker Street', 'PT509442013']

const owner = () => app.actor('ada', { scopes: SCOPES })
const admin = () => app.actor('ben', { scopes: SCOPES })

let members = 0
const newMember = async (staff: Actor): Promise<string> => {
  members += 1
  const body = { email: `mira${members}@crumb.example`, name: 'Mira Marker', send_invitation: false }
  const reply = await staff.write('POST', '/members', body)
  assert.equal(reply.status, 201, reply.text)
  return reply.json.id
}

const buyer = {
  name: 'Mira Marker',
  company: 'Marker & Daughters',
  address: { line1: '7 Marker Street', city: 'Porto' },
  country: 'PT',
  tax_id: 'PT509442013',
}

const erase = async (staff: Actor, member: string): Promise<void> => {
  const reply = await staff.write('POST', `/members/${member}/erasure`)
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ada', reply.json.confirmation.url)
}

/** Runs the sweep of the area until it is done, as the worker does. */
const sweep = async (): Promise<void> => {
  const database = openDatabase(app.database.appUrl)
  try {
    let after: string | undefined
    do {
      const step = { most: 1, after }
      after = await database.statements(app.a.id, db => sweepBuyers(db, app.a.id, step))
    } while (after !== undefined)
  } finally {
    await database.close()
  }
}

const readReplies = async (actor: Actor, id: string): Promise<string> => {
  const replies = await Promise.all([
    actor.get(`/invoices/${id}`),
    actor.get('/invoices?limit=100'),
    actor.get('/invoices', { accept: 'text/csv' }),
    actor.get('/invoices?after=0&limit=100'),
    actor.get(`/invoices/${id}?fields=buyer,file,missing_characters`),
  ])
  for (const { status, text } of replies) assert.equal(status, 200, text)
  return replies.map(({ text }) => text).join('\n')
}

/** Stores a file for a document, as the worker does. */
const printed = async (id: string, member: string): Promise<string> => {
  const [uuid, memberId] = [fromId('inv', id), fromId('mem', member)]
  const [row] = await app.database.query<{ id: string }>(
    `insert into uploads (school_id, id, member_id, purpose, status, filename, declared_type, byte_size, received_bytes,
       object_key, content_type, sha256, created_at, updated_at)
     values ($1::uuid, gen_random_uuid(), $2, 'invoice', 'ready', 'INV.pdf', 'application/pdf', 3, 3, $1 || '/files/00/' || $3,
       'application/pdf', sha256('Rye'::bytea), stoa.now(), stoa.now())
     returning id`,
    [app.a.id, memberId, uuid],
  )
  await app.database.query(`update invoices set file_id = $1, print_state = 'printed' where id = $2`, [row?.id, uuid])
  return row?.id ?? ''
}

test('of an erased buyer owners alone see name, address and file, until the retention period ends', async () => {
  const [ada, ben] = await Promise.all([owner(), admin()])
  const member = await newMember(ada)
  const invoice = await sold(ada, saleTo(member, { buyer }))
  const fileId = await printed(invoice.id, member)
  const shown = await readReplies(ben, invoice.id)
  for (const marker of MARKERS) assert.ok(shown.includes(marker), marker)
  const file = toId('fil', fileId)
  assert.ok(shown.includes(file), 'the file is shown')

  await erase(ada, member)
  const hidden = await readReplies(ben, invoice.id)
  for (const marker of [...MARKERS, file]) assert.ok(!hidden.includes(marker), marker)
  const { json: ofAdmin } = await ben.get(`/invoices/${invoice.id}`)
  assert.deepEqual(
    [ofAdmin.buyer, ofAdmin.file, ofAdmin.number, ofAdmin.total, ofAdmin.print_state],
    [null, null, invoice.number, invoice.total, 'printed'],
  )
  const { json: ofOwner } = await ada.get(`/invoices/${invoice.id}`)
  assert.deepEqual(ofOwner.buyer, invoice.buyer)
  assert.equal((await fetch(ofOwner.file.url)).status, 404, 'the test stored a row without bytes')
  const [upload] = await app.database.query<{ status: string }>('select status from uploads where id = $1', [fileId])
  assert.equal(upload?.status, 'ready', 'an erasure leaves the file of an invoice alone')

  // What is issued after the erasure is hidden as well.
  const note = await ada.write('POST', '/sales/refunds', buildRefund(invoice))
  assert.equal(note.status, 201, note.text)
  assert.equal((await ben.get(`/invoices/${note.json.id}`)).json.buyer, null)
  assert.deepEqual((await ada.get(`/invoices/${note.json.id}`)).json.buyer, invoice.buyer)
  const late = await ada.write('POST', '/sales', saleTo(member, { buyer }))
  assert.equal((await ben.get(`/invoices/${late.json.id}`)).json.buyer, null)

  await sweep()
  assert.deepEqual((await ada.get(`/invoices/${invoice.id}`)).json, ofOwner, 'not before its end')
  const end = Date.parse(`${invoice.retain_until}T23:59:59.999Z`)
  const [clock] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  const seconds = Math.floor((end - (clock?.now.getTime() ?? 0)) / 1000)
  await app.moveClock(seconds - 60)
  await sweep()
  assert.equal((await readRow(invoice.id))?.has_buyer, true, 'on the last day')
  await app.moveClock(120)
  await sweep()
  await app.moveClock(-seconds - 60)
  assert.deepEqual(await readRow(invoice.id), { has_buyer: false, file_id: null, number: invoice.number })
  const [gone] = await app.database.query<{ status: string }>('select status from uploads where id = $1', [fileId])
  assert.ok(gone === undefined || gone.status === 'gone')
  const after = await readReplies(ada, invoice.id)
  for (const marker of MARKERS) assert.ok(!after.includes(marker), marker)
  assert.equal((await ada.get(`/invoices/${invoice.id}`)).json.total, invoice.total)
})

const readRow = async (id: string) =>
  (
    await app.database.query<{ has_buyer: boolean; file_id: string | null; number: string }>(
      'select buyer is not null as has_buyer, file_id, number from invoices where id = $1',
      [fromId('inv', id)],
    )
  )[0]

test('after the retention period, the invoices of those who were not erased stay as they are', async () => {
  const ada = await owner()
  const member = await newMember(ada)
  const invoice = await sold(ada, saleTo(member, { buyer }))
  const seconds = 12 * 366 * 24 * 3600
  await app.moveClock(seconds)
  await sweep()
  await app.moveClock(-seconds)
  assert.deepEqual((await ada.get(`/invoices/${invoice.id}`)).json, invoice)
})

test('a merge moves invoices to the member who stays, for whom they are not erased', async () => {
  const [ada, ben] = await Promise.all([owner(), admin()])
  const [into, from] = [await newMember(ada), await newMember(ada)]
  const invoice = await sold(ada, saleTo(from, { buyer }))
  const reply = await ada.write('POST', `/members/${into}/merges`, { member_id: from })
  assert.equal(reply.status, 202, reply.text)
  await approveAs(app, 'ada', reply.json.confirmation.url)
  const { json } = await ben.get(`/invoices/${invoice.id}`)
  assert.deepEqual([json.member_id, json.buyer], [into, invoice.buyer])
})

test('the export of a person has their invoices and of nobody else', async () => {
  const ada = await owner()
  const [one, other] = [await newMember(ada), await newMember(ada)]
  const invoice = await sold(ada, saleTo(one, { buyer }))
  await sold(ada, saleTo(other, { buyer }))
  const database = openDatabase(app.database.appUrl)
  try {
    const parts = await database.statements(app.a.id, db =>
      personalData.call({ memberId: fromId('mem', one) ?? '' }, { school: app.a, db }),
    )
    const rows = parts.flat().find(({ name }) => name === 'invoices')?.rows
    assert.deepEqual(rows, [{ ...invoice, file: null }])
  } finally {
    await database.close()
  }
})
