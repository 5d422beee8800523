import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo, listForms, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, startApp } from '#testing/app.ts'
import { type Browser, openBrowser, type PageForm, parseForm } from '#testing/browser.ts'
import { type Touched, watchTouched } from '#testing/changed-rows.ts'
import { buyerForm, codeForm, identify, look, postOnce } from '#testing/checkout.ts'
import { formPages, visitorAt } from '#testing/form-pages.ts'
import type { TestReply } from '#testing/http.ts'
import { endpoints } from '#testing/matrix.ts'
import { authorizePath, CALLBACK, openConsent, pkce, readCallback, register, signInOn } from '#testing/oauth.ts'
import { sell } from '#testing/orders.ts'
import { staffFormPages } from '#testing/staff-form-pages.ts'

let app: Awaited<ReturnType<typeof startApp>>
let touched: Touched
before(async () => {
  app = await startApp({ hasSubscriptions: true })
  const accounts = ['grants', 'sessions', 'credentials', 'confirmations', 'address_codes', 'mails', 'audit_log']
  const tables = [...accounts, 'checkouts', 'orders', 'enrollments']
  touched = await watchTouched(app.database, 'forms', tables)
})

after(() => app?.stop())

const personAt = (name: PersonName) => ({ email: people[name].email, password: PASSWORD })
const visitor = (name: PersonName) => visitorAt(app, name)

// These forms prove the person's identity by a password or a code, or need none: each belongs to a browser, except the link
// of a mail that turns mails off, the page of test payments, which needs no session, and the choice of a language, which then is
// that of the browser alone (tests/language-switch.test.ts).
const NAMES_NOBODY = [
  'POST /unsubscribe/:token',
  'POST /test-payments/:ref',
  'POST /account/language',
  'POST /oauth/authorize',
  'POST /oauth/authorize/sign-in',
  'POST /oauth/authorize/sign-in/code',
  'POST /oauth/authorize/sign-up',
  'POST /oauth/authorize/sign-up/code',
  'POST /oauth/authorize/reset',
  'POST /oauth/authorize/reset/code',
  'POST /oauth/invitation',
  'POST /account/sign-in',
  'POST /account/sign-in/code',
  'POST /account/sign-up',
  'POST /account/sign-up/code',
  'POST /account/reset',
  'POST /account/reset/code',
  'POST /checkout/:checkout_id',
  'POST /checkout/:checkout_id/codes',
]

// What modules send with the token of a page, and a form that is there only while somebody is seen as somebody else.
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'POST /staff/uploads': 'tests/staff-uploads.test.ts',
  'POST /staff/uploads/:upload': 'tests/staff-uploads.test.ts',
  'POST /staff/uploads/:upload/content': 'tests/staff-uploads.test.ts',
  'POST /staff/texts/preview': 'tests/staff-texts.test.ts',
  'POST /staff/texts/pictures': 'tests/staff-texts.test.ts',
  'POST /staff/viewing': 'tests/member-view.test.ts',
}

const looked = new Set<string>()

/** The page that is shown for another person's form: who is signed in, and a link to continue. */
const assertExplained = (reply: TestReply, name: PersonName, form: PageForm, way: RegExp): void => {
  const path = form.action
  assert.ok([400, 403, 409].includes(reply.status), `${path}: ${reply.status} ${reply.text}`)
  assert.ok(reply.text.includes(people[name].email), `${path} does not say who is signed in: ${reply.text}`)
  assert.match(reply.text, way, path)
}

/** Signs another person in in another tab of the same browser, so that it sends another session. */
const becomes = async (browser: Browser, name: PersonName): Promise<Browser> => {
  const other = await enterAccount(visitor(name))
  for (const [cookie, value] of other.cookies) if (cookie.includes('session')) browser.cookies.set(cookie, value)
  return browser
}

const isAt = (route: string, path: string): boolean =>
  new RegExp(`^${route.replace(/^POST /, '').replace(/:\w+/g, '[^/]+')}$`).test(path)

const note = (path: string): void => {
  for (const { route } of endpoints) if (route.startsWith('POST ') && isAt(route, path)) looked.add(route)
}

