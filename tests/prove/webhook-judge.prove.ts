import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { startMailbox } from '#testing/mail.ts'
import { type Received, type Receiver, startReceiver } from '#testing/receiver.ts'
import { until } from '#testing/until.ts'

const PYTHON = resolve('.ci/python/bin/python')
const JUDGE = resolve('testing/clients/python/webhooks.py')
const INSTALL =
  'python3 -m venv .ci/python && .ci/python/bin/pip install --require-hashes -r testing/clients/python/requirements.txt'
const DAY = 24 * 3600
const SCOPES = ['school:read', 'courses:read', 'courses:write']

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
let receiver: Receiver
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
before(async () => {
  receiver = await startReceiver()
})
after(async () => {
  await receiver.stop()
  await mailbox?.stop()
})

type Judged = Pick<Received, 'headers' | 'body'> & { readonly secret: string }

/** What the library says of deliveries: the id of one that it verifies, or why it refuses it. */
const judge = (deliveries: readonly Judged[]): Promise<readonly string[]> =>
  new Promise((found, failed) => {
    const child = execFile(PYTHON, [JUDGE], (error, stdout, stderr) =>
      error === null ? found(JSON.parse(stdout)) : failed(new Error(`${stderr}; run: ${INSTALL}`)),
    )
    child.stdin?.end(JSON.stringify(deliveries))
  })

/** Causes a fact, and returns what the receiver is sent of it. */
const sendNext = async (): Promise<Received> => {
  const before = receiver.received.length
  const dev = await app.actor('dev', { scopes: SCOPES })
  const made = await dev.write('POST', '/courses', { name: `Course ${before}`, slug: `judged-${before}` })
  assert.equal(made.status, 201, made.text)
  await until(async () => receiver.received.length > before, 'the delivery')
  return receiver.received[before] ?? assert.fail('the delivery')
}

test('the library of Python verifies deliveries, with both secrets of a rotation, and refuses what was changed', async () => {
  assert.ok(existsSync(PYTHON), `run: ${INSTALL}`)
  const dev = await app.actor('dev', { as: 'admin', scopes: SCOPES })
  const made = (await dev.write('POST', '/webhooks', { url: receiver.url, types: ['course.created'] })).json
  const path = `/webhooks/${made.id}/secret`
  const first = await sendNext()
  const rotated = (await dev.write('PUT', path)).json
  const both = await sendNext()
  const leaked = (await dev.write('PUT', path, { at_once: true })).json
  const newest = await sendNext()
  const last = (await dev.write('PUT', path)).json
  await app.moveClock(DAY)
  const late = await sendNext()
  const verified = [
    { ...first, secret: made.secret },
    { ...both, secret: made.secret },
    { ...both, secret: rotated.secret },
    { ...newest, secret: leaked.secret },
    { ...late, secret: last.secret },
  ]
  const changed = both.body.replace('course.created', 'course.deleted')
  assert.notEqual(changed, both.body)
  const refused = [
    { ...first, secret: rotated.secret },
    { ...newest, secret: rotated.secret },
    { ...late, secret: leaked.secret },
    { ...both, body: changed, secret: rotated.secret },
    { ...both, headers: { ...both.headers, 'webhook-id': first.json.id }, secret: rotated.secret },
    { ...first, headers: both.headers, secret: made.secret },
  ]
  const found = await judge([...verified, ...refused])
  assert.deepEqual(
    found.slice(0, verified.length),
    [first, both, both, newest, late].map(({ json }) => json.id),
  )
  assert.deepEqual(found.slice(verified.length), Array(refused.length).fill('No matching signature found'))
})
