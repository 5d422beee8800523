// One thing: gifts, holders and the mails about both, which share a mailbox.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { fromId, toId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { readMemberId } from '#testing/learning.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { startMailbox } from '#testing/mail.ts'
import { addMembers, availableOffer, fulfilLine, newLine, openSales } from '#testing/offers.ts'
import { buyer, give, seller, sellProduct, uploadFor } from '#testing/products.ts'
import { until } from '#testing/until.ts'

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})
const test = ledgerTest(app)
let sales: ReturnType<typeof openSales> | undefined
after(async () => {
  await sales?.close()
  await mailbox?.stop()
})

const run: ReturnType<typeof openSales>['run'] = work => {
  sales ??= openSales(app.database.appUrl, app.a.id)
  return sales.run(work)
}

const readId = async (name: 'dev' | 'eli' | 'femi') => toId('mem', await readMemberId(app, name))

const buildLinksPath = (fileId: string | undefined): string => `/account/downloads/${fileId}/links`

const follow = async (url: string): Promise<number> => {
  const { pathname, search } = new URL(url)
  return (await app.send({ path: `${pathname}${search}` })).status
}

test('a gift gives a product until its end, is given once, and can be taken back', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'A present' })
  const path = `${product.path}/gifts`
  const member_id = await readId('dev')
  const body = { member_id, ends_at: '2100-01-01T00:00:00.000Z', note: 'Thank you', notify: false }
  const given = await ada.write('POST', path, body)
  assert.equal(given.status, 201, given.text)
  const { id, status, note, ends_at, member, product_id } = given.json
  assert.deepEqual([status, note, ends_at, product_id], ['active', 'Thank you', body.ends_at, product.id])
  assert.deepEqual(member, { id: member_id, name: 'Dev Patel' })
  const again = await ada.write('POST', path, body)
  assert.deepEqual([again.status, again.json.code], [409, 'gift_exists'])
  const longer = await ada.write('POST', path, { ...body, ends_at: null })
  assert.equal(longer.status, 201)
  const dev = await buyer(app, 'dev')
  assert.equal((await dev.get(product.path)).json.has_access, true)
  assert.equal((await ada.write('DELETE', `${path}/${longer.json.id}`)).status, 204)
  assert.equal((await dev.get(product.path)).json.has_access, true, 'the other gift stays')
  for (let round = 0; round < 2; round++) assert.equal((await ada.write('DELETE', `${path}/${id}`)).status, 204)
  assert.equal((await dev.get(product.path)).json.has_access, false)
  const listed = (await ada.get(path)).json.data
  assert.deepEqual(
    listed.map((gift: { status: string }) => gift.status),
    ['taken_back', 'taken_back'],
  )
})

test('a gift that contradicts itself, is over, or is for nobody is refused, and nothing is written', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Refused' })
  const member_id = await readId('dev')
  const wrong = [
    [{}, ''],
    [{ member_id, email: 'dev@crumb.example' }, ''],
    [{ member_id: `mem_${'0'.repeat(26)}` }, '/member_id'],
    [{ member_id, ends_at: '2020-01-01T00:00:00.000Z' }, '/ends_at'],
    [{ email: 'nobody@crumb.example' }, '/name'],
    [{ email: 'nonsense', name: 'No One' }, '/email'],
  ] as const
  for (const [body, pointer] of wrong) {
    const refused = await ada.write('POST', `${product.path}/gifts`, body)
    assert.deepEqual([refused.status, refused.json.errors?.[0]?.pointer], [422, pointer], refused.text)
  }
  assert.deepEqual((await ada.get(`${product.path}/gifts`)).json.data, [])
  const dev = await buyer(app, 'dev')
  for (const [method, path] of [
    ['POST', 'gifts'],
    ['DELETE', `gifts/ent_${'0'.repeat(26)}`],
  ] as const)
    assert.equal(
      (await dev.write(method, `${product.path}/${path}`, method === 'POST' ? { member_id } : undefined)).status,
      403,
    )
  for (const path of ['gifts', 'holders', 'downloads'])
    assert.equal((await dev.get(`${product.path}/${path}`)).status, 403)
})