// Fields that would do something, if the form were taken.
const TYPED: readonly (readonly [string, string])[] = [
  ['email', 'new@crumb.example'],
  ['name', 'Somebody Else'],
  ['current', PASSWORD],
  ['password', PASSWORD],
  ['decision', 'approve'],
  ['invites', 'yes'],
]

const filled = ({ fields }: PageForm): (readonly [string, string])[] => {
  const values = new Map(fields)
  return [...fields, ...TYPED.filter(([name]) => !values.has(name))]
}

/** Shows a page to one person and posts each of its forms when the other is signed in; nothing happens. */
const walk = async (path: string, shownTo: PersonName, postedBy: PersonName, browser?: Browser): Promise<void> => {
  const own = browser ?? (await enterAccount(visitor(shownTo)))
  const page = await own.open(path)
  // A search changes nothing and has no token.
  const forms = listForms(page).filter(({ fields }) => fields.some(([name]) => name === 'token'))
  assert.ok(forms.length > 0, `${path}: ${page.text}`)
  await becomes(own, postedBy)
  for (const form of forms) {
    const buttons = form.action === '/account/apps' ? [['app', 'all'] as const] : []
    await touched.take()
    const reply = await post(app.port, own, form.action, [...filled(form), ...buttons])
    const path = form.action.replaceAll('&', '&amp;').replace('?', '\\?')
    // The checkout comes back with what was typed.
    const way = path.startsWith('/checkout') ? `action="${path}"` : `<a href="${path}">`
    assertExplained(reply, postedBy, form, new RegExp(way))
    assert.deepEqual([...(await touched.take())], [], form.action)
    note(form.action.replace(/\?.*/, ''))
  }
}

suite('an account or staff form is accepted only from the person it was shown to', () => {
  for (const [name, visit] of Object.entries({ ...formPages, ...staffFormPages }))
    test(name, () => visit({ app, walk }))
})

const readGrants = (clientId: string) =>
  app.database.query<{ name: string }>(
    `select m.name from grants g join members m on m.school_id = g.school_id and m.id = g.member_id
     where g.client_id = $1 order by g.created_at`,
    [clientId],
  )

const begin = async (prompt?: string, clientName = 'Loaf Tracker') => {
  const { json: client } = await register(app.port, app.a, { client_name: clientName })
  const parameters = {
    client_id: String(client.client_id),
    redirect_uri: CALLBACK,
    scope: 'openid account:read school:read',
    code_challenge: pkce().challenge,
    prompt,
  }
  return { clientId: String(client.client_id), parameters }
}

suite('a consent form is accepted only from the person and the sign-in it was shown to', () => {
  const otherTab = async (browser: Browser, name: PersonName): Promise<void> => {
    const { parameters } = await begin('login', 'Another app')
    await signInOn(browser, await browser.open(authorizePath(parameters)), personAt(name))
  }
  const table: readonly (readonly [says: string, (browser: Browser) => Promise<unknown>])[] = [
    ['in another tab of the same browser', browser => otherTab(browser, 'dev')],
    ['at the account', browser => becomes(browser, 'dev')],
  ]
  for (const [says, change] of table) {
    for (const decision of ['approve', 'approve_read', 'deny']) {
      test(`${decision}, after another person signed in ${says}`, async () => {
        const browser = openBrowser(app.port, app.a)
        const { clientId, parameters } = await begin(undefined, `App ${says} ${decision}`)
        const shown = parseForm(await openConsent(browser, personAt('ada'), parameters))
        await change(browser)
        await touched.take()
        const stale = await browser.submit(shown, [['decision', decision]])
        assertExplained(stale, 'dev', shown, /name="decision" value="approve"/)
        assert.equal(stale.status, 409)
        assert.match(stale.text, /role="alert"/)
        assert.deepEqual(await readGrants(clientId), [])
        assert.deepEqual([...(await touched.take())], [])
        const code = readCallback(await browser.submit(parseForm(stale), [['decision', 'approve']])).searchParams.get(
          'code',
        )
        assert.ok(code?.startsWith('stoa_ac_'))
        assert.deepEqual(await readGrants(clientId), [{ name: people.dev.name }])
      })
    }
  }
  note('/oauth/authorize/consent')

  test('a form without its token is shown again', async () => {
    const browser = openBrowser(app.port, app.a)
    const { clientId, parameters } = await begin(undefined, 'App without a token')
    const shown = parseForm(await openConsent(browser, personAt('ada'), parameters))
    const fields = shown.fields.filter(([name]) => name !== 'token')
    assert.equal((await browser.submit({ ...shown, fields }, [['decision', 'approve']])).status, 409)
    assert.deepEqual(await readGrants(clientId), [])
  })

  test('a person who signed out meanwhile has to sign in, and decides then', async () => {
    const browser = openBrowser(app.port, app.a)
    const { clientId, parameters } = await begin(undefined, 'App of somebody who left')
    const shown = parseForm(await openConsent(browser, personAt('ada'), parameters))
    await app.database.query('update sessions set ended_at = stoa.now() where ended_at is null')
    const signIn = await browser.submit(shown, [['decision', 'approve']])
    assert.match(signIn.text, /name="password"/)
    assert.deepEqual(await readGrants(clientId), [])
    const again = await signInOn(browser, signIn, personAt('ada'))
    assert.equal(
      readCallback(await browser.submit(parseForm(again), [['decision', 'approve']])).searchParams.has('code'),
      true,
    )
  })
})

