import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { mailKindsByName } from '#src/contract/mail.ts'
import { people } from '#src/demo/index.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { createWalk, type Size, type Walker } from '#testing/browser-walk.ts'
import { sizes, startChromium, untilQuiet } from '#testing/chromium.ts'
import { type Mailbox, startMailbox } from '#testing/mail.ts'
import { mailTo } from '#testing/mails.ts'
import { authorizePath, pkce, register } from '#testing/oauth.ts'
import { newestCode } from '#testing/people.ts'
import { runCommand } from '#testing/process.ts'
import { connect } from '#testing/tokens.ts'
import { areas, listMailKinds } from '../../src/areas.ts'

let mailbox: Mailbox
let chromium: Browser
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(async () => {
  await chromium.close()
  await mailbox.stop()
})

const SITE = [
  '/',
  '/courses',
  '/courses/sourdough-from-scratch',
  '/lecturers',
  '/lecturers/carla-nunes',
  '/search',
  '/search?q=sourdough',
  '/developers',
]

// A refused form is a 400 by design, and Chromium says so in its console.
const REFUSED = /status of 400/
const DONE =
  '<!doctype html><html lang="en"><title>Done</title><link rel="icon" href="data:,"><p>You can close this window.'
const NEW = 'levain at four in the morning'

type Callback = { readonly port: number; readonly called: Promise<URLSearchParams>; close(): void }

/** A client's callback on a loopback port; resolves with the query it is called with, and may send the browser on. */
const listen = async (host: string, onward?: string): Promise<Callback> => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  const called = new Promise<URLSearchParams>(resolve => {
    server.on('request', (request, reply) => {
      const isCallback = request.url?.startsWith('/callback?') === true
      if (isCallback) resolve(new URL(request.url ?? '', 'http://client.invalid').searchParams)
      if (isCallback && onward !== undefined) reply.writeHead(302, { location: onward }).end()
      else reply.setHeader('content-type', 'text/html').end(DONE)
    })
  })
  return { port: (server.address() as { port: number }).port, called, close: () => server.close() }
}

const beginAt = async (walker: Walker, redirectUri: string): Promise<void> => {
  const { json: client } = await register(app.port, app.a, { redirect_uris: [redirectUri] })
  const path = authorizePath({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: 'openid profile school:read school:write account:read orders:read members:read',
    state: 'kneaded',
    code_challenge: pkce().challenge,
  })
  await walker.goto(path)
}

const signIn = (walker: Walker, name: PersonName): Promise<void> =>
  walker.fill({ email: people[name].email, password: PASSWORD })

const approve = async ({ page, complaints }: Walker, callback: Callback): Promise<void> => {
  await page.waitForSelector('input[name=scope]')
  assert.deepEqual(complaints.splice(0), [])
  await Promise.all([callback.called, page.click('button[value=approve]')])
  const query = await callback.called
  assert.equal(query.get('state'), 'kneaded')
  assert.equal(query.get('iss'), app.a.baseUrl)
  assert.ok(query.get('code')?.startsWith('stoa_ac_'))
  // What the browser was sent to is the client's.
  assert.deepEqual(
    complaints.filter(text => !text.startsWith('foreign: http://') || text.includes('stoa.css')),
    [],
  )
}

/** Who is new in a walk: an address for each size. */
const newcomer = (size: Size, person: string): string => `${person}.${size}@crumb.example`

const walkConsent = async (size: Size, host: string): Promise<void> => {
  const callback = await listen(host)
  const walker = await walk.start(size)
  await beginAt(walker, `http://${host.includes(':') ? `[${host}]` : host}:${callback.port}/callback`)
  await walker.look()
  await walker.fill({ email: people.ben.email, password: 'not the password' })
  assert.match((await walker.page.textContent('[role=alert]')) ?? '', /not correct/)
  await walker.look(REFUSED)
  await signIn(walker, 'ben')
  await walker.page.waitForSelector('input[name=scope]')
  assert.match((await walker.page.textContent('main')) ?? '', /not verified/)
  await walker.page.uncheck('input[value="school:write"]')
  await walker.look()
  await approve(walker, callback)
  await walker.close()
  callback.close()
}

