// One thing: who may not open the pages on which a school says where its money goes, and what they learn from the refusals.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie, formTo, listFields, openWith, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { grantable, identityScopes } from '#testing/matrix.ts'
import { setProvider } from '#testing/payments.ts'
import { type StripeServer, startStripe } from '#testing/stripe/index.ts'

const app = testApp()
let stripe: StripeServer
before(async () => {
  stripe = await startStripe({ post: async () => 200 })
})
after(() => stripe.stop())

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const PATHS = ['', '/live', '/stripe', '/stripe/removal', '/mollie', '/mollie/removal', '/none-such'].map(
  path => `/staff/payments${path}`,
)
const ACTS = ['set', 'check', 'connect', 'use', 'remove', 'nothing', 'live', 'test', 'clear']

// What somebody sees without what differs in every answer.
const readSaid = ({ status, headers, text }: TestReply): string =>
  `${status} ${headers.location ?? ''} ${/<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''}`.replace(/value="[^"]*"/g, '')

const readStored = (): Promise<unknown> =>
  app.database.query(
    'select * from payment_providers n left join payment_secrets s on s.provider = n.name order by 1, 2',
  )

test('nobody but owners opens a page of a provider, and the refusals say nothing of the providers of the school', async () => {
  await setProvider(app, 'stripe', { secrets: stripe.secrets })
  const stored = await readStored()
  const requests = stripe.requests.length
  for (const role of ['admin', 'lecturer', 'member'] as const) {
    await app.setRole('dev', role)
    const browser = await enter('dev')
    const said = new Set<string>()
    for (const path of PATHS) {
      const page = await openWith(app.port, formatCookie(browser), path)
      assert.notEqual(page.status, 200, `${role} ${path}`)
      said.add(readSaid(page).replaceAll(path, ''))
      for (const act of path === '/staff/payments' ? [] : ACTS) {
        const reply = await post(app.port, browser, path, [
          ['act', act],
          ['use', 'nothing'],
          ['name', 'stripe'],
        ])
        assert.equal(reply.status, 403, `${role} ${act} ${path}`)
      }
    }
    assert.equal(said.size, 1, `one refusal, whether or not there is such a provider: ${[...said].join()}`)
    assert.match([...said].join(), /^403 [\s\S]*<h1>Staff only<\/h1>/)
  }
  for (const path of PATHS) {
    const { status, headers } = await app.send({ path, headers: { accept: 'text/html' } })
    assert.deepEqual([status, headers.location], [303, `/account/sign-in?${new URLSearchParams({ return_to: path })}`])
  }
  assert.deepEqual(await readStored(), stored)
  assert.equal(stripe.requests.length, requests, 'nothing is asked of the provider')
})

test('an app with every scope finds none of it', async () => {
  const ada = await app.actor('ada', { scopes: [...identityScopes, ...grantable] })
  for (const path of [
    ...PATHS,
    '/payment-providers',
    '/payment-providers/stripe',
    '/payment_providers',
    '/payments/providers',
    '/school/payment-providers',
  ]) {
    const { status } = await ada.get(path)
    assert.equal(status, 404, path)
  }
})

test('an owner without a recent proof proves who they are first, and nothing is done before', async () => {
  const ada = await enter('ada')
  const page = await ada.open('/staff/payments/stripe')
  const form = formTo(page, '/staff/payments/stripe', { act: 'use' })
  await app.database.query('update sessions set recent_until = stoa.now()')
  const stored = await readStored()
  for (const path of PATHS.slice(0, 4)) {
    const { status, headers } = await openWith(app.port, formatCookie(ada), path)
    assert.equal(status, 303)
    assert.match(headers.location ?? '', /^\/account\/confirm\?level=recent&/)
  }
  const reply = await post(app.port, ada, form.action, listFields(form, { use: 'nothing' }))
  assert.equal(reply.status, 303)
  assert.match(reply.headers.location ?? '', /^\/account\/confirm\?level=recent&/)
  assert.deepEqual(await readStored(), stored)
})
