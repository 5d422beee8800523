import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writingTo } from '#testing/access.ts'
import { formTo, listFields, post } from '#testing/account-pages.ts'
import { testApp } from '#testing/app.ts'
import { learner, listLinks, readMain } from '#testing/learn-pages.ts'
import { givePlan, planner } from '#testing/memberships.ts'
import { formWith, once, openFile, press, readNotice, sendFiles } from '#testing/staff-pages.ts'

const app = testApp()
const writing = writingTo(app)

const ada = once(() => planner(app))
const ben = once(() => learner(app, 'ben'))

const NEW = '/staff/plans/new'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

const planAt = async (path: string) => (await (await ada()).get(`/membership-plans/${path.split('/').at(-1)}`)).json

/** Creates a plan in the browser; returns the path of its page. */
const create = async (name: string, more: Readonly<Record<string, string>> = {}): Promise<string> => {
  const made = await (await ben()).submit(
    formWith(await (await ben()).open(NEW), 'name'),
    Object.entries({ name, plan_type: 'recurring', visibility: 'listed', ...more }),
  )
  assert.match(readNotice(made), /was created/)
  const [edit = ''] = listLinks(made).filter(href => href.endsWith('/edit'))
  return edit.replace(/\/edit$/, '')
}

test('staff create a plan once and change it; what does not fit together is said, and an old page is refused', async () => {
  const form = formWith(await (await ben()).open(NEW), 'name')
  const values = {
    name: 'Spring',
    plan_type: 'fixed_length',
    visibility: 'unlisted',
    benefits: 'Bread\n\nMore bread\n',
  }
  const refused = await (await ben()).submit(form, Object.entries(values))
  assert.equal(refused.status, 422)
  assert.match(readNotice(refused), /number of days or months/)
  assert.match(refused.text, /value="Spring"/)
  const whole = { ...values, length: '6', unit: 'months' }
  const sent = await Promise.all([1, 2].map(async () => post(app.port, await ben(), NEW, listFields(form, whole))))
  const [first, second] = sent.map(({ headers }) => headers.location ?? '')
  assert.equal(first, second)
  const path = (first ?? '').split('?')[0] ?? ''
  const plan = await planAt(path)
  assert.deepEqual(
    [plan.status, plan.length, plan.benefits, plan.visibility],
    ['draft', { months: 6 }, ['Bread', 'More bread'], 'unlisted'],
  )
  const old = formWith(await (await ben()).open(`${path}/edit`), 'name')
  const changed = await (await ben()).submit(old, Object.entries({ ...whole, name: 'Spring plan', opens_posts: 'yes' }))
  assert.match(readNotice(changed), /was changed/)
  const late = await (await ben()).submit(old, Object.entries({ ...whole, name: 'Lost' }))
  assert.deepEqual(
    [late.status, (await planAt(path)).name, (await planAt(path)).opens_posts],
    [412, 'Spring plan', true],
  )
})

test('prices are added by the type of the plan, shown first and ended', async () => {
  const path = await create('Priced in the browser')
  const added = await press(await ben(), path, 'price', {
    amount: '19',
    interval: 'month',
    interval_count: '1',
    trial_days: '14',
  })
  assert.match(readNotice(added), /price was added/)
  assert.match(readMain(added), /€19\.00 per month · 14 days free/)
  const yearly = { amount: '190', interval: 'year', interval_count: '1', trial_days: '' }
  await press(await ben(), path, 'price', yearly)
  const wrong = await press(await ben(), path, 'price', { ...yearly, amount: 'a lot' })
  assert.deepEqual([wrong.status, /amount such as 12\.50/.test(readNotice(wrong))], [422, true])
  const led = await press(await ben(), path, 'primary')
  assert.match(readNotice(led), /shown first now/)
  assert.equal((await planAt(path)).primary_price.amount, 19_000)
  const ended = await press(await ben(), path, 'retire')
  assert.match(readNotice(ended), /no longer for sale/)
  assert.equal((await planAt(path)).prices.length, 1)
  const parts = await create('In parts', { plan_type: 'lifetime' })
  const instalments = { amount: '50', number_of_payments: '3', interval: 'month', interval_count: '1' }
  assert.match(readMain(await press(await ben(), parts, 'price', instalments)), /€50\.00 per month · 3 payments/)
})

test('subscribers are moved to another price once it was shown what this does, also from a price that was replaced', async () => {
  const path = await create('Gets dearer')
  const monthly = { interval: 'month', interval_count: '1', trial_days: '' }
  await press(await ben(), path, 'price', { ...monthly, amount: '19' })
  const [before] = (await planAt(path)).prices
  const moves = `${path}/prices/${before.id}/moves`
  assert.match(readMain(await (await ben()).open(moves)), /has no other price/)
  const page = await press(await ben(), path, 'price', { ...monthly, amount: '24', replaces: before.id })
  assert.match(readMain(page), /Ended prices €19\.00 per month/)
  const [now, ...others] = (await planAt(path)).prices
  assert.deepEqual([now.amount, others], [2400, []])
  await press(await ben(), path, 'publish')
  const asking = await (await ben()).open(moves)
  const shown = await (await ben()).submit(formTo(asking, moves), [['to', now.id]])
  assert.match(readMain(shown), /Changes the price of 0 subscriptions[\s\S]*Mails the new price to 0 people/)
  const moved = await (await ben()).submit(formTo(shown, moves), [])
  assert.match(readNotice(moved), /get a mail and move/)
  const [facts] = await app.database.query<{ n: number }>(
    "select count(*)::integer as n from facts where type = 'price.move_announced'",
  )
  assert.equal(facts?.n, 1)
})