const walkSignUp = async (size: Size): Promise<void> => {
  const walker = await walk.start(size)
  const email = newcomer(size, 'gil')
  await beginAt(walker, 'http://127.0.0.1/callback')
  await walker.page.click('a[href*="/sign-up?"]')
  await walker.look()
  await walker.fill({ name: 'Gil Tavares', email, password: NEW })
  await walker.look()
  await walker.fill({ code: await newestCode(mailbox, email) })
  await walker.page.waitForSelector('button[value=approve]')
  await walker.look()
  await walker.close()
}

const walkReset = async (size: Size): Promise<void> => {
  const walker = await walk.start(size)
  const email = newcomer(size, 'gil')
  await beginAt(walker, 'http://127.0.0.1/callback')
  await walker.page.click('a[href*="/reset?"]')
  await walker.look()
  await walker.fill({ email })
  await walker.look()
  await walker.fill({ code: await newestCode(mailbox, email, 2), password: `${NEW} sharp` })
  await walker.page.waitForSelector('button[value=approve]')
  await walker.close()
}

const walkResetAtAccount = async (size: Size): Promise<void> => {
  const walker = await walk.start(size)
  const email = newcomer(size, 'gil')
  await walker.goto('/account/sign-in')
  await walker.page.click('summary')
  await walker.page.click('a[href$="/account/reset"]')
  await walker.look()
  await walker.fill({ email })
  await walker.look()
  await walker.fill({ code: await newestCode(mailbox, email, 3), password: `${NEW} again` })
  await walker.page.waitForSelector('#done')
  await walker.close()
}

const walkVerification = async (size: Size): Promise<void> => {
  const walker = await walk.start(size)
  await beginAt(walker, 'http://127.0.0.1/callback')
  await signIn(walker, 'eli')
  await walker.page.click('a[href*="/verify?"]')
  await walker.look()
  await walker.fill({})
  await walker.page.waitForSelector('input[name=code]')
  await walker.look()
  await walker.close()
}

const walkInvitation = async (size: Size): Promise<void> => {
  const walker = await walk.start(size)
  const email = newcomer(size, 'jo')
  const belonging = { databaseUrl: app.database.appUrl, secret: app.secret }
  await runCommand(belonging, ['members', 'invite', email, '--name', 'Jo', '--school', app.a.baseUrl])
  const [mail] = await mailbox.waitFor(email, 1, /invited/)
  const link = /https?:\S+\/oauth\/invitation\S+/.exec(mail?.email.text ?? '')?.[0] ?? ''
  await walker.goto(link.slice(app.a.baseUrl.length))
  await walker.look()
  await walker.fill({ code: await newestCode(mailbox, email), name: 'Jo Almeida', password: NEW })
  await walker.look()
  assert.match(walker.page.url(), /\/account\/welcome$/)
  await walker.close()
}

/** The people who visit their account pages in a size: a different person for each size, so that both see every page. */
const owner = { desktop: 'dev', phone: 'carla' } as const satisfies Record<Size, PersonName>

