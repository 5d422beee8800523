import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { enterAccount, formatCookie } from '#testing/account-pages.ts'
import type { Actor } from '#testing/actor.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { eventScopes, makeEvent, registered, registrationScopes } from '#testing/events.ts'
import type { TestReply } from '#testing/http.ts'
import { enrollIn, LEARNING, putLessons, readMemberId, TEACHING } from '#testing/learning.ts'
import { planner, sellPlan } from '#testing/memberships.ts'
import { checkout, once, sell } from '#testing/orders.ts'
import { give, seller, sellProduct } from '#testing/products.ts'
import { isOfRequest } from '#testing/statements.ts'
import { monthly, useProviders } from '#testing/subscriptions.ts'

const statements: string[] = []
const app = testApp({ cachesPublicReads: true, onStatement: text => statements.push(text) })

// What is read for one person alone.
const PERSONAL = /\b(?:enrollments|entitlements|orders|subscriptions|registrations|sessions)\b/

const SESSION = /\bfrom sessions\b/

const BUYING = ['account:read', 'account:write', 'courses:read']

const enter = async (name: PersonName): Promise<{ cookie: string }> => ({
  cookie: formatCookie(
    await enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD }),
  ),
})

const open = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<TestReply> =>
  app.send({ path, headers: { accept: 'text/html', 'accept-language': 'en', ...headers } })

const slugOf = async (ada: Actor, path: string): Promise<string> => (await ada.get(path)).json.slug

/** The part of a page that says what its subject costs, or what somebody has of it. */
const readOffer = ({ text }: TestReply): string => /<aside class="offer"[\s\S]*?<\/aside>/.exec(text)?.[0] ?? ''

/** Opens a page as somebody, and says that no cache may keep it. */
const openAs = async (path: string, headers: Readonly<Record<string, string>>): Promise<TestReply> => {
  const page = await open(path, headers)
  assert.equal(page.status, 200, page.text)
  assert.equal(page.headers['cache-control'], 'private, no-store')
  return page
}

test('who learns in a course goes on from its page, and nobody else learns of it', async () => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const { id } = await sell(ada, 'Crumpets', [once()])
  const [first, second] = await putLessons(ada, id, [{ name: 'Batter' }, { name: 'Holes and steam' }])
  const path = `/courses/${await slugOf(ada, `/courses/${id}`)}`
  const [eli, femi] = [await enter('eli'), await enter('femi')]
  const visitor = await open(path)
  assert.match(readOffer(visitor), /\/checkout\?price=/)
  await enrollIn(app, 'eli', id, { endsAt: new Date('2090-05-03T23:00:00Z') })

  const started = readOffer(await openAs(path, eli))
  assert.match(started, /Your course/)
  assert.match(started, /<a class="button main" href="\/learn\/crumpets">Start<\/a>/)
  assert.match(started, /Enrolled until 3 May 2090/)
  assert.doesNotMatch(started, /\/checkout/)

  const learner = await app.actor('eli', { scopes: LEARNING })
  assert.equal((await learner.write('PUT', `/account/lessons/${first}/completion`)).status, 200)
  const page = await openAs(path, eli)
  assert.match(readOffer(page), new RegExp(`href="/learn/crumpets/${second}">Continue · 50 %</a>`))
  assert.match(readOffer(page), /Next: <span dir="auto">Holes and steam/)
  assert.match(page.text, new RegExp(`<li class="is-done"><a class="row-line" href="/learn/crumpets/${first}">`))
  assert.match(page.text, new RegExp(`<a class="row-line" href="/learn/crumpets/${second}" aria-current="step">`))
  assert.match(
    page.text,
    new RegExp(`<nav class="buy-bar"[\\s\\S]*href="/learn/crumpets/${second}">Continue · 50 %</a></nav>`),
  )
  assert.match(page.text, new RegExp(`href="/account/reviews/${id}">Write a review</a>`))

  for (const other of [await openAs(path, femi), await open(path)]) {
    assert.match(readOffer(other), /\/checkout\?price=/)
    assert.doesNotMatch(other.text, /Enrolled until|Continue ·|\/learn\/crumpets|is-done|Write a review/)
  }
  assert.equal((await open(path)).text, visitor.text)
})