suite('exactly the scopes that were shown are granted', () => {
  const changes: readonly (readonly [says: string, statement: string, shows: RegExp])[] = [
    ['the name of the app', "update clients set name = 'Your bank' where id = $1", /Your bank/],
    [
      'that the school vouches for it',
      'update clients set arranged_at = stoa.now() where id = $1',
      /verified by the school/,
    ],
    [
      'what the app may ask for',
      "update clients set scope_ceiling = '{openid,school:read}' where id = $1",
      /school:read/,
    ],
    [
      'the role of the person',
      `update members set role = 'admin' where email = '${people.dev.email}' and $1 <> ''`,
      /name="scope" value="school:write"/,
    ],
  ]
  for (const [says, statement, shows] of changes) {
    test(`the form is shown again when something else changed: ${says}`, async () => {
      const browser = openBrowser(app.port, app.a)
      const { clientId, parameters } = await begin(undefined, `App whose page changes: ${says}`)
      const scope = `${parameters.scope} school:write`
      const shown = parseForm(await openConsent(browser, personAt('dev'), { ...parameters, scope }))
      await app.database.query(statement, [clientId])
      const stale = await browser.submit(shown, [['decision', 'approve']])
      assert.equal(stale.status, 409, stale.text)
      assert.match(stale.text, shows)
      assert.deepEqual(await readGrants(clientId), [])
      const reply = await browser.submit(parseForm(stale), [['decision', 'approve']])
      assert.equal(readCallback(reply).searchParams.has('code'), true)
    })
  }
})

suite('a form that proves an address is accepted only from the person it was shown to', () => {
  const beginVerification = async () => {
    const browser = openBrowser(app.port, app.a)
    const { parameters } = await begin(undefined, 'App that wants an address')
    const consent = await openConsent(browser, personAt('eli'), parameters)
    const href = /href="([^"]+\/verify\?[^"]+)"/.exec(consent.text)?.[1] ?? ''
    return { browser, page: await browser.open(href) }
  }

  test('/oauth/authorize/verify', async () => {
    const { browser, page } = await beginVerification()
    await becomes(browser, 'dev')
    await touched.take()
    assertExplained(
      await browser.submit(parseForm(page), []),
      'dev',
      parseForm(page),
      /action="\/oauth\/authorize\/verify"/,
    )
    assert.deepEqual([...(await touched.take())], [])
    note('/oauth/authorize/verify')
  })

  test('/oauth/authorize/verify/code, and the address of the other person is not shown', async () => {
    const { browser, page } = await beginVerification()
    const code = await browser.submit(parseForm(page), [])
    assert.match(code.text, /name="code"/)
    await becomes(browser, 'dev')
    await touched.take()
    const reply = await browser.submit(parseForm(code), [['code', '123456']])
    assertExplained(reply, 'dev', parseForm(code), /action="\/oauth\/authorize\/verify"/)
    assert.ok(!reply.text.includes(people.eli.email))
    const handle = new Map(parseForm(code).fields).get('request') ?? ''
    const shown = await browser.open(`/oauth/authorize/verify/code?request=${handle}`)
    assert.ok(!shown.text.includes(people.eli.email) && shown.text.includes(people.dev.email), shown.text)
    assert.deepEqual([...(await touched.take())], [])
    note('/oauth/authorize/verify/code')
  })
})

