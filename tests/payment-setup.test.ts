// One thing: owners set a provider up on pages alone, from its keys to its removal.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { createPerson, people } from '#src/demo/index.ts'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { removeDemoTransfers } from '#testing/demo-transfers.ts'
import type { TestReply } from '#testing/http.ts'
import { type OutsideProvider, startOutsideProvider } from '#testing/outside-provider.ts'
import { callProvider, setProvider } from '#testing/payments.ts'
import { addSchool } from '#testing/schools.ts'
import { type StripeServer, startStripe } from '#testing/stripe/index.ts'

const app = testApp()
let stripe: StripeServer
let outside: OutsideProvider
let other: OutsideProvider
before(async () => {
  // The school of this file begins without any way to be paid.
  await removeDemoTransfers(app.database, app.a.id)
  stripe = await startStripe({ post: async () => 200 })
  outside = await startOutsideProvider()
  other = await startOutsideProvider()
})
after(async () => {
  await stripe.stop()
  await outside.stop()
  await other.stop()
})

const PATH = '/staff/payments'

const enter = (): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people.ada.email, password: PASSWORD })

const send = async (
  browser: Browser,
  path: string,
  act: string,
  typed: readonly (readonly [string, string])[] = [],
): Promise<TestReply> => browser.submit(formTo(await browser.open(path), path, { act }), typed)

const assertSays = ({ text }: TestReply, ...sentences: readonly (string | RegExp)[]): void => {
  for (const one of sentences)
    assert.ok(typeof one === 'string' ? text.includes(one) : one.test(text), `${one}: ${text}`)
}

suite('a provider is set up by clicks alone', () => {
  const path = `${PATH}/stripe`

  test('from the page of all providers: its key, its check, its endpoint', async () => {
    const ada = await enter()
    const list = await ada.open(PATH)
    assertSays(list, `href="${path}"`, 'There is no payment provider yet', 'Choose how buyers pay')
    const steps = await ada.open(path)
    assertSays(
      steps,
      'Charges and Refunds: Write',
      `value="${app.a.baseUrl}/webhooks/stripe"`,
      '<code>checkout.session.completed</code>',
    )
    const set = await send(ada, path, 'set', [['secret.secret_key', stripe.secrets.secret_key ?? '']])
    assertSays(set, 'The provider was saved', 'Stripe does not tell this school about payments yet')
    assert.ok(!set.text.includes(stripe.secrets.secret_key ?? ''))
    const connected = await send(ada, path, 'connect')
    assertSays(connected, 'The provider is connected')
    assertSays(await send(ada, path, 'check'), 'The provider was checked', 'Everything is there')
    assertSays(await ada.open(PATH), /For a free trial<\/dt><dd><bdi>Stripe/)
  })

  test('each finding is named on the page, and gone once it is mended', async () => {
    const ada = await enter()
    stripe.forbid(['POST /v1/refunds'])
    assertSays(await send(ada, path, 'check'), 'The key lacks this permission: Charges and Refunds: Write')
    assertSays(await ada.open(PATH), '1 thing is missing')
    stripe.forbid([])
    stripe.store.isReady = false
    assertSays(await send(ada, path, 'check'), 'The account cannot receive payments yet')
    stripe.store.isReady = true
    assertSays(await send(ada, path, 'check'), 'Everything is there')
  })

  test('it is used for renewals, and removed with its endpoint', async () => {
    const ada = await enter()
    assertSays(await send(ada, path, 'use', [['use', 'renewals']]), 'The use was saved')
    assertSays(await ada.open(PATH), 'Renewals only', /For a price that is paid once<\/dt><dd><bdi>(?!Stripe)/)
    assert.equal(stripe.store.endpoints.size, 1)
    assertSays(await send(ada, `${path}/removal`, 'remove'), 'The provider was removed')
    assert.equal(stripe.store.endpoints.size, 0)
    assert.equal((await ada.open(`${path}/removal`)).status, 404)
  })
})

suite('keys of another account', () => {
  const path = `${PATH}/outside`
  const typeKey = ({ secrets }: OutsideProvider): (readonly [string, string])[] => [
    ['secret.secret_key', secrets.secret_key],
  ]
  const readAccount = async (): Promise<string | undefined> =>
    (await callProvider(app, 'checkPaymentProvider', 'outside', {})).account?.id

  test('are announced before they are saved', async () => {
    const ada = await enter()
    assertSays(await send(ada, path, 'set', typeKey(outside)), 'The provider was saved')
    const again = await send(ada, path, 'set', typeKey(outside))
    assertSays(again, 'The provider was saved')
    const asked = await send(ada, path, 'set', typeKey(other))
    assert.equal(asked.status, 409)
    assertSays(asked, `another account: Crumb (acct_${other.port})`, 'name="other_account"')
    assert.equal(await readAccount(), `acct_${outside.port}`)
    const confirmed = await ada.submit(formTo(asked, path, { act: 'set' }), [
      ...typeKey(other),
      ['other_account', 'yes'],
    ])
    assertSays(confirmed, 'The provider was saved')
    assert.equal(await readAccount(), `acct_${other.port}`)
  })

  test('a provider that does not answer says so, and nothing is lost', async () => {
    const ada = await enter()
    other.fail('check', 'error')
    const refused = await send(ada, path, 'check')
    assert.equal(refused.status, 503)
    assertSays(refused, 'The provider did not answer, or refused')
    await setProvider(app, 'outside')
  })
})

test('a school with paid orders does not become a test school by its page', async () => {
  const ada = await enter()
  const path = `${PATH}/live`
  const page = await ada.open(path)
  assertSays(page, 'The school is not at an https address', 'This is not a test school, so what it sold is kept')
  assert.doesNotMatch(page.text, /Make it a test school|Take real payments/)
  const form = { ...formTo(await ada.open(`${PATH}/manual`), `${PATH}/manual`), action: path }
  const refused = await ada.submit(form, [['act', 'test']])
  assert.equal(refused.status, 409)
  assertSays(refused, 'There are paid orders, so the school stays what it is')
  const [row] = await app.database.query('select is_test from schools where id = $1', [app.a.id])
  assert.deepEqual(row, { is_test: false })
})

test('the page of going live has one main button, which is that of the next step', async () => {
  const base = `https://next.localhost:${app.port}`
  const school = await addSchool(app, base)
  const email = 'nora@next.example'
  const owner = { email, name: 'Nora', role: 'owner', password: PASSWORD } as const
  await createPerson(app.database.elsewhere(), school.id, owner)
  const nora = await enterAccount({
    port: app.port,
    school: { ...app.a, ...school, siteOrigin: base },
    email,
    password: PASSWORD,
  })
  const path = `${PATH}/live`
  const listMain = ({ text }: TestReply) =>
    [...text.matchAll(/class="main" type="submit">([^<]+)/g)].map(([, label]) => label)
  const real = await nora.open(path)
  assertSays(real, 'Real money moves in this school', 'Make it a test school')
  assert.deepEqual(listMain(real), [])
  const made = await send(nora, path, 'test')
  assertSays(made, 'The school is a test school now')
  assert.deepEqual(listMain(made), ['Take real payments'])
})