const walkAccount = async (size: Size): Promise<void> => {
  const name = owner[size]
  const [walker, elsewhere] = [await walk.start(size), await walk.start(size)]
  await elsewhere.goto('/account')
  await signIn(elsewhere, name)
  await connect(app, name, { metadata: { client_name: 'Crumb Counter' } })
  await connect(app, name, { metadata: { client_name: 'An app with the very longest name one may have, sixty-four' } })
  await walker.goto('/account')
  await walker.look()
  await walker.fill({ email: people[name].email, password: 'not the password' })
  await walker.look(REFUSED)
  await signIn(walker, name)
  assert.match((await walker.page.textContent('main')) ?? '', new RegExp(people[name].name))
  // One of the two walks is in Portuguese.
  await walker.page.click('main a[href$="/account/profile"]')
  await walker.look()
  if (size === 'phone') await walker.page.selectOption('select[name=locale]', 'pt')
  await walker.page.selectOption('select[name=time_zone]', 'Europe/Lisbon')
  await walker.fill({})
  await walker.page.waitForSelector('#done')
  await walker.look()
  assert.equal(await walker.page.getAttribute('html', 'lang'), size === 'phone' ? 'pt' : 'en')
  await walker.page.click('main a[href$="/account/emails"]')
  await walker.look()
  await walker.page.check('input[value=lesson_opened]')
  await walker.fill({})
  await walker.page.waitForSelector('#done')
  await walker.page.click('main a[href$="/account/data"]')
  await walker.look()
  await walker.page.click('main a[href$="/account/deletion"]')
  await walker.look()
  await walker.goto('/account/enroll?course=first-loaf')
  await walker.look()
  await walker.goto('/account/deletion')
  await walker.page.click('main a[href$="/account"]')
  await walker.page.click('main a[href$="/account/apps"]')
  assert.equal(await walker.page.locator('section.card').count(), 2)
  await walker.look()
  await walker.page.locator('section.card button').first().click()
  await walker.page.waitForSelector('#done')
  assert.equal(await walker.page.locator('section.card').count(), 1)
  await walker.look()
  await walker.goto('/account/language')
  await walker.look()
  await walker.goto('/account/sessions')
  // Those of the apps' browsers too.
  assert.equal(await walker.page.locator('section.card').count(), 4)
  await walker.look()
  await walker.page.locator('main > form button').click()
  await walker.page.waitForSelector('#done')
  assert.equal(await walker.page.locator('section.card').count(), 1)
  await elsewhere.page.reload()
  assert.match(elsewhere.page.url(), /\/account\/sign-in\?/)
  await elsewhere.close()
  await walkChanges(walker, size)
  await walkOut(walker, size)
}

const walkChanges = async (walker: Walker, size: Size): Promise<void> => {
  const email = newcomer(size, 'new')
  await walker.goto('/account/courses')
  await walker.look()
  await walker.goto('/account/email')
  await walker.look()
  await walker.fill({ email })
  await walker.look()
  await walker.fill({ code: '000 000' })
  await walker.look(REFUSED)
  await walker.fill({ code: await newestCode(mailbox, email) })
  await walker.page.waitForSelector('#done')
  await walker.goto('/account/password')
  await walker.look()
  await walker.fill({ current: 'not the password', password: NEW })
  await walker.look(REFUSED)
  await walker.page.check('input[name=apps]')
  await walker.fill({ current: PASSWORD, password: NEW })
  await walker.page.waitForSelector('#done')
  await walker.look()
  await walker.goto('/account/apps')
  await walker.look()
  await app.database.query(
    'update sessions set recent_until = stoa.now() where member_id in (select id from members where email = $1)',
    [email],
  )
  await walker.goto('/account/email')
  assert.match(walker.page.url(), /\/account\/confirm\?/)
  await walker.look()
  await walker.fill({ password: PASSWORD })
  await walker.look(REFUSED)
  await walker.fill({ password: NEW })
  assert.match(walker.page.url(), /\/account\/email$/)
}

const walkOwn = async (size: Size): Promise<void> => {
  const walker = await walk.start(size)
  await walker.goto('/account/sign-in?return_to=/account/reviews')
  await signIn(walker, 'eli')
  await walker.look()
  await walker.page.click('main .menu a')
  await walker.look()
  for (const path of ['certificates', 'payment-methods', 'apps/activity', 'data']) {
    await walker.goto(`/account/${path}`)
    await walker.look()
  }
  await walker.close()
}

