import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { testApp } from '#testing/app.ts'
import { type AppProcess, startAppProcess } from '#testing/app-process.ts'
import { send, type TestReply } from '#testing/http.ts'
import { ledgerTest } from '#testing/ledger.ts'
import { buyer, give, seller, sellProduct } from '#testing/products.ts'
import { computeRounds } from '#testing/rounds.ts'

const ROUNDS = computeRounds(200)
const app = testApp()
const test = ledgerTest(app)
let second: AppProcess

const follow = (url: string, port: number): Promise<TestReply> => {
  const { pathname, search, host } = new URL(url)
  return send(port, { path: pathname + search, host })
}

suite('two processes on one database', () => {
  before(async () => {
    const { appUrl: databaseUrl } = app.database
    second = await startAppProcess({ databaseUrl, secret: app.secret, ca: '', folder: app.folder })
  })
  after(() => second.stop())

  test(`in ${ROUNDS} rounds of the first bytes of several links at once no more are counted than the limit has left`, async () => {
    const ada = await seller(app)
    const product = await sellProduct(ada, { name: 'One more each round', download_limit: 1 })
    await give(app, ada, product, 'dev')
    const dev = await buyer(app, 'dev')
    const link = () => dev.write('POST', `/account/downloads/${product.files[0]}/links`)
    const waiting = (await Promise.all([link(), link(), link()])).map(({ json }) => String(json.url))
    for (let round = 1; round <= ROUNDS; round++) {
      const replies = await Promise.all(
        waiting.map((url, at) => follow(url, (at + round) % 2 === 0 ? app.port : second.port)),
      )
      const statuses = replies.map(({ status }) => status)
      assert.deepEqual(statuses.toSorted(), [200, 409, 409], `round ${round}`)
      // The link that was counted is free from now on; another one takes its place when the limit has grown.
      const limit = await ada.write('PATCH', product.path, { download_limit: round + 1 })
      assert.equal(limit.status, 200, limit.text)
      waiting[statuses.indexOf(200)] = String((await link()).json.url)
    }
  })
})
