import assert from 'node:assert/strict'
import { sql } from '#src/db/sql.ts'
import { toId } from '#src/kit/ids.ts'
import type { TestApp } from '../app.ts'
import { identify, look } from '../checkout.ts'
import { integrationsHere } from '../integrations.ts'
import { readMemberId } from '../learning.ts'
import type { Instead } from '../matrix.ts'
import { checkout, performAsOperator, sell } from '../orders.ts'
import { addUnusedMethod, askToPay, openPage, pressOn } from '../paying.ts'
import { setProvider } from '../payments.ts'
import { sellPlan } from '../price-changes.ts'
import { monthly, readSubscriptionId, subscribe } from '../subscriptions.ts'
import { setTest } from '../test-schools.ts'
import { cookieAt } from '../unrouted.ts'
import { uploader } from '../uploads.ts'

const SCOPES = ['account:read', 'account:write', 'courses:read', 'courses:write']
const PLAN_SCOPES = ['membership_plans:read', 'membership_plans:write', 'subscriptions:read', 'subscriptions:write']

const nothing: Instead = {}

// The page of the buyer asks the provider, since no worker runs.
const disputedOrder = async (app: TestApp): Promise<Instead> => {
  await setProvider(app, 'test', {})
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { json: order, text } = await checkout(ada, [(await sell(ada, 'Bread that is disputed')).priceId])
  const asked = await askToPay(ada, order.id, { provider: 'test' })
  assert.equal(asked.status, 201, `${text} ${asked.text}`)
  const page = await openPage(app, asked.json)
  for (const action of ['pay', 'dispute']) await pressOn(app, page, action)
  await app.send({ path: `/account/orders/${order.number}`, headers: { cookie: await cookieAt(app, 'ada') } })
  assert.equal((await ada.get(`/account/orders/${order.id}`)).json.dispute?.state, 'open')
  return { params: { order_id: order.id } }
}

// A visitor has said who they are; whoever proves who they are places it.
const waitingCheckout = async (app: TestApp): Promise<Instead> => {
  const ada = await app.actor('ada', { scopes: SCOPES })
  const { priceId } = await sell(ada, 'Bread of a visitor')
  const { browser, page } = await look(app, [priceId])
  const { status, text } = await identify(browser, page, { email: 'visitor@crumb.example' })
  assert.equal(status, 200, text)
  const [row] = await app.database.query<{ id: string; browser: string; quote: string }>(
    `select id, encode(browser_hash, 'hex') as browser, encode(quote_hash, 'hex') as quote
     from checkouts where school_id = $1 and email = 'visitor@crumb.example'`,
    [app.a.id],
  )
  if (row === undefined) throw new Error('the checkout was not stored')
  const { id, browser: hash, quote } = row
  return { params: { checkout_id: toId('chk', id) }, body: { browser: hash, quote } }
}

// An app that the school has registered.
const registeredApp = async (app: TestApp): Promise<Instead> => {
  const { out } = await integrationsHere(app, [
    ...['create', '--confidential', '--name', 'Faulty', '--redirect-uri', 'https://faulty.example/callback'],
  ])
  return { params: { client_id: JSON.parse(out).client_id } }
}

// A school that has not begun.
const newSchool = async (app: TestApp): Promise<Instead> => {
  await app.database.query('delete from guide_steps where school_id = $1', [app.a.id])
  return nothing
}

// A comment that the staff have hidden.
const hiddenComment = async (app: TestApp): Promise<Instead> => {
  const ada = await app.actor('ada', { scopes: ['comments:read'] })
  const [comment] = (await ada.get('/comments?status=published')).json.data
  const params = { comment_id: comment.id }
  await performAsOperator(app, { operation: 'hideComment', params, body: { reason: 'Advertising' } })
  return { params }
}

// Somebody who may not comment.
const mutedCommenter = async (app: TestApp): Promise<Instead> => {
  const params = { member_id: toId('mem', await readMemberId(app, 'dev')) }
  await performAsOperator(app, { operation: 'muteCommenter', params, body: { reason: 'Spam' } })
  return { params }
}

// A form whose newest version is not published.
const changedForm = async (app: TestApp): Promise<Instead> => {
  const params = { form_id: 'slug:ask-the-bakery' }
  await performAsOperator(app, { operation: 'changeForm', params, body: { submit_label: 'Ask' } })
  return { params }
}