test('one gift to one member many times at once is given once', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'At once' })
  const member_id = await readId('eli')
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => ada.write('POST', `${product.path}/gifts`, { member_id, notify: false })),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array.from({ length: 7 }, () => 409)])
  assert.equal((await ada.get(`${product.path}/gifts?include_total=true`)).json.total, 1)
})

test('a gift to an address without an account invites the person, and a mail tells about the gift', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'For a stranger' })
  const email = 'stranger@crumb.example'
  const given = await ada.write('POST', `${product.path}/gifts`, { email, name: 'A Stranger', locale: 'pt' })
  assert.equal(given.status, 201, given.text)
  assert.equal(given.json.member.name, 'A Stranger')
  const mails = await mailbox?.waitFor(email, 2)
  const subjects = mails?.map(one => one.email.subject ?? '') ?? []
  assert.ok(
    subjects.some(subject => subject === '«For a stranger» é seu, de Crumb & Crust'),
    subjects.join(),
  )
  const told = mails?.find(one => one.email.subject?.startsWith('«'))
  assert.match(told?.email.text ?? '', /\/account\/downloads/)
  const again = await ada.write('POST', `${product.path}/gifts`, { email })
  assert.equal(again.json.code, 'gift_exists')
})

test('holders are those with access by any way, each once', async () => {
  const ada = await seller(app, ['members:read', 'members:write'])
  const product = await sellProduct(ada, { name: 'Held' })
  await give(app, ada, product, 'dev')
  const [bought = ''] = await addMembers(app, 1)
  await run(async place => {
    const offer = await availableOffer(place, product.priceId)
    await fulfilLine(place, { lineId: newLine(), memberId: bought, offer })
  })
  const group = (await ada.write('POST', '/groups', { name: 'Holders' })).json
  await ada.write('PUT', `/groups/${group.id}/items/digital_product/${product.id}`)
  for (const name of ['dev', 'eli'] as const)
    await ada.write('PUT', `/groups/${group.id}/members/${await readId(name)}`)
  const holders = async (query = '') =>
    (await ada.get(`${product.path}/holders${query}`)).json.data.map((one: { member: { id: string } }) => one.member.id)
  const all = [await readId('dev'), await readId('eli'), toId('mem', bought)]
  assert.deepEqual((await holders()).sort(), all.sort())
  assert.equal((await ada.get(product.path)).json.holder_count, 3)
  await ada.write('DELETE', `/groups/${group.id}/members/${await readId('eli')}`)
  assert.deepEqual(await holders('?state=ended'), [await readId('eli')])
  assert.equal((await holders()).length, 2)
})

test('a product is published by the worker at its instant, and not when the plan was cancelled', async () => {
  const ada = await seller(app)
  const create = async (name: string) =>
    `/digital-products/${(await ada.write('POST', '/digital-products', { name })).json.id}`
  const [planned, cancelled] = [await create('Planned'), await create('Cancelled')]
  const [{ at } = { at: new Date(0) }] = await app.database.query<{ at: Date }>(
    `select stoa.now() + interval '1 hour' as at`,
  )
  for (const path of [planned, cancelled]) {
    const { status, json } = await ada.write('PUT', `${path}/publication`, { at: at.toISOString() })
    assert.deepEqual([status, json.status, json.publish_at], [200, 'draft', at.toISOString()])
  }
  const past = await ada.write('PUT', `${planned}/publication`, { at: '2020-01-01T00:00:00.000Z' })
  assert.deepEqual([past.status, past.json.errors[0].pointer], [422, '/at'])
  const off = await ada.write('DELETE', `${cancelled}/publication`)
  assert.deepEqual([off.json.status, off.json.publish_at], ['draft', null])
  await app.moveClock(3600)
  await until(async () => (await app.send({ path: `/api/v1${planned}` })).status === 200, 'the product is published')
  assert.equal((await app.send({ path: `/api/v1${cancelled}` })).status, 404)
  await app.moveClock(-3600)
})

