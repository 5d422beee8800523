import assert from 'node:assert/strict'
import { people } from '#src/demo/index.ts'
import { toId } from '#src/kit/ids.ts'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { makeEvent } from '#testing/events.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { sellPlan } from '#testing/memberships.ts'
import { checkout, once, sell } from '#testing/orders.ts'
import { setProvider } from '#testing/payments.ts'
import { give, seller, sellProduct, uploadFor } from '#testing/products.ts'
import '#testing/outside-provider.ts'
import { until } from '#testing/until.ts'

const app = testApp()
const test = ledgerTest(app)

const open = (path: string, language = 'en') =>
  app.send({ path, headers: { accept: 'text/html', 'accept-language': language } })

// What the site reads is kept for a moment.
const untilPage = (path: string, holds: (text: string) => boolean): Promise<void> =>
  until(async () => holds((await open(path)).text), `${path} has changed`)

const signedIn = (name: PersonName) =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

test('products that are published and listed have pages that anybody reads, in both languages', async () => {
  const ada = await seller(app)
  const input = { name: 'Book of <loaves>', subtitle: 'All of them', license_text: 'For you' }
  const { path } = await sellProduct(ada, input)
  const product = (await ada.get(path)).json
  const page = await open(`/products/${product.slug}`)
  assert.equal(page.status, 200)
  for (const part of ['Book of &lt;loaves&gt;', 'All of them', 'For you', 'recipes.txt', '€12'])
    assert.ok(page.text.includes(part), part)
  assert.doesNotMatch(page.text, /\/files\/fil_|dpf_/)
  assert.match((await open(`/products/${product.slug}`, 'pt')).text, /O que recebe/)
  await ada.write('PATCH', path, { slug: 'loaves' })
  const moved = await open(`/products/${product.slug}`)
  assert.ok(moved.status === 301 || moved.status === 200, String(moved.status))
  const sitemap = await open('/sitemaps/products-1.xml')
  assert.match(sitemap.text, /\/products\/loaves</)
  assert.match((await open('/products')).text, /href="\/products\//)
})

test('a draft and an unknown product are the same page of 404, and an unlisted one is kept from search engines', async () => {
  const ada = await seller(app)
  await ada.write('POST', '/digital-products', { name: 'Hidden draft' })
  const [draft, unknown] = await Promise.all([open('/products/hidden-draft'), open('/products/no-such-thing')])
  assert.deepEqual([draft.status, unknown.status], [404, 404])
  assert.equal(draft.text.replaceAll('hidden-draft', ''), unknown.text.replaceAll('no-such-thing', ''))
  const { path } = await sellProduct(ada, { name: 'Unlisted book', visibility: 'unlisted' })
  const page = await open(`/products/${(await ada.get(path)).json.slug}`)
  assert.match(page.text, /noindex/)
  assert.doesNotMatch((await open('/sitemaps/products-1.xml')).text, /unlisted-book/)
})

test('the page of downloads needs a sign-in, and says when there is nothing', async () => {
  const away = await open('/account/downloads')
  assert.deepEqual([away.status, away.headers.location], [303, '/account/sign-in?return_to=%2Faccount%2Fdownloads'])
  const browser = await signedIn('femi')
  assert.match((await browser.open('/account/downloads')).text, /nothing to download yet/)
})

test('a person downloads their files from a page of the account, as often as the limit lets them', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'On the page', download_limit: 1 }, ['the bytes'])
  await give(app, ada, product, 'femi')
  const browser = await signedIn('femi')
  const page = await browser.open('/account/downloads')
  assert.match(page.text, /On the page[\s\S]*recipes\.txt[\s\S]*Downloads left: 1/)
  // The form leads to an address that may be that of a bucket.
  assert.doesNotMatch(String(page.headers['content-security-policy']), /form-action/)
  const led = await browser.submit(formTo(page, '/account/downloads', { file: product.files[0] ?? '' }), [])
  const to = new URL(led.headers.location ?? '')
  assert.equal(to.origin, app.a.baseUrl)
  assert.equal((await app.send({ path: `${to.pathname}${to.search}` })).text, 'the bytes')
  const after = await browser.open('/account/downloads')
  assert.match(after.text, /Downloads left: 0/)
  assert.doesNotMatch(after.text, /<button type="submit" aria-label="Download recipes/)
  const form = formTo(page, '/account/downloads', { file: product.files[0] ?? '' })
  const refused = await browser.submit(form, [])
  assert.deepEqual([refused.status, /cannot be downloaded/.test(refused.text)], [409, true])
  const forged = await browser.submit(form, [['file', 'nonsense']])
  assert.equal(forged.status, 409)
})

test('a sample is a link on the page of a product', async () => {
  const ada = await seller(app)
  const { path } = await sellProduct(ada, { name: 'With a sample' })
  await ada.write('PATCH', path, { sample_file_id: await uploadFor(ada, 'Page one', 'sample.txt') })
  const { text } = await open(`/products/${(await ada.get(path)).json.slug}`)
  assert.match(text, /href="[^"]*\/files\/fil_\w+\/sample\.txt">See a sample/)
})