// A subscription that has ended while the rest of a dear year was its credit.
const endedWithCredit = async (app: TestApp): Promise<Instead> => {
  await setProvider(app, 'manual', {})
  const ada = await app.actor('ada', { scopes: [...SCOPES, ...PLAN_SCOPES] })
  const { prices } = await sellPlan(ada, 'Year to months', [
    { payment_type: 'subscription', amount: 100_000, interval: 'year' },
    monthly(1000),
  ])
  const [year = '', month = ''] = prices
  const order = await subscribe(app, ada, year, { provider: 'manual' })
  await performAsOperator(app, { operation: 'confirmPayment', params: { order_id: order.id }, body: {} })
  const id = await readSubscriptionId(app, order.id)
  const own = `/account/subscriptions/${id}`
  const { json: shown } = await ada.get(`${own}/proration?price_id=${month}`)
  const changed = await ada.write('PUT', `${own}/price`, { price_id: month, when: 'now', quote: shown.quote })
  assert.equal(changed.status, 200, changed.text)
  const canceled = await ada.write('PUT', `/subscriptions/${id}/cancellation`, { at: 'now' })
  assert.equal(canceled.status, 200, canceled.text)
  return { params: { subscription_id: id } }
}

// A test school that has sold nothing: what it sold is deleted as the job does it, which waits for no fact after ten minutes.
const unsoldTestSchool = async (app: TestApp): Promise<Instead> => {
  const { database, a } = app
  await setTest(app, true)
  await database.query(`insert into test_clearings (school_id, asked_at) values ($1, stoa.now() - interval '1 hour')`, [
    a.id,
  ])
  const clear = sql<{ count: number }>`select stoa.clear_test_sales(${a.id}, 1000) as count`
  await database.elsewhere().transaction(a.id, async db => {
    while ((await db.one(clear)).count > 0);
  })
  await database.query('delete from test_clearings where school_id = $1', [a.id])
  return nothing
}

// A file of the library that nothing uses; returns its id as an upload.
const addFile = async (app: TestApp, text: string): Promise<string> => {
  const ada = await uploader(app, 'ada')
  const { status, json, text: reply } = await ada.upload(Buffer.from(text), { purpose: 'post' })
  assert.equal(status, 200, reply)
  return json.id
}

const unusedFile = async (app: TestApp) => ({ params: { file_id: `fil_${(await addFile(app, 'Rye')).slice(4)}` } })

// An import of people that is in a phase, started by Ada.
const importIn =
  (status: 'running' | 'undoing') =>
  async (app: TestApp): Promise<Instead> => {
    const [row] = await app.database.query<{ id: string }>(
      `update imports set status = $2, position = 0, handled_count = 0, started_by = $3
       where school_id = $1 and id = (
         select id from imports where school_id = $1 and kind = 'people' and status = 'completed' limit 1)
       returning id`,
      [app.a.id, status, await readMemberId(app, 'ada')],
    )
    if (row === undefined) throw new Error('there is no import that has ended')
    return { params: { import_id: toId('imp', row.id) } }
  }

/** Arranges what an operation without a route needs to have an effect; returns what replaces its example. */
export const arrangements: Readonly<Record<string, (app: TestApp) => Promise<Instead>>> = {
  setProviderUse: app => setProvider(app, 'test', {}).then(() => nothing),
  placeCheckout: waitingCheckout,
  acceptDispute: disputedOrder,
  updateIntegration: registeredApp,
  rotateIntegrationSecret: registeredApp,
  removeIntegration: registeredApp,
  skipGuideSteps: newSchool,
  restoreComment: hiddenComment,
  unmuteCommenter: mutedCommenter,
  publishForm: changedForm,
  markSubscriptionPeriodPaid: app => setProvider(app, 'manual', {}).then(() => nothing),
  payCreditBack: async app => ({ ...(await endedWithCredit(app)), body: {} }),
  dropCredit: endedWithCredit,
  setTestMode: unsoldTestSchool,
  clearTestSales: app => setTest(app, true).then(() => nothing),
  updateFile: async app => ({ ...(await unusedFile(app)), body: { alt: 'Loaves on a board' } }),
  replaceFile: async app => ({ ...(await unusedFile(app)), body: { upload_id: await addFile(app, 'Spelt') } }),
  deleteFile: unusedFile,
  deleteAccountPaymentMethod: async app => ({ params: { method_id: await addUnusedMethod(app, 'ada') } }),
  performImportPiece: importIn('running'),
  undoImportPiece: importIn('undoing'),
  recordOutsideOrder: app => setProvider(app, 'manual', {}).then(() => nothing),
}
