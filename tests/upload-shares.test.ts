import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Files } from '#src/contract/store.ts'
import { openFiles } from '#src/store/index.ts'
import { signInActor } from '#testing/actor.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { uploader } from '#testing/uploads.ts'

// How many bodies were begun to be stored.
let start = 0
let folder = ''

const counted = async (): Promise<Files> => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-shares-'))
  const { store, media } = await openFiles({ folder })
  const put: typeof store.put = (key, body, size) => {
    start += 1
    return store.put(key, body, size)
  }
  return { media, store: { ...store, put } }
}

const app = testApp({ files: counted })
after(() => rm(folder, { recursive: true, force: true }))
const MEMBERS = 12
const EACH = 20
const PIECE = Buffer.alloc(65_536)
const PIECES = 160

const open: ClientRequest[] = []
/** Adds members of the first school who sign in with Dev's password; returns a token of each. */
const newMembers = async (count: number): Promise<string[]> => {
  const emails = Array.from({ length: count }, (_, at) => `slow-${at}@crumb.example`)
  await app.database.query(
    `with added as (
      insert into members (school_id, id, email, email_folded, email_verified, name, name_folded, created_at, updated_at)
      select m.school_id, gen_random_uuid(), e, e, true, 'Slow', 'slow', stoa.now(), stoa.now()
      from members m, unnest($1::text[]) as e where m.school_id = $2 and m.email = 'dev@crumb.example'
      returning school_id, id
    )
    insert into credentials (school_id, member_id, kind, secret, created_at, updated_at)
    select a.school_id, a.id, c.kind, c.secret, stoa.now(), stoa.now()
    from added a, credentials c join members m on m.school_id = c.school_id and m.id = c.member_id
    where m.school_id = $2 and m.email = 'dev@crumb.example'`,
    [emails, app.a.id],
  )
  const tokens: string[] = []
  for (const email of emails) {
    const visitor = { port: app.port, school: app.a, email, password: PASSWORD }
    tokens.push((await signInActor(visitor, { scopes: ['storage:write', 'account:read'] })).token)
  }
  return tokens
}

const announce = async (token: string): Promise<string> => {
  const { json, text } = await app.send({
    method: 'POST',
    path: '/api/v1/uploads',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      filename: 'slow.txt',
      content_type: 'text/plain',
      purpose: 'submission',
      byte_size: PIECE.length * PIECES,
    }),
  })
  assert.ok(json.id, text)
  return json.id
}

/** A body that comes slowly, at twice the rate that is required; its status once it is answered. */
const slowBody = (token: string, id: string): { status: number | undefined } => {
  const state: { status: number | undefined } = { status: undefined }
  const outgoing = request({
    host: '127.0.0.1',
    port: app.port,
    method: 'PUT',
    path: `/api/v1/uploads/${id}/content`,
    agent: false,
    headers: { authorization: `Bearer ${token}`, 'content-length': PIECE.length * PIECES },
  })
  const timer = setInterval(() => outgoing.write(PIECE), 4000)
  outgoing.on('response', reply => {
    state.status = reply.resume().statusCode
  })
  outgoing.on('error', () => undefined).on('close', () => clearInterval(timer))
  outgoing.write(PIECE)
  open.push(outgoing)
  return state
}

test('J-01 twelve members with slow uploads leave slots for others of the school, for staff and for other schools', async () => {
  const tokens = await newMembers(MEMBERS)
  const [eli, ada, other] = [await uploader(app, 'eli'), await uploader(app, 'ada'), await uploader(app, 'dev', app.b)]
  const bodies: { status: number | undefined }[] = []
  try {
    for (const token of tokens) {
      const id = await announce(token)
      for (let at = 0; at < EACH; at++) bodies.push(slowBody(token, id))
    }
    const answered = () => bodies.filter(({ status }) => status !== undefined).length
    for (let tries = 0; start + answered() < bodies.length; tries++) {
      assert.ok(tries < 1000, `${start} bodies are on their way and ${answered()} are refused`)
      await pause(20)
    }
    assert.ok(start > 100, `${start} bodies are on their way`)
    for (const person of [eli, ada, other]) {
      const { status, json, text } = await person.upload(Buffer.from('Rye'))
      assert.deepEqual([status, json.status], [200, 'ready'], text)
    }
  } finally {
    for (const outgoing of open) outgoing.destroy()
  }
})
