import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { lookUp } from '#testing/examples.ts'
import { buildRequest, grantable, operations } from '#testing/matrix.ts'

const app = testApp({ hasSubscriptions: true })

type Entry = { readonly operation: string; readonly fields: readonly string[]; readonly member_id: string | null }

const entries = () =>
  app.database.query<Entry>('select operation, fields, member_id from audit_log where school_id = $1 order by id', [
    app.a.id,
  ])

for (const operation of operations.filter(({ csv }) => csv !== undefined))
  test(`${operation.id} as CSV is in the audit log with caller and columns; as JSON, or refused, it is not`, async () => {
    const ada = await app.actor('ada', { scopes: grantable })
    const dev = await app.actor('dev', { scopes: ['openid', 'account:read'] })
    const request = buildRequest(operation, await lookUp(operation, ada.token, each => app.send(each)))
    const send = (token: string, accept: string, method: 'GET' | 'HEAD' = 'GET') =>
      app.send({ ...request, method, headers: { authorization: `Bearer ${token}`, accept } })
    const before = await entries()
    assert.equal((await send(ada.token, 'application/json')).status, 200)
    assert.equal((await send(ada.token, 'text/csv', 'HEAD')).status, 200)
    assert.equal((await send(dev.token, 'text/csv')).status, 403)
    assert.deepEqual(await entries(), before)
    const csv = await send(ada.token, 'text/csv')
    assert.equal(csv.status, 200, csv.text)
    const [me] = await app.database.query<{ id: string }>(
      `select id from members where school_id = $1 and role = 'owner'`,
      [app.a.id],
    )
    assert.deepEqual((await entries()).slice(before.length), [
      { operation: operation.id, fields: Object.keys(operation.csv?.cells ?? {}), member_id: me?.id },
    ])
  })