const walkLearning = async (size: Size): Promise<void> => {
  const walker = await walk.start(size)
  await walker.goto('/account/sign-in?return_to=/learn')
  await signIn(walker, 'ben')
  await walker.look()
  await walker.goto('/learn/sourdough-from-scratch')
  await walker.look()
  await walker.page.locator('.learn-lessons a').first().click()
  await walker.look()
  await walker.close()
}

// An app asks twice to sign Femi out somewhere: once it may, once it may not.
const walkConfirmations = async (size: Size): Promise<void> => {
  const actor = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  const walker = await walk.start(size)
  const [session] = (await actor.get('/account/sessions')).json.data
  for (const [decision, at] of [
    ['reject', '#complaint'],
    ['approve', '#done'],
  ]) {
    const { json } = await actor.write('DELETE', `/account/sessions/${session.id}`)
    await walker.goto(new URL(json.confirmation.url).pathname)
    if (decision === 'reject') await signIn(walker, 'femi')
    await walker.page.waitForSelector('button[value=approve]')
    assert.match((await walker.page.textContent('main')) ?? '', /Loaf Tracker.*not verified.*You are signed out in/s)
    await walker.look()
    await walker.page.click(`button[value=${decision}]`)
    await walker.page.waitForSelector(at ?? '')
    await walker.look()
  }
  await walker.close()
}

/** The person who visits the staff pages in a size; Ada uses Portuguese. */
const keeper = { desktop: 'ben', phone: 'ada' } as const satisfies Record<Size, PersonName>

const walkStaff = async (size: Size): Promise<void> => {
  const name = keeper[size]
  const walker = await walk.start(size)
  const { page } = walker
  await walker.goto('/staff')
  await signIn(walker, name)
  if (size === 'phone') {
    await walker.goto('/account/profile')
    await page.selectOption('select[name=locale]', 'pt')
    await walker.fill({})
    await page.waitForSelector('#done')
  }
  // Ben is an admin, and payments are for owners.
  await walker.goto('/staff/payments')
  await walker.look(name === 'ben' ? /status of 403/ : undefined)
  await walker.goto('/staff/appearance')
  await walker.look()
  await walker.goto('/staff/people/new')
  await walker.look()
  await walker.fill({ name: 'Hana Sato', email: people.eli.email })
  await walker.look(/status of 409/)
  const email = newcomer(size, 'hana')
  await walker.fill({ name: 'Hana <b>Sato</b> of the very long name that somebody may have', email })
  await page.waitForSelector('#done')
  await walker.look()
  await walker.goto(`${new URL(page.url()).pathname}/acts/invite`)
  await page.click('main form button.main')
  await page.waitForSelector('#done')
  await walker.goto('/staff/people?status=invited')
  assert.match((await page.textContent('main')) ?? '', new RegExp(email))
  await walker.look()
  await walker.goto('/staff')
  assert.equal(await page.getAttribute('html', 'lang'), size === 'phone' ? 'pt' : 'en')
  await walker.look()
  const actor = await app.actor(name, { scopes: ['account:read', 'account:write'] })
  const [session] = (await actor.get('/account/sessions')).json.data
  assert.equal((await actor.write('DELETE', `/account/sessions/${session.id}`)).status, 202)
  for (const path of ['/account', '/staff/confirmations']) {
    await walker.goto(path)
    assert.equal(await page.locator('a[href*="/account/confirmations/"]').count(), 1)
    await walker.look()
  }
  const maker = await app.actor(name, { scopes: ['members:read', 'posts:write'] })
  const [field] = (await maker.get('/custom-fields')).json.data
  const { id: post } = (await maker.write('POST', '/posts', { title: 'Deleted', body: 'Gone.' })).json
  assert.equal((await maker.write('DELETE', `/posts/${post}`)).status, 204)
  for (const path of ['/guide', '/fields', `/fields/${field.id}`, '/history', '/bin', `/bin/${post}`]) {
    await walker.goto(`/staff${path}`)
    await walker.look()
  }
  await walker.close()
}

