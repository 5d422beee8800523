import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { PASSWORD, testApp } from '#testing/app.ts'
import { sizes, startChromium, watchPage } from '#testing/chromium.ts'
import { authorizePath, pkce, register } from '#testing/oauth.ts'

const app = testApp()
let chromium: Browser
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const assertAccessible = async (page: Page): Promise<void> => {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`),
    [],
  )
}

const assertFits = async (page: Page): Promise<void> => {
  const wider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  assert.equal(wider, false, 'the page scrolls sideways')
}

/** A client's callback on a loopback port; resolves with the query it is called with. */
const listen = async (host: string): Promise<{ port: number; called: Promise<URLSearchParams>; close(): void }> => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  const called = new Promise<URLSearchParams>(resolve => {
    server.on('request', (request, reply) => {
      if (request.url?.startsWith('/callback?')) resolve(new URL(request.url, 'http://client.invalid').searchParams)
      reply
        .setHeader('content-type', 'text/html')
        .end(
          '<!doctype html><html lang="en"><title>Done</title><link rel="icon" href="data:,"><p>You can close this window.',
        )
    })
  })
  return { port: (server.address() as { port: number }).port, called, close: () => server.close() }
}

for (const [size, viewport] of Object.entries(sizes)) {
  for (const [host, literal] of [
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '[::1]'],
  ] as const) {
    test(`a person signs in and allows an app on ${literal}, on a ${size}`, async () => {
      const callback = await listen(host)
      const context = await chromium.newContext({
        viewport,
        ...(size === 'phone' ? { colorScheme: 'dark' as const } : {}),
      })
      const page = await context.newPage()
      const complaints = watchPage(page, app.a.baseUrl)
      const redirectUri = `http://${literal}:${callback.port}/callback`
      const { json: client } = await register(app.port, app.a, { redirect_uris: [redirectUri] })
      const scope = 'openid profile school:read school:write account:read orders:read members:read'
      const path = authorizePath({
        client_id: client.client_id,
        redirect_uri: redirectUri,
        scope,
        state: 'kneaded',
        code_challenge: pkce().challenge,
      })
      await page.goto(`${app.a.baseUrl}${path}`)
      await assertAccessible(page)
      await assertFits(page)
      await page.fill('input[name=email]', 'ben@crumb.example')
      await page.fill('input[name=password]', 'not the password')
      await page.click('button[type=submit]')
      assert.match((await page.textContent('[role=alert]')) ?? '', /not right/)
      await assertAccessible(page)
      // A refused sign-in is a 400 by design, and Chromium says so in its console.
      assert.deepEqual(
        complaints.filter(text => !/status of 400/.test(text)),
        [],
      )
      complaints.length = 0
      await page.fill('input[name=password]', PASSWORD)
      await page.click('button[type=submit]')
      await page.waitForSelector('input[name=scope]')
      await assertAccessible(page)
      await assertFits(page)
      assert.match((await page.textContent('main')) ?? '', /not verified/)
      await page.uncheck('input[value="school:write"]')
      assert.deepEqual([...complaints], [])
      await Promise.all([callback.called, page.click('button[value=approve]')])
      const query = await callback.called
      assert.equal(query.get('state'), 'kneaded')
      assert.equal(query.get('iss'), app.a.baseUrl)
      assert.ok(query.get('code')?.startsWith('stoa_ac_'))
      assert.deepEqual(
        complaints.filter(text => !text.startsWith('foreign: http://') || text.includes('stoa.css')),
        [],
      )
      await context.close()
      callback.close()
    })
  }

  test(`the open pages are legible on a ${size}, complain of nothing and load nothing from elsewhere`, async () => {
    const context = await chromium.newContext({ viewport })
    for (const path of ['/', '/problems/insufficient_scope', '/problems/invalid_grant']) {
      const page = await context.newPage()
      const complaints = watchPage(page, app.a.baseUrl)
      await page.goto(`${app.a.baseUrl}${path}`)
      await assertAccessible(page)
      await assertFits(page)
      assert.deepEqual(complaints, [], path)
      await page.close()
    }
    await context.close()
  })
}

test('the API reference shows every operation, complains of nothing and sends no request elsewhere', async () => {
  const context = await chromium.newContext({ viewport: sizes.desktop })
  const page = await context.newPage()
  const complaints = watchPage(page, app.a.baseUrl)
  await page.goto(`${app.a.baseUrl}/docs`)
  await page.getByText("Change the school's settings").first().waitFor({ timeout: 20_000 })
  await page.waitForLoadState('networkidle')
  assert.deepEqual(complaints, [])
  await context.close()
})