test('what a plan opens is searched for and added, and taking it out says first who loses it', async () => {
  const path = await create('Opens in the browser')
  const none = await (await ben()).open(`${path}?item=zzzz`)
  assert.match(readMain(none), /Nothing was found/)
  const found = await (await ben()).open(`${path}?item=first%20loaf`)
  const [add = ''] = listLinks(found).filter(href => href.endsWith('/addition'))
  const asking = await (await ben()).open(add)
  assert.match(readMain(asking), /Add “First loaf” to Opens in the browser\?/)
  assert.deepEqual((await planAt(path)).items, [], 'the page changes nothing')
  const opened = await (await ben()).submit(formTo(asking, add), [])
  assert.match(readNotice(opened), /opens this now/)
  const plan = await planAt(path)
  assert.deepEqual(
    plan.items.map(({ name }: { name: string }) => name),
    ['First loaf'],
  )
  const uuid = (
    await app.database.query<{ id: string }>('select id from membership_plans where slug = $1', [plan.slug])
  )[0]
  await givePlan(app, writing, { plan: { uuid: uuid?.id ?? '' }, name: 'femi' })
  const [out = ''] = listLinks(opened).filter(href => href.includes('/items/course/'))
  const asked = await (await ben()).open(out)
  assert.match(readMain(asked), /of one member who hold it, \d lose access to it/)
  assert.match(readMain(asked), /who hold it now keep it/)
  assert.equal((await planAt(path)).items.length, 1, 'the page changes nothing')
  const kept = await press(await ben(), out, 'keep')
  assert.match(readNotice(kept), /for new holders/)
  assert.deepEqual((await planAt(path)).items, [])
  const rows = await app.database.query('select id from bundle_items where bundle_id = $1 and kept_by_earlier', [
    uuid?.id,
  ])
  assert.equal(rows.length, 1)
  const holders = await (await ben()).open(`${path}/holders`)
  assert.match(readMain(holders), /Femi Adeyemi/)
  const csv = await openFile(await ben(), holders, 'listPlanHolders')
  assert.match(csv.text, /femi@crumb\.example/)
})

test('a plan is put on sale, archived, restored and deleted, and its picture is uploaded and removed', async () => {
  const path = await create('Through its states')
  assert.match(readMain(await (await ben()).open(path)), /opens nothing yet\. It has no price yet/)
  for (const [act, notice] of [
    ['publish', /is on sale/],
    ['archive', /is archived/],
    ['restore', /draft again/],
  ] as const)
    assert.match(readNotice(await press(await ben(), path, act)), notice)
  const page = await (await ben()).open(path)
  const form = formWith(page, 'file')
  const pictured = await sendFiles(app, await ben(), form, {
    file: { name: 'a.png', text: new Uint8Array(PNG), type: 'image/png' },
  })
  assert.match(readNotice(pictured), /picture was changed/)
  assert.match(readNotice(await press(await ben(), path, 'remove_picture')), /picture was removed/)
  const deleted = await press(await ben(), path, 'delete')
  assert.match(readNotice(deleted), /was deleted/)
  assert.equal((await (await ben()).open(path)).status, 404)
})

test('the list shows each plan with its price, and a plan is moved up, down and to the front', async () => {
  const path = await create('Moved to the front')
  const list = await (await ben()).open('/staff/plans')
  assert.match(readMain(list), /Bakers’ club 4 items On sale 0 €19\.00 per month · 14 days free/)
  const id = path.split('/').at(-1) ?? ''
  const text = list.text.split('<form').find(one => one.includes(`value="${id}"`)) ?? ''
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const order = async (): Promise<string[]> =>
    (await (await ada()).get('/membership-plans?limit=100')).json.data.map((plan: { id: string }) => plan.id)
  const move = async (act: string) => {
    const form = [['token', token] as const, ['act', act] as const, ['plan', id] as const]
    const moved = await post(app.port, await ben(), '/staff/plans', form)
    assert.equal(moved.headers.location, '/staff/plans?done=order')
    return order()
  }
  const before = await order()
  const others = before.slice(0, -1)
  assert.equal(before.at(-1), id)
  assert.doesNotMatch(text.split('</form')[0] ?? '', /value="down"/)
  assert.deepEqual(await move('down'), before)
  assert.deepEqual(await move('up'), others.toSpliced(-1, 0, id))
  assert.deepEqual(await move('down'), before)
  assert.deepEqual(await move('first'), [id, ...others])
  assert.deepEqual(await move('up'), [id, ...others])
  assert.deepEqual(await move('down'), others.toSpliced(1, 0, id))
  const first = (await (await ben()).open('/staff/plans')).text
    .split('<form')
    .find(one => one.includes(others[0] ?? ''))
  assert.doesNotMatch(first?.split('</form')[0] ?? '', /value="up"|value="first"/)
  const carla = await learner(app, 'carla')
  assert.equal((await carla.open('/staff/plans')).status, 403)
})
