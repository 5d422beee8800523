// One thing: what counts as a download, and for how long a link works.
import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { fromId } from '#src/kit/ids.ts'
import { testApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess } from '#testing/app-process.ts'
import { send, type TestReply } from '#testing/http.ts'
import { readMemberId } from '#testing/learning.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { buyer, give, seller, sellProduct, uploadFor } from '#testing/products.ts'
import { fetched } from '#testing/uploads.ts'

const app = testApp()
const test = ledgerTest(app)
const MINUTE = 60

const buildLinksPath = (fileId: string | undefined): string => `/account/downloads/${fileId}/links`

type Init = { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly port?: number }

/** Sends a request for a link to a process; by default the application of the test. */
const follow = (url: string, { port = app.port, ...init }: Init = {}): Promise<TestReply> => {
  const { pathname, search, host } = new URL(url)
  return send(port, { ...init, path: `${pathname}${search}`, host })
}

test('HEAD, an unchanged file and an impossible range do not count; the first byte does, and no later one of the link', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Counted', download_limit: 2 }, ['0123456789'])
  await give(app, ada, product, 'dev')
  const dev = await buyer(app, 'dev')
  const left = async () => {
    const { data } = (await dev.get('/account/downloads')).json
    return data.find(({ product_id }: { product_id: string }) => product_id === product.id).files[0].downloads_left
  }
  const created = await dev.write('POST', buildLinksPath(product.files[0]))
  assert.deepEqual([created.status, created.json.left], [201, 2], created.text)
  const { url } = created.json
  const head = await follow(url, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers['content-length']], [200, '10'])
  const etag = head.headers.etag ?? ''
  assert.equal((await follow(url, { headers: { 'if-none-match': etag } })).status, 304)
  assert.equal((await follow(url, { headers: { range: 'bytes=10-' } })).status, 416)
  assert.equal(await left(), 2)
  const part = await follow(url, { headers: { range: 'bytes=4-5' } })
  assert.deepEqual([part.status, part.text], [206, '45'])
  assert.equal(await left(), 1)
  assert.equal((await follow(url)).text, '0123456789')
  assert.equal((await follow(url, { headers: { range: 'bytes=6-' } })).text, '6789')
  assert.equal(await left(), 1)
  const second = await dev.write('POST', buildLinksPath(product.files[0]))
  const third = await dev.write('POST', buildLinksPath(product.files[0]))
  assert.equal((await follow(second.json.url)).status, 200)
  for (const method of ['GET', 'HEAD']) assert.equal((await follow(third.json.url, { method })).status, 409, method)
  const refused = await dev.write('POST', buildLinksPath(product.files[0]))
  assert.deepEqual([refused.status, refused.json.code], [409, 'download_limit_reached'])
  assert.equal((await follow(url)).status, 200, 'a link that was used works until it expires')
})

test('the limit counts over all versions of a file, and an old version stays behind the links that were given', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Versions', download_limit: 2 }, ['first edition', 'another'])
  const [file = '', other = ''] = product.files
  await give(app, ada, product, 'dev')
  const dev = await buyer(app, 'dev')
  const old = (await dev.write('POST', buildLinksPath(file))).json.url
  assert.equal((await follow(old)).text, 'first edition')
  const upload = await uploadFor(ada, 'second edition')
  await ada.write('PUT', `${product.path}/files`, { files: [{ file_id: upload, replaces: file }, { id: other }] })
  const link = await dev.write('POST', buildLinksPath(file))
  assert.equal(link.json.left, 1)
  assert.equal((await follow(link.json.url)).text, 'second edition')
  assert.equal((await follow(old)).text, 'first edition')
  assert.equal((await dev.write('POST', buildLinksPath(file))).json.code, 'download_limit_reached')
  const theOther = await dev.write('POST', buildLinksPath(other))
  assert.equal(theOther.json.left, 2)
  await ada.write('PUT', `${product.path}/files`, { files: [{ id: file }] })
  assert.equal((await follow(theOther.json.url)).status, 404, 'a file that was removed')
  assert.equal((await dev.write('POST', buildLinksPath(other))).status, 404)
})

test('a link works for whoever has it until it expires, and the log shows it', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Passed on', link_minutes: 5 })
  for (const link_minutes of [4, 0, -1, 10_081])
    assert.equal((await ada.write('PATCH', product.path, { link_minutes })).status, 422, String(link_minutes))
  await give(app, ada, product, 'dev')
  const dev = await buyer(app, 'dev')
  const { url, expires_at } = (await dev.write('POST', buildLinksPath(product.files[0]))).json
  const [{ now } = { now: new Date(0) }] = await app.database.query<{ now: Date }>('select stoa.now() as now')
  const minutes = (new Date(expires_at).getTime() - now.getTime()) / 60_000
  assert.ok(minutes > 4 && minutes <= 5, expires_at)
  assert.equal((await follow(url)).status, 200)
  const log = (await ada.get(`${product.path}/downloads`)).json.data
  const expected = {
    member_name: 'Dev Patel',
    file_id: product.files[0],
    file_name: 'recipes.txt',
    version: 1,
    counted: true,
  }
  const [{ member_id, network, link_id, created_at, ...shown }] = log
  assert.deepEqual([log.length, shown, network], [1, expected, '127.0.0.0/24'])
  assert.equal(new URL(url).pathname.split('/')[2], link_id)
  await app.moveClock(5 * MINUTE)
  assert.equal((await follow(url)).status, 404)
  await app.moveClock(-5 * MINUTE)
})

