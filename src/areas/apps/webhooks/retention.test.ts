import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testApp } from '#testing/app.ts'
import { jsonBody } from '#testing/http.ts'
import { startMailbox } from '#testing/mail.ts'
import { type Receiver, startReceiver } from '#testing/receiver.ts'
import { connect } from '#testing/tokens.ts'
import { until } from '#testing/until.ts'

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
after(() => mailbox?.stop())
let receiver: Receiver
before(async () => {
  receiver = await startReceiver()
  await app.setRole('dev', 'admin')
})
after(() => receiver.stop())

const DAY = 24 * 3600
const WIDE = 'school:read courses:read'

/** Lets so many days pass and waits until every school was swept after them. */
const pass = async (days: number): Promise<void> => {
  await app.moveClock(days * DAY)
  await until(async () => {
    const due = `select from jobs where kind = 'sweep' and due_at < stoa.now() + interval '1 hour'`
    return (await app.database.query(due)).length === 0
  }, 'every school is swept')
}

const countGrants = async (clientId: string): Promise<number> =>
  (await app.database.query('select from grants where client_id = $1', [clientId])).length

let count = 0
const addCourse = async (): Promise<void> => {
  const ada = await app.actor('ada', { scopes: ['courses:write'] })
  count += 1
  const made = await ada.write('POST', '/courses', { name: `Kept ${count}`, slug: `kept-${count}` })
  assert.equal(made.status, 201, made.text)
}

test('the end of unused refresh tokens is not that of a webhook, whose grant is kept; deliveries are deleted after 30 days', async () => {
  const names = ['With a webhook', 'Without one']
  const clients: string[] = []
  for (const client_name of names) {
    // Of two grants the newer one decides what a later authorization asks, so that the older one may be deleted.
    const { clientId, access } = await connect(app, 'dev', { metadata: { client_name }, parameters: { scope: WIDE } })
    await connect(app, 'dev', { metadata: { client_name }, parameters: { scope: 'school:read' } })
    clients.push(clientId)
    if (client_name !== names[0]) continue
    const body = { url: receiver.url, types: ['course.created'] }
    const made = await app.send(jsonBody('POST', '/api/v1/webhooks', body, { authorization: `Bearer ${access}` }))
    assert.equal(made.status, 201, made.text)
  }
  await addCourse()
  const deliveries = () =>
    app.database.query<{ status: string }>('select status from webhook_deliveries where fact_id is not null')
  await until(async () => (await deliveries())[0]?.status === 'delivered', 'the first course')
  await pass(29)
  assert.equal((await deliveries()).length, 1)
  await pass(36)
  assert.deepEqual(await Promise.all(clients.map(countGrants)), [2, 1])
  assert.deepEqual(await deliveries(), [])
  await addCourse()
  await until(async () => receiver.received.length === 2, 'the second course')
  const [first, second] = receiver.received
  assert.equal(second?.json.previous, first?.json.sequence)
})
