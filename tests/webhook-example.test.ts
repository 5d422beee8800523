import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount } from '#testing/account-pages.ts'
import type { Actor } from '#testing/actor.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { freePort } from '#testing/ports.ts'
import { press } from '#testing/staff-pages.ts'
import { until } from '#testing/until.ts'

let mailbox: Mailbox
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox.stop())

const EXAMPLE = 'examples/receive-webhooks.mjs'
const SCOPES = ['school:read', 'courses:read', 'courses:write']
let port: number
let ada: Actor
before(async () => {
  port = await freePort()
  ada = await app.actor('ada', { scopes: SCOPES })
})

type Fact = {
  readonly type: string
  readonly sequence: number
  readonly previous: number | null
  readonly data: Readonly<Record<string, unknown>>
}

const isListening = (): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => resolve(false))
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

/** Starts the example and collects what it prints. */
const startExample = async (secret: string) => {
  const child = spawn(process.execPath, [EXAMPLE, String(port)], { env: { ...process.env, WEBHOOK_SECRET: secret } })
  const facts: Fact[] = []
  createInterface({ input: child.stdout }).on('line', line => facts.push(JSON.parse(line)))
  await until(isListening, 'the example listens')
  const stop = async (): Promise<void> => {
    child.kill()
    await once(child, 'exit')
  }
  return { facts, stop }
}

const subscribe = async (types: readonly string[], ordered = false): Promise<{ path: string; secret: string }> => {
  const made = await ada.write('POST', '/webhooks', { url: `http://127.0.0.1:${port}/`, types, ordered })
  assert.equal(made.status, 201, made.text)
  return { path: `/webhooks/${made.json.id}`, secret: made.json.secret }
}

const addCourse = async (name: string): Promise<string> => {
  const made = await ada.write('POST', '/courses', { name, slug: name.toLowerCase().replaceAll(' ', '-') })
  assert.equal(made.status, 201, made.text)
  return made.json.id
}

test('the example verifies what is sent when somebody publishes a course in the console, and takes nothing else', async () => {
  const { path, secret } = await subscribe(['course.published'])
  const example = await startExample(secret)
  try {
    const id = await addCourse('Rye for mornings')
    const console = await enterAccount({ port: app.port, school: app.a, email: people.ada.email, password: PASSWORD })
    const pressed = await press(console, `/staff/courses/${id}/publication`, 'publish')
    assert.ok(pressed.status < 400, pressed.text)
    await until(async () => example.facts.length > 0, 'the fact')
    const [fact, ...others] = example.facts
    assert.deepEqual([fact?.type, fact?.data, others], ['course.published', { course_id: id }, []])
    const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(fact) })
    assert.equal(forged.status, 400)
    assert.equal(example.facts.length, 1)
  } finally {
    await example.stop()
    await ada.write('DELETE', path)
  }
})

test('of a receiver that is stopped while 50 facts happen all arrive once it is back, in number and without a gap', async () => {
  const { path, secret } = await subscribe(['course.created'], true)
  const first = await startExample(secret)
  await addCourse('Before the pause')
  await until(async () => first.facts.length === 1, 'the first fact')
  await until(async () => (await ada.get(path)).json.waiting_count === 0, 'its mark')
  await first.stop()
  for (let count = 1; count <= 50; count += 1) await addCourse(`Missed ${count}`)
  await until(async () => (await ada.get(path)).json.waiting_count === 50, 'everything waits')
  await until(async () => {
    const [row] = await app.database.query<{ count: number }>(
      `select count(*)::integer as count from webhook_deliveries where attempts > 0 and status = 'waiting'`,
    )
    return row?.count === 1
  }, 'an attempt failed')
  const second = await startExample(secret)
  try {
    await app.moveClock(3600)
    ada = await app.actor('ada', { scopes: SCOPES })
    await until(async () => second.facts.length === 50, `50 facts, not ${second.facts.length}`)
    const sequences = [...first.facts, ...second.facts].map(({ sequence }) => sequence)
    assert.deepEqual(
      sequences,
      sequences.toSorted((a, b) => a - b),
    )
    assert.deepEqual(
      second.facts.map(({ previous }) => previous),
      sequences.slice(0, -1),
    )
    assert.equal((await ada.get(path)).json.status, 'active')
  } finally {
    await second.stop()
  }
})

test('the example has at most 20 lines and one package', () => {
  const source = readFileSync(EXAMPLE, 'utf8')
  assert.ok(source.trimEnd().split('\n').length <= 20)
  const names = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => String(name))
  assert.deepEqual(
    names.filter(name => !name.startsWith('node:')),
    ['standardwebhooks'],
  )
})