test('a course that somebody completed is opened, and one whose access ended is sold again', async () => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const { id } = await sell(ada, 'Bagels', [once()])
  const [lesson] = await putLessons(ada, id, [{ name: 'Boiling' }])
  const eli = await enter('eli')
  await enrollIn(app, 'eli', id, { endsAt: new Date('2090-05-03T23:00:00Z') })
  const learner = await app.actor('eli', { scopes: LEARNING })
  assert.equal((await learner.write('PUT', `/account/lessons/${lesson}/completion`)).status, 200)
  assert.match(readOffer(await openAs('/courses/bagels', eli)), /Completed[\s\S]*href="\/learn\/bagels">Open<\/a>/)
  await app.database.query("update entitlements set ends_at = starts_at + interval '1 second' where item_id = $1", [
    (await app.database.query<{ id: string }>('select id from courses where slug = $1', ['bagels']))[0]?.id,
  ])
  await app.moveClock(5)
  assert.match(readOffer(await openAs('/courses/bagels', eli)), /\/checkout\?price=/)
})

test('an order that waits for payment stands in place of what would be bought twice', async () => {
  await useProviders(app)
  const ada = await app.actor('ada', { scopes: TEACHING })
  const { id, priceId } = await sell(ada, 'Naan', [once()])
  const buyer = await app.actor('femi', { scopes: BUYING })
  const [femi, eli] = [await enter('femi'), await enter('eli')]
  const { json: order, status, text } = await checkout(buyer, [priceId])
  assert.equal(status, 201, text)
  const path = `/courses/${await slugOf(ada, `/courses/${id}`)}`
  const offer = readOffer(await openAs(path, femi))
  assert.match(offer, /Waiting for your payment/)
  assert.ok(offer.includes(`href="/account/orders/${order.number}"`))
  assert.doesNotMatch(offer, /\/checkout/)
  for (const other of [await openAs(path, eli), await open(path)]) {
    assert.match(readOffer(other), /\/checkout\?price=/)
    assert.ok(!other.text.includes(order.number))
  }
  // Canceled, it can be bought again.
  assert.ok((await buyer.write('DELETE', `/account/orders/${order.id}`)).status < 300)
  assert.match(readOffer(await openAs(path, femi)), /\/checkout\?price=/)
})

test('a product that somebody has is downloaded, and a plan that somebody has is managed', async () => {
  await useProviders(app)
  const shop = await seller(app)
  const product = await sellProduct(shop, { name: 'Book of rolls' })
  await give(app, shop, product, 'eli')
  const [eli, femi] = [await enter('eli'), await enter('femi')]
  const owned = readOffer(await openAs('/products/book-of-rolls', eli))
  assert.match(owned, /Yours[\s\S]*href="\/account\/downloads">Download<\/a>/)
  assert.doesNotMatch(owned, /\/checkout/)
  assert.match(readOffer(await openAs('/products/book-of-rolls', femi)), /\/checkout\?price=/)

  const ada = await planner(app, ['subscriptions:read', 'subscriptions:write'])
  const plan = await sellPlan(ada, { name: 'Rolls club', plan_type: 'recurring' }, [monthly(900)])
  const member_id = toId('mem', await readMemberId(app, 'eli'))
  const body = { member_id, price_id: plan.priceId, collection: 'complimentary' }
  const made = await ada.write('POST', '/subscriptions', body, { 'idempotency-key': randomUUID() })
  assert.equal(made.status, 201, made.text)
  const held = readOffer(await openAs(`/plans/${plan.slug}`, eli))
  assert.match(held, /Your membership[\s\S]*href="\/account\/subscriptions\/sub_\w+">Manage your membership<\/a>/)
  assert.doesNotMatch(held, /\/checkout/)
  assert.match(readOffer(await openAs(`/plans/${plan.slug}`, femi)), /\/checkout\?price=/)
})

test('a date for which somebody has a seat shows the ticket, and offers one more', async () => {
  const staff = await app.actor('ada', { scopes: eventScopes })
  const event = await makeEvent(app, staff, { name: 'Evening of ovens' })
  const [eli, femi] = [await enter('eli'), await enter('femi')]
  const guest = await app.actor('eli', { scopes: registrationScopes })
  const { data } = await registered(guest, event.priceId, { occurrence_id: event.occurrenceId })
  const offer = readOffer(await openAs('/events/evening-of-ovens', eli))
  assert.match(offer, new RegExp(`href="/account/registrations/${data[0].id}"[^>]*>Your ticket</a>`))
  assert.match(offer, />One more seat<\/a>/)
  assert.doesNotMatch(offer, />Register<\/a>/)
  for (const other of [await openAs('/events/evening-of-ovens', femi), await open('/events/evening-of-ovens')]) {
    assert.match(readOffer(other), />Register<\/a>/)
    assert.doesNotMatch(other.text, /Your ticket/)
  }
})