test('a link that was edited, guessed or belongs to another school opens nothing', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Signed' })
  await give(app, ada, product, 'dev')
  const dev = await buyer(app, 'dev')
  const [one, two] = await Promise.all([1, 2].map(() => dev.write('POST', buildLinksPath(product.files[0]))))
  const url = new URL(one?.json.url)
  const other = new URL(two?.json.url)
  const edits = [
    (at: URL) => void Object.assign(at, { search: '' }),
    (at: URL) => at.searchParams.set('signature', other.searchParams.get('signature') ?? ''),
    (at: URL) => at.searchParams.set('signature', 'a'.repeat(43)),
    (at: URL) => void Object.assign(at, { pathname: other.pathname }),
    (at: URL) => void Object.assign(at, { pathname: at.pathname.replace('recipes', 'others') }),
    (at: URL) => void Object.assign(at, { pathname: '/downloads/dlk_00000000000000000000000000/recipes.txt' }),
    (at: URL) => void Object.assign(at, { pathname: '/downloads/x/recipes.txt' }),
  ]
  for (const [index, edit] of edits.entries()) {
    const at = new URL(url)
    edit(at)
    assert.equal((await follow(at.href)).status, 404, `edit ${index}`)
  }
  assert.equal((await app.send({ path: `${url.pathname}${url.search}` }, app.b)).status, 404)
  assert.equal((await follow(url.href)).status, 200)
})

test('a link is 404 at once when access ends, also between two ranges, and while the member or the product is suspended', async () => {
  const ada = await seller(app, ['students:read', 'students:write', 'members:read', 'members:write'])
  const product = await sellProduct(ada, { name: 'Ended' }, ['0123456789'])
  const dev = await buyer(app, 'dev')
  const gift = await give(app, ada, product, 'dev')
  const link = async () => (await dev.write('POST', buildLinksPath(product.files[0]))).json.url
  const url = await link()
  const range = (first: number) => follow(url, { headers: { range: `bytes=${first}-${first}` } })
  assert.equal((await range(0)).text, '0')
  await ada.write('DELETE', `${product.path}/publication`)
  assert.equal((await range(1)).status, 404, 'a draft')
  assert.equal((await dev.write('POST', buildLinksPath(product.files[0]))).status, 404)
  await ada.write('PUT', `${product.path}/publication`, {})
  await ada.write('PUT', `${product.path}/archive`)
  assert.equal((await range(1)).text, '1', 'an archived product')
  await app.database.query(`update members set status = 'suspended' where email = 'dev@crumb.example'`)
  assert.equal((await range(2)).status, 404)
  await app.database.query(`update members set status = 'active' where email = 'dev@crumb.example'`)
  assert.equal((await range(2)).text, '2')
  await ada.write('DELETE', `${product.path}/gifts/${gift.id}`)
  assert.equal((await range(3)).status, 404)
  assert.equal((await dev.write('POST', buildLinksPath(product.files[0]))).status, 404)
})

test('who has nothing gets no link and learns nothing; staff get links that are not counted, as long as they are staff', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Locked', download_limit: 1 })
  const [file = ''] = product.files
  const eli = await buyer(app, 'eli')
  const refused = await eli.write('POST', buildLinksPath(file))
  const unknown = await eli.write('POST', buildLinksPath(`dpf_${'0'.repeat(26)}`))
  const rest = ({ json: { request_id, instance, ...problem } }: typeof refused) => problem
  assert.deepEqual([refused.status, rest(refused)], [404, rest(unknown)])
  assert.equal((await eli.get(`${product.path}/files`)).json.data[0].links_url, null)
  const ben = await app.actor('ben', { scopes: ['digital_products:read', 'account:write'] })
  assert.equal(
    (await ben.get(`${product.path}/files`)).json.data[0].links_url,
    `${app.a.baseUrl}/api/v1/account/downloads/${file}/links`,
  )
  for (let round = 0; round < 2; round++) {
    const link = await ben.write('POST', buildLinksPath(file))
    assert.deepEqual([link.json.left, (await follow(link.json.url)).status], [null, 200])
  }
  const counted = (await ada.get(`${product.path}/downloads`)).json.data.map(
    ({ counted: is }: { counted: boolean }) => is,
  )
  assert.deepEqual(counted, [false, false])
  const last = (await ben.write('POST', buildLinksPath(file))).json.url
  await app.setRole('ben', 'member')
  assert.equal((await follow(last)).status, 404)
  await app.setRole('ben', 'admin')
})