test('one price has a button with its amount, several are chosen, and what is sold out or free to enroll in is not bought', async () => {
  const ada = await app.actor('ada', { scopes: ['courses:read', 'courses:write'] })
  const { data } = (await ada.get('/courses/slug:sourdough-from-scratch/prices')).json
  const page = await open('/courses/sourdough-from-scratch')
  const sold: { id: string; payment_type: string; status: string }[] = data
  const form = /<form class="choices" action="\/checkout" method="get">[\s\S]*?<\/form>/.exec(page.text)?.[0] ?? ''
  for (const { id, payment_type: type } of sold)
    assert.ok(form.includes(`name="price" value="${id}"`), `${type} ${form}`)
  assert.match(form, /€49 once[\s\S]*3 × €18[\s\S]*each month · €54 in total[\s\S]*>Buy the course<\/button>/)
  assert.equal(form.match(/ checked/g)?.length, 1)
  assert.match((await open('/plans/bakers-club')).text, /€19 per month[\s\S]*>Become a member<\/button>/)
  assert.match((await open('/plans/baking-basics')).text, /href="\/checkout\?price=prc_\w+">Buy for €49<\/a>/)
  assert.doesNotMatch((await open('/courses/first-loaf')).text, /\/checkout\?/)
  const course = await sell(ada, 'One seat only', [{ ...once(2500), enrollment_cap: 1 }])
  const { slug } = (await ada.get(`/courses/${course.id}`)).json
  assert.match((await open(`/courses/${slug}`)).text, /1 seat left[\s\S]*href="\/checkout\?price=/)
  const dev = await app.actor('dev', { scopes: ['account:read', 'account:write'] })
  assert.equal((await checkout(dev, [course.priceId])).status, 201)
  await untilPage(`/courses/${slug}`, text => text.includes('Sold out'))
  assert.doesNotMatch((await open(`/courses/${slug}`)).text, /\/checkout\?/)
})

const OTHERS = [
  'membership_plans:read',
  'membership_plans:write',
  'events:read',
  'events:write',
  'pages:read',
  'pages:write',
]

test('a school that cannot be paid shows no button to buy, on any page, and says so', async () => {
  const ada = await seller(app, OTHERS)
  const product = await sellProduct(ada, { name: 'Unpaid book' })
  const course = await sell(ada, 'Unpaid course', [once(), { payment_type: 'free', amount: 0 }])
  const plan = await sellPlan(ada, { name: 'Unpaid plan', plan_type: 'recurring' }, [
    { payment_type: 'subscription', amount: 900, interval: 'month' },
  ])
  const event = await makeEvent(app, ada, {}, [{ name: 'Regular', amount: 700 }])
  const blocks = [
    { type: 'checkout', price_id: course.priceIds[0], label: 'Take part' },
    { type: 'checkout', price_id: course.priceIds[1], label: 'Look in' },
  ]
  const page = (await ada.write('POST', '/pages', { title: 'Offers', path: '/unpaid-offers', blocks })).json
  assert.equal((await ada.write('PUT', `/pages/${page.id}/publication`, {})).status, 200)
  const slugs = await Promise.all(
    [product.path, `/courses/${course.id}`, `/events/${event.id}`].map(async path => (await ada.get(path)).json.slug),
  )
  const paths = [`/products/${slugs[0]}`, `/courses/${slugs[1]}`, `/plans/${plan.slug}`, `/events/${slugs[2]}`]
  const pages = [...paths, '/unpaid-offers', `/account/events/${slugs[2]}?occurrence=${event.occurrenceId}`]
  for (const path of pages)
    assert.match((await open(path)).text, /href="\/(?:checkout|account\/events\/[\w-]+)\?/, path)
  // Without a card provider that works, what is stored for one is no way to pay.
  await setProvider(app, 'outside', { secrets: { secret_key: 'sk_test_51Crumb0and0Crust0Key1' } })
  for (const path of pages) {
    await untilPage(path, text => text.includes('Not on sale yet'))
    const { text } = await open(path)
    const priceIds = [...text.matchAll(/href="\/checkout\?price=(prc_\w+)/g)].map(([, id]) => id)
    assert.deepEqual(priceIds, path === '/unpaid-offers' ? [course.priceIds[1]] : [], path)
  }
  assert.match((await open(`/courses/${slugs[1]}`)).text, /Enroll for free/)
  const quoted = await open(`/checkout?price=${course.priceId}`)
  assert.match(
    quoted.text,
    /Not on sale yet: this school cannot take payments at the moment, so only what is free can be had/,
  )
  assert.doesNotMatch(quoted.text, /name="(?:email|code|quantity)"/)
  assert.match((await open(`/checkout?price=${course.priceIds[1]}`)).text, /name="email"/)
  await setProvider(app, 'outside')
  await untilPage(paths[0] ?? '', text => text.includes('/checkout?'))
})

test('products are found by the search, are on the home page, and are linked where there are some', async () => {
  const ada = await seller(app)
  const { path, priceId } = await sellProduct(ada, { name: 'Atlas of crumbs', subtitle: 'With maps' })
  const { slug } = (await ada.get(path)).json
  assert.ok((await open(`/products/${slug}`)).text.includes(`href="/checkout?price=${toId('prc', priceId)}"`))
  await untilPage('/search?q=atlas', text => text.includes(`href="/products/${slug}"`))
  await untilPage('/', text => text.includes(`href="/products/${slug}"`))
  assert.match(
    (await open('/')).text,
    /<a class="nav-link" href="\/products">[\s\S]*<a class="footer-link" href="\/products">/,
  )
  const { data } = (await ada.get('/digital-products')).json
  for (const { id } of data) await ada.write('DELETE', `/digital-products/${id}/publication`)
  await untilPage('/', text => !text.includes('href="/products"'))
})