const walkPayments = async (size: Size): Promise<void> => {
  const walker = await walk.start(size)
  await walker.goto('/staff')
  await signIn(walker, 'ada')
  for (const path of ['', '/live', '/manual/removal', '/stripe', '/manual']) {
    await walker.goto(`/staff/payments${path}`)
    await walker.look()
  }
  await walker.fill({ text: 'At the bakery' })
  await walker.page.waitForSelector('#done')
  await walker.look()
  await walker.close()
}

// E-26: what was on the screen is not to be had again by the back button, nor from the disk.
const walkOut = async (walker: Walker, size: Size): Promise<void> => {
  const { page } = walker
  const personal = [people[owner[size]].name, newcomer(size, 'new')]
  await walker.goto('/account/sign-out')
  await walker.look()
  await walker.goto('/account/emails')
  await walker.goto('/account/profile')
  await walker.goto('/account')
  await page.click('form[action$="/account/sign-out"] button')
  await page.waitForURL(/signed-out$/)
  await walker.look()
  for (let steps = 0; steps < 3; steps++) {
    await page.goBack()
    const html = await page.content()
    for (const text of personal) assert.ok(!html.includes(text), `${text} at ${page.url()}`)
    assert.match(page.url(), /\/account\/sign-in\?/)
  }
  await walker.close()
}

for (const size of Object.keys(sizes) as Size[]) {
  for (const host of ['127.0.0.1', '::1'])
    test(`a person signs in and allows an app on ${host}, on a ${size}`, () => walkConsent(size, host))
  test(`a person creates an account and resets the password, on a ${size}`, async () => {
    await walkSignUp(size)
    await walkReset(size)
    await walkResetAtAccount(size)
  })
  test(`a person confirms an address and accepts an invitation, on a ${size}`, async () => {
    await walkVerification(size)
    await walkInvitation(size)
  })
  test(`E-26 a person manages their account, signs out and goes back, on a ${size}`, () => walkAccount(size))
  test(`a person rejects and approves what an app asks for, on a ${size}`, () => walkConfirmations(size))
  test(`a person reviews a course and sees what the account keeps, on a ${size}`, () => walkOwn(size))
  test(`a member of the staff looks at a course as its learners do, on a ${size}`, () => walkLearning(size))
  test(`a staff member manages people, on a ${size}`, () => walkStaff(size))
  test(`an owner sets up how the school is paid, on a ${size}`, () => walkPayments(size))
  test(`the open pages are legible on a ${size}, complain of nothing and load nothing from elsewhere`, async () => {
    const walker = await walk.start(size)
    for (const path of [
      '/account/sign-up',
      ...SITE,
      '/auth.md',
      '/problems/insufficient_scope',
      '/problems/invalid_grant',
    ]) {
      await walker.goto(path)
      await walker.look()
    }
    await walker.goto('/oauth/authorize?client_id=nobody')
    await walker.look(REFUSED)
    await walker.close()
  })
}

// A stranger finds a course, creates an account with the code from the mail, and is back at the course.
const walkSite = async (size: Size): Promise<void> => {
  const walker = await walk.start(size)
  const { page } = walker
  const email = newcomer(size, 'stranger')
  await walker.goto('/')
  await page.click('main a[href="/courses"] >> nth=0')
  await page.click('h2 a[href="/courses/sourdough-from-scratch"]')
  await page.click('.preview-link >> nth=0')
  await page.waitForURL(/\/preview\/les_/)
  await walker.look()
  await page.goBack()
  // The first of its prices is chosen, and one button leads to the checkout.
  await page.click('.offer button.main')
  await page.waitForURL(/\/checkout\?price=prc_/)
  // On a phone the link of the header has no room.
  await walker.goto('/account/sign-up?return_to=/courses/sourdough-from-scratch')
  await walker.fill({ name: 'Stranger', email, password: NEW })
  await page.waitForURL(/\/sign-up\/code\?/)
  await walker.look()
  await walker.fill({ code: await newestCode(mailbox, email) })
  await page.waitForURL(`${app.a.baseUrl}/courses/sourdough-from-scratch`)
  await walker.look()
  await walker.close()
}

