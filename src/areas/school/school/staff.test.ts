import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()

const emailsSeenWith = async (scopes: readonly string[]): Promise<unknown[]> => {
  const { json } = await (await app.actor('ben', { scopes })).get('/school/staff')
  return json.data.map(({ role, email }: { role: string; email?: string }) => [role, email])
}

test('the list of staff shows the addresses of others only with members:read', async () => {
  const both = [
    ['admin', 'ben@crumb.example'],
    ['owner', 'ada@crumb.example'],
  ]
  assert.deepEqual((await emailsSeenWith(['school:read', 'members:read'])).sort(), both)
  for (const more of [[], ['school:write'], ['members:write'], ['students:read'], ['account:read']])
    assert.deepEqual(
      (await emailsSeenWith(['school:read', ...more])).sort(),
      [
        ['admin', 'ben@crumb.example'],
        ['owner', undefined],
      ],
      `with ${more}`,
    )
})

test('a role that is given answers with an address only with members:read', async () => {
  const ada = await app.actor('ada', { scopes: ['school:read', 'members:read'] })
  const { json } = await ada.get(`/members?email=eli@crumb.example`)
  for (const [scopes, email] of [
    [['school:write'], undefined],
    [['school:write', 'members:read'], 'eli@crumb.example'],
  ] as const) {
    const writes = await app.actor('ada', { scopes })
    const path = `/school/staff/${json.data[0].id}?dry_run=true`
    const { status, json: dry, text } = await writes.write('PUT', path, { role: 'admin' })
    assert.equal(status, 200, text)
    assert.deepEqual([dry.result.role, dry.result.email], ['admin', email])
  }
})