test('a checkout that was shown to nobody in particular is not posted for somebody who signed in meanwhile', async () => {
  const { priceId } = await sell(await app.actor('ada', { scopes: ['courses:read', 'courses:write'] }), 'Of nobody')
  const { browser, page } = await look(app, [priceId])
  const before = buyerForm(page)
  await becomes(browser, 'dev')
  await touched.take()
  const reply = await post(app.port, browser, before.action, filled(before))
  assertExplained(reply, 'dev', before, /action="\/checkout\?price=prc_\w+"/)
  assert.deepEqual([...(await touched.take())], [])
})

test('a checkout that is sent after a sign-in or sign-out comes back with what was typed, and is ordered then', async () => {
  const { priceId } = await sell(await app.actor('ada', { scopes: ['courses:read', 'courses:write'] }), 'In two tabs')
  const typed = [['code', 'RYE-TOMORROW']] as const
  const isShown = ({ text }: TestReply) => text.includes('value="RYE-TOMORROW"')
  const stranger = await look(app, [priceId])
  await becomes(stranger.browser, 'dev')
  const signedIn = await stranger.browser.submit(buyerForm(stranger.page), typed)
  assert.deepEqual([signedIn.status, isShown(signedIn)], [403, true])
  const member = await look(app, [priceId], await enterAccount(visitor('femi')))
  const { cookies } = member.browser
  for (const name of [...cookies.keys()]) if (name.includes('session')) cookies.delete(name)
  const signedOut = await member.browser.submit(buyerForm(member.page), typed)
  assert.deepEqual([signedOut.status, isShown(signedOut)], [403, true])
  assert.match(signedOut.text, /name="email"/)
  await touched.take()
  assert.equal((await postOnce(app, stranger.browser, buyerForm(signedIn), { code: '' })).status, 303)
  assert.ok([...(await touched.take())].includes('orders'))
})

test('a code of a checkout is accepted only from the browser that began it, whoever signs in there', async () => {
  const { priceId } = await sell(
    await app.actor('ada', { scopes: ['courses:read', 'courses:write'] }),
    'Of one browser',
  )
  const { browser, page } = await look(app, [priceId])
  const prove = await identify(browser, page, { email: 'hal@crumb.example' })
  const [code, again] = [codeForm(prove), formTo(prove, `${codeForm(prove).action}/codes`)]
  const strangers = [
    openBrowser(app.port, app.a),
    (await look(app, [priceId])).browser,
    await enterAccount(visitor('dev')),
  ]
  await touched.take()
  for (const stranger of strangers)
    for (const one of [code, again])
      assert.equal((await post(app.port, stranger, one.action, [...one.fields, ['code', '123456']])).status, 403)
  assert.deepEqual([...(await touched.take())], [])
})

test('a form without a person is accepted only from the browser it was shown to', async () => {
  const other = openBrowser(app.port, app.a)
  await other.open('/account/sign-in')
  const browser = openBrowser(app.port, app.a)
  const reset = parseForm(await browser.open('/account/reset'))
  const signIn = parseForm(await browser.open('/account/sign-in'))
  for (const form of [reset, signIn])
    assert.equal(
      (await post(app.port, other, form.action, [...form.fields, ...Object.entries(personAt('dev'))])).status,
      403,
    )
  const { parameters } = await begin(undefined, 'App in another browser')
  const page = parseForm(await browser.open(authorizePath(parameters)))
  for (const action of ['sign-in', 'sign-up', 'reset'].map(name => `/oauth/authorize/${name}`)) {
    const typed = [...page.fields, ...Object.entries({ ...personAt('dev'), name: 'Dev' })]
    assert.equal((await post(app.port, other, action, typed)).status, 400, action)
  }
})

test('every declared form is tested here, or needs no person', () => {
  const forms = endpoints.map(({ route }) => route).filter(route => /^POST (?!\/(?:api|webhooks)\/)/.test(route))
  assert.deepEqual(
    forms.filter(route => !looked.has(route) && !NAMES_NOBODY.includes(route) && TESTED_ELSEWHERE[route] === undefined),
    [],
  )
})
