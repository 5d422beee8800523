import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie, formTo, listFields, listForms, openWith, post } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { makeCoupon } from '#testing/coupons.ts'
import type { TestReply } from '#testing/http.ts'
import { checkout, once, sell } from '#testing/orders.ts'
import { openFile } from '#testing/staff-pages.ts'

const app = testApp()

const staff = () => app.actor('ada', { scopes: ['courses:read', 'courses:write', 'coupons:read', 'coupons:write'] })

const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const readNotice = ({ text }: TestReply): string =>
  /<p class="(?:note|done)" role="(?:alert|status)"[^>]*>([^<]*)/.exec(text)?.[1] ?? ''

const NEW = '/staff/coupons/new'

/** The form of the settings on a page. */
const findSettings = (page: TestReply) => {
  const form = listForms(page).find(({ fields }) => fields.some(([name]) => name === 'name'))
  assert.ok(form !== undefined, page.text)
  return form
}

const press = async (browser: Browser, path: string, act: string, fields: Readonly<Record<string, string>> = {}) =>
  browser.submit(formTo(await browser.open(path), path, { act }), Object.entries(fields))

const readCoupon = async (id: string) => (await (await staff()).get(`/coupons/${id}`)).json

test('staff create a coupon once, add codes, and switch it off, on, and into the archive', async () => {
  const ada = await enter('ada')
  const form = findSettings(await ada.open(NEW))
  const values = {
    name: 'Rye week',
    kind: 'percent',
    percent_off: '12,5',
    ends_on: '2199-01-01',
    payment_types: 'any',
    duration: 'once',
    stackable: 'yes',
  }
  const refused = await ada.submit(form, Object.entries({ ...values, percent_off: '120' }))
  assert.equal(refused.status, 422)
  assert.match(readNotice(refused), /percentage from/)
  assert.ok(refused.text.includes('value="Rye week"') && refused.text.includes('value="120"'))
  const sent = await Promise.all([1, 2].map(() => post(app.port, ada, form.action, listFields(form, values))))
  const [first, second] = sent.map(({ headers }) => headers.location ?? '')
  assert.equal(first, second)
  const path = (first ?? '').split('?')[0] ?? ''
  const id = path.split('/').at(-1) ?? ''
  const { percent_off, stackable, ends_on, status } = await readCoupon(id)
  assert.deepEqual([percent_off, stackable, ends_on, status], ['12.5', true, '2199-01-01', 'active'])
  assert.match((await ada.open(path)).text, /nobody can use it/)

  assert.equal(readNotice(await press(ada, path, 'code', { code: 'RYE-WEEK' })), 'The code was added.')
  const taken = await press(ada, path, 'code', { code: 'rye week' })
  assert.deepEqual([taken.status, readNotice(taken)], [409, 'Another coupon has this code. Choose another one.'])
  assert.ok(taken.text.includes('value="rye week"'))
  await press(ada, path, 'generate', { count: '30', prefix: 'RYE' })
  assert.equal((await readCoupon(id)).code_count, 31)
  const csv = await openFile(ada, await ada.open(path), 'listCouponCodes')
  assert.match(String(csv.headers['content-type']), /^text\/csv/)
  assert.equal(csv.text.trim().split('\r\n').length, 32)

  const [code] = (await readCoupon(id)).codes
  await ada.submit(formTo(await ada.open(path), path, { act: 'stop', code_id: code.id }), [])
  assert.equal((await readCoupon(id)).codes[0].status, 'stopped')
  const states = []
  for (const act of ['off', 'on', 'archive', 'unarchive']) {
    await press(ada, path, act)
    states.push((await readCoupon(id)).status)
  }
  assert.deepEqual(states, ['off', 'active', 'archived', 'active'])
})

