import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { Type } from 'typebox'
import { area } from '#src/contract/area.ts'
import type { Db } from '#src/contract/db.ts'
import { guardPassed } from '#src/contract/guard.ts'
import { operation } from '#src/contract/operation.ts'
import type { Actor } from '#testing/actor.ts'
import { testApp } from '#testing/app.ts'
import { jsonBody } from '#testing/http.ts'
import { performingPage } from '#testing/pinboard.ts'
import { cookieAt } from '#testing/unrouted.ts'

const Reply = Type.Object({ ok: Type.Boolean() })
const reply = { ok: true }
const withGuard = async ({ db }: { readonly db: Db }) => {
  guardPassed(db)
  return reply
}
const withoutGuard = async () => reply

const read = { scope: 'courses:read', mode: 'read', returns: Reply } as const
const write = { scope: 'courses:write', mode: 'write', returns: Reply } as const

const guarded = area({
  name: 'guarded',
  operations: [
    ...(['lecturer_of', 'holder'] as const).flatMap(who => [
      operation({ ...read, id: `get_${who}`, route: `GET /guarded/${who}`, summary: 'Read', who, handle: withGuard }),
      operation({
        ...read,
        id: `bad_get_${who}`,
        route: `GET /unguarded/${who}`,
        summary: 'Read',
        who,
        handle: withoutGuard,
      }),
    ]),
    operation({
      ...write,
      id: 'unguarded_write',
      route: 'POST /unguarded',
      summary: 'Write',
      who: 'lecturer_of',
      handle: async ({ record }) => {
        record({ type: 'unguarded.written', payload: {} })
        return reply
      },
    }),
    operation({
      ...read,
      id: 'get_own',
      route: 'GET /unguarded/own',
      summary: 'Read',
      who: 'self',
      handle: withoutGuard,
    }),
    operation({
      id: 'unguarded_on_pages',
      summary: 'Write',
      who: 'lecturer_of',
      mode: 'write',
      returns: Reply,
      handle: async ({ record }) => {
        record({ type: 'unguarded.written', payload: {} })
        return reply
      },
    }),
  ],
})

const app = testApp({ moreAreas: [guarded], morePages: parts => [performingPage(parts)] })
let carla: Actor

before(async () => {
  carla = await app.actor('carla', { scopes: ['courses:read', 'courses:write'] })
})

suite('an operation that lets each member through to its handler', () => {
  for (const who of ['lecturer_of', 'holder']) {
    test(`answers when a guard ran: ${who}`, async () => {
      const { status, json } = await carla.get(`/guarded/${who}`)
      assert.deepEqual([status, json], [200, reply])
    })

    test(`fails when no guard ran: ${who}`, async () => {
      const { status, json } = await carla.get(`/unguarded/${who}`)
      assert.deepEqual([status, json.code], [500, 'internal_error'])
      assert.ok(app.log.some(line => line.includes(`the handler of bad_get_${who} ran no guard`)))
    })
  }

  test('is rolled back when no guard ran', async () => {
    const { status } = await carla.write('POST', '/unguarded')
    assert.equal(status, 500)
    assert.deepEqual(await app.database.query(`select from facts where type = 'unguarded.written'`), [])
  })
})

test('an operation without a route that lets each member through fails on a page when no guard ran', async () => {
  const headers = { cookie: await cookieAt(app, 'carla') }
  const request = jsonBody('POST', '/account/perform', { operation: 'unguarded_on_pages' }, headers)
  assert.equal((await app.send(request)).status, 500)
  assert.ok(app.log.some(line => line.includes('the handler of unguarded_on_pages ran no guard')))
  assert.deepEqual(await app.database.query(`select from facts where type = 'unguarded.written'`), [])
})

test('an operation whose role says enough needs no guard', async () => {
  assert.equal((await carla.get('/unguarded/own')).status, 200)
})
