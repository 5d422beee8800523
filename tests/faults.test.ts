import assert from 'node:assert/strict'
import { faultyApp } from '#testing/faults/app.ts'
import { form, jsonBody } from '#testing/http.ts'
import { approve } from '#testing/oauth.ts'
import { REFRESHING } from '#testing/tokens.ts'

const { app, visitor, prove, underFaults, meetOnce } = faultyApp()
const SERIALIZATION = ['40001', '40P01'] as const

prove(
  'a keyed write is retried whichever of its statements lost, also one that another one travels behind',
  async () => {
    const { token } = await app.actor('ada', { scopes: ['school:read', 'school:write'] })
    let number = 0
    await underFaults(
      200,
      async run => {
        const headers = { authorization: `Bearer ${token}`, 'if-match': '*', 'idempotency-key': `retried-${number++}` }
        const request = jsonBody('PATCH', '/api/v1/school', { description: `Loaf ${number}` }, headers)
        const { met, grown } = await meetOnce(run, request)
        assert.deepEqual([grown.idempotency_keys, grown.audit_log, grown.facts], [1, 1, 1], run.why(met))
        return met
      },
      SERIALIZATION,
    )
  },
)

prove('the one statement that exchanges a code is sent again when it lost', async ({ browser }) => {
  await underFaults(
    200,
    async run => {
      const { exchange } = await approve(visitor(), { browser, metadata: REFRESHING })
      const { met, grown } = await meetOnce(run, form('/api/oauth/token', exchange))
      assert.deepEqual([grown.access_tokens, grown.refresh_families], [1, 1], run.why(met))
      return met
    },
    SERIALIZATION,
    1,
  )
})