for (const size of Object.keys(sizes) as Size[])
  test(`a stranger browses to a course, creates an account and is back at the course, on a ${size}`, () =>
    walkSite(size))

test('the site is legible in both color schemes, at 1280 and at 360 pixels, and on paper', async () => {
  for (const width of [1280, 360])
    for (const colorScheme of ['light', 'dark'] as const) {
      const walker = await walk.start('phone')
      await walker.page.setViewportSize({ width, height: 800 })
      for (const path of SITE) {
        await walker.page.emulateMedia({ colorScheme, media: 'screen' })
        await walker.goto(path)
        await walker.look()
        await walker.page.emulateMedia({ colorScheme, media: 'print' })
        await walker.look()
      }
      await walker.close()
    }
})

test('a client whose callback sends the browser on to another site gets its code', async () => {
  const landing = await listen('127.0.0.1')
  const callback = await listen('127.0.0.1', `http://localhost:${landing.port}/landed`)
  const walker = await walk.start('desktop')
  await beginAt(walker, `http://127.0.0.1:${callback.port}/callback`)
  await signIn(walker, 'ben')
  await approve(walker, callback)
  await walker.page.waitForURL(`http://localhost:${landing.port}/landed`)
  assert.match((await walker.page.textContent('body')) ?? '', /close this window/)
  await walker.close()
  callback.close()
  landing.close()
})

test('the API reference shows every operation, complains of nothing and sends no request elsewhere', {
  timeout: 900_000,
}, async () => {
  for (const size of Object.keys(sizes) as Size[]) {
    const walker = await walk.start(size)
    await walker.goto('/docs')
    const viewer = walker.page.frameLocator('#viewer')
    await viewer.getByText('Update school settings').first().waitFor({ timeout: 300_000 })
    await untilQuiet(walker.page)
    assert.deepEqual(walker.complaints, [])
    walk.note(size, '/docs/viewer')
    walk.note(size, '/docs')
    await walker.goto('/docs/callback')
    await walker.look()
    await walker.close()
  }
})

test('everybody can read a certificate, and the page says when there is none', async () => {
  for (const size of Object.keys(sizes) as Size[]) {
    const walker = await walk.start(size)
    await walker.goto('/certificates/BAKED-WARM0-BREAD-DEM00')
    assert.match((await walker.page.textContent('main')) ?? '', /This certificate is valid\..*Ada Moreira/s)
    await walker.look()
    await walker.goto('/certificates/AAAAA-AAAAA-AAAAA-AAAAA')
    await walker.look(/404/)
    await walker.close()
  }
})

test('whoever has the link of a mail turns such mails off with one button, without a sign-in', async () => {
  const kind = mailKindsByName(listMailKinds(areas)).get('lesson_opened')
  assert.ok(kind)
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  for (const [index, size] of (Object.keys(sizes) as Size[]).entries()) {
    const on = await femi.write('PATCH', '/account', { notifications: { lesson_opened: true } })
    assert.equal(on.status, 200, on.text)
    await mailTo(app, 'femi', { kind, values: { course: 'Rye', lessons: 'Mill' } })
    const mail = (await mailbox.waitFor(people.femi.email, index + 1, /^New in/))[index]
    const link = mail?.email.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? ''
    const walker = await walk.start(size)
    await walker.goto(new URL(link.slice(1, -1)).pathname)
    await walker.look()
    assert.equal((await femi.get('/account')).json.notifications.lesson_opened, true)
    await walker.fill({})
    await walker.page.waitForSelector('#done')
    await walker.look()
    assert.equal((await femi.get('/account')).json.notifications.lesson_opened, false)
    await walker.close()
  }
})

test('every page that no other file looks at was looked at, on a desktop and on a phone', async () => {
  assert.deepEqual(await walk.missing('others'), [])
})