test('holders get one mail about replaced files, only when it is asked for and they want it', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Improved' }, ['one', 'two'])
  for (const name of ['dev', 'eli', 'femi'] as const) await give(app, ada, product, name)
  const femi = await app.actor('femi', { scopes: ['account:read', 'account:write'] })
  await femi.write('PATCH', '/account', { notifications: { product_updated: false } })
  const replace = async (notify: boolean | undefined) => {
    const files = []
    for (const id of product.files) files.push({ file_id: await uploadFor(ada, `newer ${id} ${notify}`), replaces: id })
    const stored = await ada.write('PUT', `${product.path}/files`, {
      files,
      ...(notify === undefined ? {} : { notify }),
    })
    assert.equal(stored.status, 200, stored.text)
  }
  const subject = /^New version of “Improved”/
  await replace(undefined)
  await replace(true)
  for (const name of ['dev', 'eli']) await mailbox?.waitFor(`${name}@crumb.example`, 1, subject)
  await until(
    async () => (await app.database.query('select from product_notices')).length === 0,
    'the notice was sent to everybody',
  )
  const rows = await app.database.query<{ email: string }>(
    `select m.email from mails l join members m on m.school_id = l.school_id and m.id = l.member_id
     where l.kind = 'product_file_replaced' order by m.email`,
  )
  const sent = mailbox?.arrived.filter(({ email }) => subject.test(email.subject ?? '')).flatMap(({ to }) => to) ?? []
  assert.deepEqual([...sent].sort(), ['dev@crumb.example', 'eli@crumb.example'], JSON.stringify(rows))
})

test('erasing a member deletes their links and where they downloaded; the log stays without it', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Forgotten', download_limit: 5 })
  await give(app, ada, product, 'femi')
  const femi = await buyer(app, 'femi')
  const { url } = (await femi.write('POST', buildLinksPath(product.files[0]))).json
  assert.equal(await follow(url), 200)
  const memberId = await readMemberId(app, 'femi')
  const known = await run(place => personalData.call({ memberId }, place))
  const own = known.flat().find(({ name, rows }) => name === 'downloads' && rows.length > 0)
  assert.equal(own?.rows[0]?.network, '127.0.0.0/24')
  await run(place => memberErasure.call({ memberId }, place))
  assert.equal(await follow(url), 404)
  const [entry] = (await ada.get(`${product.path}/downloads`)).json.data
  assert.deepEqual([entry.network, entry.counted], [null, true])
  for (const table of ['download_links', 'download_counts'])
    assert.equal((await app.database.query(`select from ${table} where member_id = $1`, [memberId])).length, 0, table)
})

test('a merge adds up the counted downloads of both members, and their links go on working', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Merged', download_limit: 3 })
  const links: string[] = []
  for (const name of ['dev', 'eli'] as const) {
    await give(app, ada, product, name)
    const actor = await buyer(app, name)
    const { url } = (await actor.write('POST', buildLinksPath(product.files[0]))).json
    assert.equal(await follow(url), 200)
    links.push(url)
  }
  const [fromId, intoId] = [await readMemberId(app, 'eli'), await readMemberId(app, 'dev')]
  await run(place => memberMerge.call({ fromId, intoId }, place))
  const dev = await buyer(app, 'dev')
  assert.equal((await dev.write('POST', buildLinksPath(product.files[0]))).json.left, 1)
  for (const url of links) assert.equal(await follow(url), 200)
})

test('links that expired are deleted by a sweep, and the log keeps them', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Swept' })
  await give(app, ada, product, 'dev')
  const dev = await buyer(app, 'dev')
  const { url } = (await dev.write('POST', buildLinksPath(product.files[0]))).json
  assert.equal(await follow(url), 200)
  const [linkId = ''] = new URL(url).pathname.split('/').slice(2)
  const remaining = async (): Promise<number> =>
    (await app.database.query(`select from download_links where expires_at < stoa.now() - interval '1 day'`)).length
  await app.moveClock(2 * 24 * 3600)
  await until(async () => (await remaining()) === 0, 'the links are deleted')
  const logged = await app.database.query('select from product_downloads where link_id = $1', [fromId('dlk', linkId)])
  assert.equal(logged.length, 1)
})