test('a post for members is read on its own page by whoever may, and stays locked for visitors', async () => {
  const ada = await app.actor('ada', { scopes: ['posts:read', 'posts:write'] })
  const body = 'The beginning.\n\n<!--more-->\n\nThe hidden rest.'
  const { json } = await ada.write('POST', '/posts', { title: 'Crust', body, access: 'members' })
  assert.ok((await ada.write('PUT', `/posts/${json.id}/publication`)).status < 300)
  const path = `/blog/${json.slug}`
  const before = await open(path)
  assert.doesNotMatch(before.text, /The hidden rest/)
  const page = await openAs(path, await enter('femi'))
  assert.match(page.text, /The hidden rest/)
  assert.doesNotMatch(page.text, /Create an account/)
  const after = await open(path)
  assert.equal(after.text, before.text)
  assert.doesNotMatch(after.text, /The hidden rest/)
})

test('the home page begins with what somebody was doing, and its cards say how far they have come', async () => {
  const ada = await app.actor('ada', { scopes: TEACHING })
  const { id } = await sell(ada, 'Pretzels', [once()])
  const [first, second] = await putLessons(ada, id, [{ name: 'Lye' }, { name: 'Knots' }])
  const [dev, femi] = [await enter('dev'), await enter('femi')]
  await enrollIn(app, 'dev', id)
  const learner = await app.actor('dev', { scopes: LEARNING })
  assert.equal((await learner.write('PUT', `/account/lessons/${first}/completion`)).status, 200)
  const page = await openAs('/', dev)
  const resumed = /<section class="resume"[\s\S]*?<\/section>/.exec(page.text)?.[0] ?? ''
  assert.match(resumed, /Welcome back, Dev Patel/)
  assert.match(resumed, /Pretzels<\/strong> · Next: <span dir="auto">Knots/)
  assert.match(resumed, new RegExp(`href="/learn/pretzels/${second}">Continue</a>`))
  assert.ok(page.text.indexOf('class="resume"') < page.text.indexOf('<h1'))
  const card = /<li class="card">(?:(?!<\/li>)[\s\S])*\/courses\/pretzels[\s\S]*?<\/li>/.exec(
    (await openAs('/courses', dev)).text,
  )?.[0]
  assert.match(card ?? '', /50 %[\s\S]*aria-label="Continue: Pretzels">Continue<\/a>/)
  for (const other of [await openAs('/', femi), await open('/')]) assert.doesNotMatch(other.text, /Pretzels<\/strong>/)
  assert.doesNotMatch((await openAs('/', femi)).text, /Create an account/)
})

test('a page reads of who is signed in what it shows, and nothing of a visitor', async () => {
  const femi = await enter('femi')
  const owner = await app.actor('ada', { scopes: ['school:write'] })
  const read = async (path: string, headers = {}): Promise<readonly string[]> => {
    const from = statements.length
    assert.equal((await open(path, headers)).status, 200)
    return statements.slice(from).filter(text => isOfRequest(text) && PERSONAL.test(text))
  }
  // The session, what the page is about, orders that wait where the person has nothing of it, and shared reads that name these tables.
  const expected = {
    '/lecturers': 2,
    '/courses': 5,
    '/courses/sourdough-from-scratch': 9,
    '/products/sourdough-workbook': 6,
    '/plans/bakers-club': 6,
    '/events/open-kitchen': 10,
    '/blog': 2,
    '/': 7,
  }
  const counts: Record<string, number> = {}
  for (const path of Object.keys(expected)) {
    // After a write nothing is kept, so no count depends on how long the page before it took.
    assert.equal((await owner.write('PATCH', '/school', { description: path }, { 'if-match': '*' })).status, 200)
    const own = await read(path, femi)
    assert.ok(
      own.some(text => SESSION.test(text)),
      path,
    )
    counts[path] = own.length
    assert.equal((await read(path)).filter(text => SESSION.test(text)).length, 0, path)
  }
  assert.deepEqual(counts, expected)
})