test('a coupon that an order holds keeps its value, and says why; a change of an old page is refused', async () => {
  const ada = await staff()
  const course = await sell(ada, 'Focaccia', [once(3000)])
  const { id } = await makeCoupon(ada, 'FOCACCIA')
  const browser = await enter('ada')
  const path = `/staff/coupons/${id}/edit`
  const old = findSettings(await browser.open(path))
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write', 'courses:read'] })
  assert.equal((await checkout(femi, [course.priceId], { codes: ['FOCACCIA'] })).status, 201)
  const page = await browser.open(path)
  assert.match(page.text, /Orders use this coupon/)
  assert.doesNotMatch(page.text, /name="percent_off"/)
  const changed = await browser.submit(findSettings(page), [['name', 'Flat bread']])
  assert.equal(readNotice(changed), 'The coupon was changed.')
  const { name, percent_off, times_held } = await readCoupon(id)
  assert.deepEqual([name, percent_off, times_held], ['Flat bread', '20', 1])
  const late = await browser.submit(old, [
    ['name', 'Round bread'],
    ['percent_off', '90'],
  ])
  assert.equal(late.status, 412)
  assert.match(readNotice(late), /has changed the coupon/)
  assert.deepEqual([(await readCoupon(id)).name, (await readCoupon(id)).percent_off], ['Flat bread', '20'])
  const shown = await browser.open(`/staff/coupons/${id}`)
  assert.match(shown.text, /Held by an unpaid order/)
  assert.match((await openFile(browser, shown, 'listCouponRedemptions')).text, /FOCACCIA/)
})

test('a coupon is limited to items that were searched for, and the preview says what a code does', async () => {
  const ada = await staff()
  const [one, other] = [await sell(ada, 'Brioche', [once(2000)]), await sell(ada, 'Pretzel', [once(1000)])]
  const browser = await enter('ada')
  const found = await browser.open(`${NEW}?chosen=1&find=Brioche`)
  const [, href = ''] = /href="([^"]*item=crs_[^"]*)"/.exec(found.text) ?? []
  const form = findSettings(await browser.open(href.replaceAll('&amp;', '&')))
  const values = { name: 'Brioche only', kind: 'fixed', amount_off: '5', payment_types: 'any', duration: 'once' }
  const made = await browser.submit(form, Object.entries(values))
  assert.equal(readNotice(made), 'The coupon was created. Add a code now.')
  assert.match(made.text, /<bdi>Brioche<\/bdi>/)
  const { data } = (await ada.get('/coupons?q=Brioche')).json
  assert.deepEqual([data[0].amount_off, data[0].items.length], [500, 1])
  await press(browser, `/staff/coupons/${data[0].id}`, 'code', { code: 'BRIOCHE' })

  const query = new URLSearchParams([
    ['code', 'brioche'],
    ['price', one.priceId],
    ['price', other.priceId],
  ])
  const tried = await browser.open(`/staff/coupons/preview?${query}`)
  assert.match(tried.text, /€25\.00/)
  const wrong = await browser.open(`/staff/coupons/preview?code=brioche&price=${other.priceId}`)
  assert.match(wrong.text, /does not apply to any of these items/)
  const unknown = await browser.open(`/staff/coupons/preview?code=nothing&price=${other.priceId}`)
  assert.match(unknown.text, /There is no such code/)
  assert.equal((await readCoupon(data[0].id)).times_held, 0)
})

test('E-14 a form about a coupon is refused without its token', async () => {
  const { id } = await makeCoupon(await staff(), 'TOKENLESS')
  const ada = await enter('ada')
  const path = `/staff/coupons/${id}`
  const fields = Object.entries({ act: 'delete', revision: '1', name: 'Changed', kind: 'percent', percent_off: '99' })
  for (const form of [NEW, path, `${path}/edit`])
    assert.equal((await post(app.port, ada, form, fields)).status, 403, form)
  assert.equal((await readCoupon(id)).name, 'TOKENLESS')
})

test('nobody but staff sees or changes a coupon', async () => {
  const { id } = await makeCoupon(await staff(), 'SECRETRYE')
  const own = `/staff/coupons/${id}`
  const paths = [
    '/staff/coupons',
    '/staff/csv/listCoupons',
    NEW,
    '/staff/coupons/preview?code=SECRETRYE',
    own,
    `${own}/edit`,
    `/staff/csv/listCouponCodes?coupon_id=${id}`,
  ]
  for (const name of ['dev', 'carla'] as const) {
    const browser = await enter(name)
    const token = new Map(listFields(formTo(await browser.open('/account'), '/account/sign-out'))).get('token') ?? ''
    for (const path of paths) {
      const reply = await openWith(app.port, formatCookie(browser), path)
      assert.equal(reply.status, 403, path)
      assert.ok(!reply.text.includes('SECRETRYE'), path)
    }
    for (const path of [NEW, own, `${own}/edit`]) {
      const reply = await post(
        app.port,
        browser,
        path,
        Object.entries({ token, act: 'delete', revision: '1', name: 'x' }),
      )
      assert.equal(reply.status, 403, path)
    }
  }
  for (const path of paths) assert.equal((await openWith(app.port, '', path)).status, 303, path)
  assert.equal((await readCoupon(id)).status, 'active')
})
