import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { cutSessionPath, pagePaths } from '#src/contract/session-path.ts'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo, listForms, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, startApp } from '#testing/app.ts'
import { type Browser, openBrowser, type PageForm, parseForm } from '#testing/browser.ts'
import { type Touched, watchTouched } from '#testing/changed-rows.ts'
import { buyerForm, codeForm, identify, look } from '#testing/checkout.ts'
import type { TestReply } from '#testing/http.ts'
import { integrationsHere } from '#testing/integrations.ts'
import { enrollIn, LEARNING, TEACHING, teach } from '#testing/learning.ts'
import { endpoints } from '#testing/matrix.ts'
import { authorizePath, CALLBACK, openConsent, pkce, readCallback, register, signInOn } from '#testing/oauth.ts'
import { checkout, sell } from '#testing/orders.ts'
import { connect } from '#testing/tokens.ts'

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
const visitor = (name: PersonName) => ({ port: app.port, school: app.a, ...personAt(name) })

// These forms prove the person's identity by a password or a code, or need none: each belongs to a browser, except the link
// of a mail that turns mails off, and the page of test payments, which needs no session.
const NAMES_NOBODY = [
  'POST /unsubscribe/:token',
  'POST /test-payments/:ref',
  'POST /oauth/authorize',
  'POST /oauth/authorize/sign-in',
  'POST /oauth/authorize/sign-up',
  'POST /oauth/authorize/sign-up/code',
  'POST /oauth/authorize/reset',
  'POST /oauth/authorize/reset/code',
  'POST /oauth/invitation',
  'POST /account/sign-up',
  'POST /account/sign-up/code',
  'POST /account/reset',
  'POST /account/reset/code',
  'POST /checkout/:checkout_id',
  'POST /checkout/:checkout_id/codes',
]

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
    const way = form.action === '/account/sign-out' ? '/account' : form.action.replaceAll('&', '&amp;')
    assertExplained(reply, postedBy, form, new RegExp(`<a href="${way.replace('?', '\\?')}">`))
    assert.deepEqual([...(await touched.take())], [], form.action)
    note(form.action.replace(/\?.*/, ''))
  }
}

