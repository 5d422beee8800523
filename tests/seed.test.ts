import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { freshSettings, stoa } from '#testing/stoa.ts'

let env: Record<string, string>

before(async () => {
  env = { ...(await freshSettings()), STOA_DEMO: '1' }
})
after(() => rm(env.STOA_DATA ?? '', { recursive: true, force: true }))

test('a school whose owner is another person than in the demo is filled with all of it, and again without effect', async () => {
  for (const url of ['http://127.0.0.1:4711']) {
    const created = await stoa(['schools', 'create', url, '--owner-email', 'olga@rye.example', '--name', 'Rye'], env)
    assert.equal(created.code, 0, created.err)
    const filled = await stoa(['seed', '--school', url], env)
    assert.equal(filled.code, 0, `${url}: ${filled.err}`)
    assert.match(filled.out, /^Created, with passwords/)
    const again = await stoa(['seed', '--school', url], env)
    assert.equal(again.code, 0, again.err)
    assert.match(again.out, /^The demo data already exists/)
  }
})
