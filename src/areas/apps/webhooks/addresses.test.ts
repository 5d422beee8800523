import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { internet, internetWith, resolverAt } from '#src/outbound/index.ts'
import type { Actor } from '#testing/actor.ts'
import { startApp } from '#testing/app.ts'
import { startMailbox } from '#testing/mail.ts'
import { startNameServer } from '#testing/name-server.ts'
import { isSignedWith, type Receiver, startReceiver, withStatus } from '#testing/receiver.ts'
import { until } from '#testing/until.ts'

const HOST = 'hooks.example'
const PUBLIC = '93.184.215.14'
const TYPES = ['school.updated']

let names: Awaited<ReturnType<typeof startNameServer>>
let mailbox: Awaited<ReturnType<typeof startMailbox>>
let receiver: Receiver
let app: Awaited<ReturnType<typeof startApp>>
let dev: Actor
let isLoopbackAllowed = true

// Loopback stands for the public Internet as long as a test says so.
const isAllowed = (address: string): boolean =>
  isLoopbackAllowed ? internetWith('127.0.0.1/32').isAllowed(address) : internet.isAllowed(address)

before(async () => {
  names = await startNameServer()
  mailbox = await startMailbox()
  receiver = await startReceiver(HOST)
  const outside = { resolve: resolverAt([names.address]), isAllowed, ca: receiver.ca }
  app = await startApp({ outside, mailbox: async () => mailbox })
})
after(async () => {
  await app.stop()
  await Promise.all([receiver.stop(), mailbox.stop(), names.stop()])
})
beforeEach(async () => {
  isLoopbackAllowed = true
  receiver.received.length = 0
  receiver.answer(withStatus(204))
  await app.database.query('delete from webhooks')
  await app.database.query('delete from limits')
  dev = await app.actor('dev', { as: 'admin', scopes: ['school:read'] })
})

/** Sends a test to an address; returns the secret and the delivery once it has ended. */
const deliver = async (url: string) => {
  const made = await dev.write('POST', '/webhooks', { url, types: TYPES })
  assert.equal(made.status, 201, made.text)
  const path = `/webhooks/${made.json.id}`
  const sent = await dev.write('POST', `${path}/tests`, { type: 'school.updated' })
  const look = async () => (await dev.get(`${path}/deliveries/${sent.json.id}`)).json
  await until(async () => (await look()).status !== 'waiting', 'the end of the delivery')
  return { secret: made.json.secret, delivery: await look() }
}

test('a receiver with a certificate for its name gets what is sent over HTTPS', async () => {
  names.say(HOST, { a: ['127.0.0.1'] })
  const { secret, delivery } = await deliver(`https://${HOST}:${receiver.port}/hook?key=1`)
  assert.deepEqual([delivery.status, delivery.last_outcome], ['delivered', '204'])
  const [one] = receiver.received
  assert.ok(one)
  assert.equal(one.path, '/hook?key=1')
  assert.ok(isSignedWith(secret, one))
})

const refused: readonly [name: string, zone: Parameters<typeof names.say>[1], word: string][] = [
  ['a private address', { a: ['10.0.0.1'] }, 'address'],
  ['loopback', { a: ['127.0.0.1'] }, 'address'],
  ['a link-local address', { a: ['169.254.169.254'] }, 'address'],
  ['a private address of IPv6', { a: [PUBLIC], aaaa: ['fd00::1'] }, 'address'],
  ['an IPv4 address mapped into IPv6', { a: [PUBLIC], aaaa: ['::ffff:10.0.0.1'] }, 'address'],
  ['an address that NAT64 makes of a private one', { a: [PUBLIC], aaaa: ['64:ff9b::a00:1'] }, 'address'],
  ['an address that 6to4 makes of a private one', { a: [PUBLIC], aaaa: ['2002:a00:1::1'] }, 'address'],
  ['the address that is none', { a: ['0.0.0.0'], aaaa: ['::'] }, 'address'],
  ['a private address beside a public one', { a: [PUBLIC, '192.168.0.1'] }, 'address'],
  ['no address', {}, 'name'],
]

for (const [name, zone, word] of refused)
  test(`K-01 nothing is sent to a name with ${name}, and the log says only ${word}`, async () => {
    isLoopbackAllowed = false
    names.say(HOST, zone)
    const { delivery } = await deliver(`https://${HOST}:${receiver.port}/hook`)
    assert.deepEqual([delivery.status, delivery.last_outcome], ['failed', word])
    assert.equal(receiver.received.length, 0)
  })

test('K-01 a name whose address changes is checked again at each attempt', async () => {
  names.say(HOST, { a: ['127.0.0.1'] })
  const url = `https://${HOST}:${receiver.port}/hook`
  assert.equal((await deliver(url)).delivery.status, 'delivered')
  names.say(HOST, { a: ['10.0.0.1'] })
  assert.equal((await deliver(url)).delivery.last_outcome, 'address')
  assert.equal(receiver.received.length, 1)
})

test('K-03 a redirect to a private address is not followed, and the log says only redirect', async () => {
  names.say(HOST, { a: ['127.0.0.1'] })
  receiver.answer(withStatus(307, { location: `https://10.0.0.1:${receiver.port}/inside` }))
  const { delivery } = await deliver(`https://${HOST}:${receiver.port}/hook`)
  assert.deepEqual([delivery.status, delivery.last_outcome], ['failed', 'redirect'])
  assert.equal(receiver.received.length, 1)
})

test('a certificate for another name, nobody at the port, and a closed connection have words of their own', async () => {
  names.say('other.example', { a: ['127.0.0.1'] })
  names.say(HOST, { a: ['127.0.0.1'] })
  const wrong = await deliver(`https://other.example:${receiver.port}/hook`)
  assert.equal(wrong.delivery.last_outcome, 'tls')
  const spare = await startReceiver()
  await spare.stop()
  const nobody = await deliver(`https://${HOST}:${spare.port}/hook`)
  assert.equal(nobody.delivery.last_outcome, 'refused')
  receiver.answer((_received, response) => void response.destroy())
  const closed = await deliver(`https://${HOST}:${receiver.port}/hook`)
  assert.equal(closed.delivery.last_outcome, 'closed')
})
