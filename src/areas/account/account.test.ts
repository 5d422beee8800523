import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#testing/app.ts'

const app = testApp()

test('each person sees their own account and nobody else', async () => {
  const [eli, ben] = await Promise.all([app.actor('eli'), app.actor('ben')])
  const [own, other] = await Promise.all([eli.get('/account'), ben.get('/account')])
  assert.equal(own.status, 200)
  assert.equal(own.json.email, 'eli@crumb.example')
  assert.equal(own.json.name, 'Eli Sørensen')
  assert.equal(own.json.role, 'member')
  assert.equal(other.json.role, 'admin')
  assert.notEqual(own.json.id, other.json.id)
  assert.deepEqual(own.json.allowed_actions, ['getAccount'])
})

test('anonymous is told to sign in, without a challenge', async () => {
  const { status, json, headers } = await app.send({ path: '/api/v1/account' })
  assert.equal(status, 403)
  assert.equal(json.code, 'sign_in_required')
  assert.equal(headers['www-authenticate'], undefined)
})