test('a page in a product is handed over as an attachment in a sandbox, whatever its name', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Harmless' }, [])
  const upload = await uploadFor(ada, '<!doctype html><script>alert(1)</script>', 'book.pdf', 'text/html')
  const { json } = await ada.write('PUT', `${product.path}/files`, { files: [{ file_id: upload }] })
  await give(app, ada, product, 'dev')
  const dev = await buyer(app, 'dev')
  const { headers } = await follow((await dev.write('POST', buildLinksPath(json.data[0].id))).json.url)
  assert.equal(headers['content-type'], 'text/html')
  assert.match(headers['content-disposition'] ?? '', /^attachment; filename="book.pdf"/)
  assert.match(String(headers['content-security-policy']), /^sandbox;/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
})

test('the log is read in commit order and as CSV, and only by staff', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'Logged' })
  await give(app, ada, product, 'dev')
  const dev = await buyer(app, 'dev')
  const download = async () => follow((await dev.write('POST', buildLinksPath(product.files[0]))).json.url)
  await download()
  await app.settled()
  const path = `${product.path}/downloads`
  const first = (await ada.get(`${path}?after=0`)).json
  assert.equal(first.data.length, 1)
  await download()
  await app.settled()
  const next = (await ada.get(`${path}?after=${encodeURIComponent(first.next_after)}`)).json
  assert.equal(next.data.length, 1)
  const csv = await ada.get(path, { accept: 'text/csv' })
  const lines = csv.text.trimEnd().split('\r\n')
  assert.equal(lines[0], 'link_id,member_id,member_name,file_id,file_name,version,network,counted,created_at')
  assert.deepEqual([lines.length, lines.at(-1)], [4, '# complete'])
  assert.match(lines[1] ?? '', /^dlk_\w{26},mem_\w{26},Dev Patel,dpf_\w{26},recipes.txt,1,127.0.0.0\/24,true,2/)
  assert.equal((await dev.get(path)).status, 403)
})

suite('two processes on one database', () => {
  let second: AppProcess

  before(async () => {
    const { database, secret, folder } = app
    second = await startAppProcess({ databaseUrl: database.appUrl, secret, ca: '', folder })
  })
  after(() => second.stop())

  test('of eight first bytes of eight links at once, the limit of three succeed', async () => {
    const ada = await seller(app)
    const product = await sellProduct(ada, { name: 'Three of eight', download_limit: 3 })
    await give(app, ada, product, 'dev')
    const dev = await buyer(app, 'dev')
    const links = await Promise.all(
      Array.from({ length: 8 }, () => dev.write('POST', buildLinksPath(product.files[0]))),
    )
    const replies = await Promise.all(
      links.map(({ json }, index) => follow(json.url, { port: index % 2 === 0 ? app.port : second.port })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 200, 409, 409, 409, 409, 409])
    const [counted] = await app.database.query<{ used: number }>(
      'select used from download_counts where file_id = $1 and member_id = $2',
      [fromId('dpf', product.files[0] ?? ''), await readMemberId(app, 'dev')],
    )
    assert.equal(counted?.used, 3)
    // What was refused can still be counted when the limit grows.
    await ada.write('PATCH', product.path, { download_limit: 4 })
    const refused = links.filter((_, index) => replies[index]?.status === 409)
    const statuses = await Promise.all(refused.map(({ json }) => follow(json.url)))
    assert.deepEqual(statuses.map(({ status }) => status).sort(), [200, 409, 409, 409, 409])
  })

  test('of many first ranges of one link at once, one counts', async () => {
    const ada = await seller(app)
    const product = await sellProduct(ada, { name: 'One link', download_limit: 5 }, ['0123456789'])
    await give(app, ada, product, 'dev')
    const dev = await buyer(app, 'dev')
    const { url } = (await dev.write('POST', buildLinksPath(product.files[0]))).json
    const parts = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        follow(url, { port: at % 2 === 0 ? app.port : second.port, headers: { range: `bytes=${at}-${at}` } }),
      ),
    )
    assert.equal(parts.map(({ text }) => text).join(''), '0123456789')
    const { data } = (await dev.get('/account/downloads')).json
    const own = data.find(({ product_id }: { product_id: string }) => product_id === product.id)
    assert.equal(own.files[0].downloads_left, 4)
  })
})

test('a link is signed for its address, so the file behind it stays out of reach by /files', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'One way in' })
  await give(app, ada, product, 'dev')
  const dev = await buyer(app, 'dev')
  const { url } = (await dev.write('POST', buildLinksPath(product.files[0]))).json
  const [version] = (await ada.get(`${product.path}/files/${product.files[0]}/versions`)).json.data
  const { search } = new URL(url)
  assert.equal((await fetched(`${app.a.baseUrl}/files/${version.file_id}/recipes.txt${search}`)).status, 404)
})