suite('an account or staff form is accepted only from the person it was shown to', () => {
  for (const path of [
    '/account',
    '/account/profile',
    '/account/emails',
    '/account/email',
    '/account/password',
    '/account/deletion',
    '/account/sign-in?again=1',
    '/account/enroll?course=first-loaf',
    '/account/downloads',
    '/account/calendar',
  ])
    test(path, () => walk(path, 'ada', 'dev'))

  test('/account/comments and the other pages of comments', async () => {
    const dev = await app.actor('dev', { scopes: ['account:read', 'comments:read', 'courses:read'] })
    const own = (await dev.get('/account/comments')).json.data.find(
      (one: { reply_count: number }) => one.reply_count > 0,
    )
    const [other] = (await dev.get(`/comments?subject=${own.subject.id}&parent_id=${own.id}`)).json.data
    await walk('/account/comments', 'dev', 'eli')
    await walk(`/account/comments/new?subject=${own.subject.id}`, 'dev', 'eli')
    await walk(`/account/comments/new?subject=${own.subject.id}&parent=${own.id}`, 'dev', 'eli')
    await walk(`/account/comments/${other.id}/report`, 'dev', 'eli')
    await walk('/staff/comments', 'ada', 'ben')
  })

  test('the pages of registrations and of the entrance', async () => {
    const ada = await app.actor('ada', { scopes: ['events:read', 'account:read'] })
    const event = (await ada.get('/events/slug:open-kitchen')).json
    const [date] = (await ada.get(`/events/${event.id}/occurrences`)).json.data
    const tickets = (await ada.get(`/events/${event.id}/ticket-types`)).json.data
    const guest = tickets.find(({ name }: { name: string }) => name === 'Guest')
    await walk('/account/registrations', 'ada', 'dev')
    await walk(`/account/registrations/new?price=${guest.price_id}&occurrence=${date.id}`, 'ada', 'dev')
    await walk(`/staff/events/${event.id}/registrations`, 'ada', 'ben')
    await walk(`/staff/events/${event.id}/check-in?occurrence=${date.id}`, 'ada', 'ben')
  })

  test('/account/apps', async () => {
    await connect(app, 'eli')
    await connect(app, 'eli', { metadata: { client_name: 'Crumb Counter' } })
    await walk('/account/apps', 'eli', 'dev')
  })

  test('/account/sessions', async () => {
    await enterAccount(visitor('eli'))
    await walk('/account/sessions', 'eli', 'dev')
  })

  test('/account/email/code', async () => {
    const browser = await enterAccount(visitor('femi'))
    await browser.submit(parseForm(await browser.open('/account/email')), [['email', 'femi.new@crumb.example']])
    await walk('/account/email/code', 'femi', 'dev', browser)
  })

  test('/account/confirmations/:id', async () => {
    const actor = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
    const [session] = (await actor.get('/account/sessions')).json.data
    const { json } = await actor.write('DELETE', `/account/sessions/${session.id}`)
    await walk(new URL(json.confirmation.url).pathname, 'femi', 'dev')
  })

  test('/account/orders/:number and its pages', async () => {
    const { priceId } = await sell(await app.actor('ada', { scopes: ['courses:read', 'courses:write'] }), 'For forms')
    const buyer = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
    const { json: order } = await checkout(buyer, [priceId])
    for (const page of ['', '/pay', '/billing']) await walk(`/account/orders/${order.number}${page}`, 'femi', 'dev')
  })

  test('/staff/people/new', () => walk('/staff/people/new', 'ada', 'ben'))

  test('/staff/payments', () => walk('/staff/payments', 'ada', 'ben'))

  test('/staff/appearance', () => walk('/staff/appearance', 'ada', 'ben'))

  test('/staff/invitations, /staff/settings and /staff/settings/:part', async () => {
    for (const page of ['invitations', 'settings', 'settings/seller']) await walk(`/staff/${page}`, 'ada', 'ben')
  })

  test('/staff, with the guide for the first run', async () => {
    await app.database.query('delete from guide_steps where school_id = $1', [app.a.id])
    await walk('/staff', 'ada', 'ben')
  })

  test('/staff/integrations/new and /staff/integrations/app', async () => {
    await walk('/staff/integrations/new', 'ada', 'ben')
    const { out } = await integrationsHere(app, [
      ...['create', '--confidential', '--name', 'Till', '--redirect-uri', 'https://till.example/callback'],
    ])
    await walk(`/staff/integrations/app?client_id=${JSON.parse(out).client_id}`, 'ada', 'ben')
  })

  test('/staff/orders/:number and the other pages of orders', async () => {
    const ada = await app.actor('ada', { scopes: ['courses:read', 'members:read'] })
    const [course] = (await ada.get('/courses?q=sourdough&status=published')).json.data
    const [member] = (await ada.get('/members?q=femi')).json.data
    const record = `/record?member=${member.id}&price=${course.primary_price.id}`
    for (const page of ['/ORD-3', '/ORD-3/refund', record]) await walk(`/staff/orders${page}`, 'ada', 'ben')
  })

  test('/staff/coupons/:id and the other pages of coupons', async () => {
    const { json } = await (await app.actor('ada', { scopes: ['coupons:read'] })).get('/coupons')
    for (const page of ['new', json.data[0].id, `${json.data[0].id}/edit`])
      await walk(`/staff/coupons/${page}`, 'ada', 'ben')
  })

  test('/staff/courses/:course and the other pages of courses', async () => {
    const ada = await app.actor('ada', { scopes: ['courses:write', 'curriculum:write'] })
    const { json: course } = await ada.write('POST', '/courses', { name: 'Of forms' })
    const { json: section } = await ada.write('POST', `/courses/${course.id}/sections`, { name: 'Start' })
    const add = async (type: string): Promise<string> =>
      (await ada.write('POST', `/sections/${section.id}/lessons`, { name: type, type })).json.id
    const [quiz, work] = [await add('quiz'), await add('assignment')]
    const questions = [{ kind: 'text', prompt: 'Why?', accepted_answers: ['yes'] }]
    const { json } = await ada.write('PUT', `/lessons/${quiz}/quiz`, { questions })
    const path = `/staff/courses/${course.id}`
    const parts = ['', '/details', '/prices', '/publication', `/lessons/${quiz}`, `/lessons/${work}/assignment`]
    const ofQuiz = ['', '/questions/new', `/questions/${json.questions[0].id}`].map(
      page => `/lessons/${quiz}/quiz${page}`,
    )
    await walk('/staff/courses/new', 'ada', 'ben')
    for (const page of [...parts, ...ofQuiz]) await walk(`${path}${page}`, 'ada', 'ben')
  })

  test('/staff/grading, /staff/students and the other pages of those who teach', async () => {
    const ada = await app.actor('ada', { scopes: ['students:read', 'members:read', 'members:write', 'lecturers:read'] })
    const first = async (path: string): Promise<string> => (await ada.get(path)).json.data[0].id
    await walk(`/staff/grading/works/${await first('/submissions?graded=false')}`, 'ada', 'ben')
    await walk(`/staff/grading/attempts/${await first('/quiz-attempts?graded=false')}`, 'ada', 'ben')
    await walk(`/staff/students/${await first('/enrollments')}`, 'ada', 'ben')
    for (const page of ['students/new', 'reviews', 'categories', 'groups', 'certificates/new', 'lecturers/new'])
      await walk(`/staff/${page}`, 'ada', 'ben')
    const carla = await app.actor('carla', { scopes: ['courses:read', 'students:write'] })
    const [own] = (await carla.get('/courses?managed=true')).json.data
    const stranger = { email: 'stranger@crumb.example', name: 'Stranger', course_ids: [own.id] }
    const enrolled = await carla.write('POST', '/students', stranger)
    assert.ok(enrolled.status < 300, enrolled.text)
    // The form takes an enrollment by address back.
    await walk('/staff/students', 'carla', 'ada')
    await walk(`/staff/lecturers/${(await ada.get('/lecturers')).json.data[0].id}`, 'ada', 'ben')
    const author = await app.actor('ada', { scopes: ['courses:write'] })
    const { json: template } = await author.write('POST', '/certificate-templates', { name: 'Of forms' })
    await walk(`/staff/certificates/${template.id}`, 'ada', 'ben')
    await walk(`/staff/groups/${await first('/groups')}`, 'ada', 'ben')
  })

  test('/staff/products/:id and the other pages of products', async () => {
    const ada = await app.actor('ada', { scopes: ['digital_products:read', 'courses:read'] })
    const [category] = (await ada.get('/categories')).json.data
    await walk(`/staff/categories/${category.id}`, 'ada', 'ben')
    const [product] = (await ada.get('/digital-products')).json.data
    const [file] = (await ada.get(`/digital-products/${product.id}/files`)).json.data
    for (const page of [
      'new',
      product.id,
      `${product.id}/edit`,
      `${product.id}/people`,
      `${product.id}/files/${file.id}`,
    ])
      await walk(`/staff/products/${page}`, 'ada', 'ben')
  })

  test('/staff/plans/:id and the other pages of plans', async () => {
    const ada = await app.actor('ada', { scopes: ['membership_plans:read', 'membership_plans:write'] })
    const { json: plan } = await ada.get('/membership-plans/slug:bakers-club')
    const [item] = plan.items
    const { id: draft } = (await ada.get('/membership-plans/slug:summer-school')).json
    const pages = ['new', plan.id, `${plan.id}/edit`, draft, `${plan.id}/items/${item.type}/${item.id}`]
    for (const page of pages) await walk(`/staff/plans/${page}`, 'ada', 'ben')
    await walk('/staff/plans', 'ada', 'ben')
    await walk(`/staff/plans/${plan.id}/prices/${plan.prices[0].id}/moves`, 'ada', 'ben')
    await walk(`/staff/plans/${draft}/items/${item.type}/${item.id}/addition`, 'ada', 'ben')
  })

  test('/staff/subscriptions/:subscription, /account/subscriptions/:subscription and their other pages', async () => {
    const ada = await app.actor('ada', { scopes: ['subscriptions:read', 'account:read', 'membership_plans:read'] })
    const [one] = (await ada.get('/subscriptions?status[in]=past_due')).json.data
    await walk(`/staff/subscriptions/new?member=${one.member.id}`, 'ada', 'ben')
    await walk(`/staff/subscriptions/${one.id}`, 'ada', 'ben')
    const own = (await ada.get('/account/subscriptions')).json.data
    const { prices } = (await ada.get('/membership-plans/slug:bakers-club')).json
    const { id: yearly } = prices.find(({ interval }: { interval: string }) => interval === 'year')
    for (const { id, number_of_payments: payments, method } of own) {
      await walk(`/account/subscriptions/${id}`, 'ada', 'dev')
      if (method === null) continue
      if (payments === null) await walk(`/account/subscriptions/${id}/plan?price=${yearly}`, 'ada', 'dev')
      await walk(`/account/subscriptions/${id}/payment-methods`, 'ada', 'dev')
    }
  })

  test('/staff/pages/:id and the other pages of the site', async () => {
    const ada = await app.actor('ada', { scopes: ['pages:write'] })
    const create = async (title: string, values: object): Promise<string> => {
      const { status, json, text } = await ada.write('POST', '/pages', { title, ...values })
      assert.equal(status, 201, text)
      return json.id
    }
    const page = await create('Of forms', { path: '/of-forms' })
    assert.equal((await ada.write('PATCH', `/pages/${page}`, { title: 'Of two forms' })).status, 200)
    await walk('/staff/pages', 'ada', 'ben')
    for (const part of ['', '/versions']) await walk(`/staff/pages/${page}${part}`, 'ada', 'ben')
    const landing = await create('Landing', { path: '/landing', kind: 'static' })
    await walk(`/staff/pages/${landing}/bundles`, 'ada', 'ben')
  })

  test('/staff/posts/:post and the other pages of posts', async () => {
    const ada = await app.actor('ada', { scopes: ['posts:read'] })
    const [post] = (await ada.get('/posts')).json.data
    await walk('/staff/posts/new', 'ada', 'ben')
    await walk('/staff/posts/categories', 'ada', 'ben')
    await walk(`/staff/posts/${post.id}`, 'ada', 'ben')
  })

  test('/staff/events/:event and the other pages of events', async () => {
    const ada = await app.actor('ada', { scopes: ['events:read'] })
    const { json: event } = await ada.get('/events/slug:open-kitchen')
    await walk('/staff/events/new', 'ada', 'ben')
    await walk(`/staff/events/${event.id}`, 'ada', 'ben')
    await walk(`/staff/events/${event.id}/questions`, 'ada', 'ben')
    await walk(`/staff/events/${event.id}/dates/${event.next_occurrence.id}`, 'ada', 'ben')
    const [ticket] = (await ada.get(`/events/${event.id}/ticket-types`)).json.data
    await walk(`/staff/events/${event.id}/tickets/${ticket.id}`, 'ada', 'ben')
  })

  test('/forms/:slug, /staff/forms/:id and the other pages of forms', async () => {
    const ada = await app.actor('ada', { scopes: ['forms:read'] })
    const [form] = (await ada.get('/forms')).json.data
    const [submission] = (await ada.get(`/forms/${form.id}/submissions`)).json.data
    await walk('/forms/ask-the-bakery', 'dev', 'eli')
    await walk('/staff/forms', 'ada', 'ben')
    await walk(`/staff/forms/${form.id}`, 'ada', 'ben')
    await walk(`/staff/forms/${form.id}/submissions/${submission.id}`, 'ada', 'ben')
  })

  test('/learn/:course/:lesson', async () => {
    const { id, lessons } = await teach(await app.actor('ada', { scopes: TEACHING }), 'Of learning', [{ name: 'Only' }])
    await enrollIn(app, 'dev', id)
    await walk(`/learn/of-learning/${lessons[0]}`, 'dev', 'femi')
  })

  test('/learn/:course', async () => {
    const ada = await app.actor('ada', { scopes: TEACHING })
    const { id, lessons } = await teach(ada, 'To finish', [{ name: 'One' }, { name: 'Two' }])
    await enrollIn(app, 'dev', id)
    const dev = await app.actor('dev', { scopes: LEARNING })
    assert.equal((await dev.write('PUT', `/account/lessons/${lessons[0]}/completion`)).status, 200)
    assert.equal((await ada.write('PATCH', `/lessons/${lessons[1]}`, { status: 'draft' })).status, 200)
    await walk('/learn/to-finish', 'dev', 'femi')
  })

  test('/checkout', async () => {
    const { priceId } = await sell(await app.actor('ada', { scopes: ['courses:read', 'courses:write'] }), 'Of checkout')
    await walk(`/checkout?price=${priceId}`, 'dev', 'femi')
  })

  test('/staff/people/:id', async () => {
    const ada = await enterAccount(visitor('ada'))
    const people = await ada.open('/staff/people?q=dev')
    const path = /href="(?:\/~[\w-]{22})?(\/staff\/people\/mem_\w+)"/.exec(people.text)?.[1] ?? ''
    await walk(path, 'ada', 'ben', ada)
  })
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
    return { browser, page: await browser.open(cutSessionPath(href)[1]) }
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
  assertExplained(reply, 'dev', before, /<a href="\/checkout\?price=prc_\w+">/)
  assert.deepEqual([...(await touched.take())], [])
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
  for (const page of pagePaths)
    assert.ok(
      forms.some(route => route.startsWith(`POST ${page}`)),
      page,
    )
  assert.deepEqual(
    forms.filter(route => !looked.has(route) && !NAMES_NOBODY.includes(route)),
    [],
  )
})
