import assert from 'node:assert/strict'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { give, seller, sellProduct, uploadFor } from '#testing/products.ts'

const app = testApp()
const test = ledgerTest(app)

const open = (path: string, language = 'en') =>
  app.send({ path, headers: { accept: 'text/html', 'accept-language': language } })

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
