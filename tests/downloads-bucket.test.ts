import assert from 'node:assert/strict'
import { after } from 'node:test'
import { openFiles } from '#src/store/index.ts'
import { testApp } from '#testing/app.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { type ObjectStore, startObjectStore } from '#testing/object-store.ts'
import { buyer, give, seller, sellProduct } from '#testing/products.ts'
import { fetched } from '#testing/uploads.ts'

let objects: ObjectStore | undefined
const app = testApp({
  files: async () => {
    objects = await startObjectStore()
    return openFiles({ s3: objects.place })
  },
})
const test = ledgerTest(app)
after(() => objects?.stop())

test('with a bucket a link leads to a signed address for ten minutes and counts once; HEAD is answered here', async () => {
  const ada = await seller(app)
  const product = await sellProduct(ada, { name: 'In a bucket', download_limit: 2 }, ['0123456789'])
  await give(app, ada, product, 'dev')
  const dev = await buyer(app, 'dev')
  const { url } = (await dev.write('POST', `/account/downloads/${product.files[0]}/links`)).json
  const left = async (): Promise<number> =>
    (await dev.write('POST', `/account/downloads/${product.files[0]}/links`)).json.left
  const head = await fetched(url, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length'), await left()], [200, '10', 2])
  const led = await fetched(url)
  assert.deepEqual([led.status, led.headers.get('cache-control')], [307, 'private, no-store'])
  const location = new URL(led.headers.get('location') ?? '')
  assert.equal(location.searchParams.get('X-Amz-Expires'), '600')
  assert.equal(await left(), 1)
  const range = { headers: { range: 'bytes=2-4' } }
  const part = await fetched(location.href, range)
  assert.deepEqual([part.status, part.bytes.toString()], [206, '234'])
  assert.match(part.headers.get('content-disposition') ?? '', /recipes\.txt/)
  const again = await fetched(url, range)
  assert.deepEqual([again.status, await left()], [307, 1])
  const [gift] = (await ada.get(`${product.path}/gifts`)).json.data
  await ada.write('DELETE', `${product.path}/gifts/${gift.id}`)
  assert.equal((await fetched(url)).status, 404)
})
