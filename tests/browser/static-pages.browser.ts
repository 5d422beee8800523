import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { people } from '#src/demo/index.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { buildArchive, buildSite } from '#testing/archives.ts'
import { createWalk, type Size } from '#testing/browser-walk.ts'
import { enterPassword, sizes, startChromium } from '#testing/chromium.ts'
import { deployer, setPagesHost } from '#testing/deployments.ts'
import { startMailbox } from '#testing/mail.ts'
import { until } from '#testing/until.ts'

let mailbox: Awaited<ReturnType<typeof startMailbox>> | undefined
const app = testApp({
  mailbox: async () => {
    mailbox = await startMailbox()
    return mailbox
  },
})

let chromium: Browser
const walk = createWalk(app, () => chromium)
before(async () => {
  chromium = await startChromium()
})
after(() => Promise.all([chromium.close(), mailbox?.stop()]))

const sizeNames = Object.keys(sizes) as Size[]

// Both sizes begin without a host for static pages, which the tests after this one set.
test('staff upload versions, read why one is refused, look at one and show it to visitors, with a screen reader and on a phone', async () => {
  const ada = await deployer(app)
  const walkers = []
  for (const size of sizeNames) {
    const page = await ada.page(`/walked-${size}`)
    const walker = await walk.start(size)
    await walker.goto(`/staff/pages/${page}/bundles`)
    await walker.fill({ email: people.ada.email, password: PASSWORD })
    await walker.page.waitForURL(/bundles$/)
    await walker.look()
    walkers.push({ walker, page })
  }
  await setPagesHost(app)
  const bad = buildArchive([
    { name: 'index.html', data: 'x' },
    { name: `../${'long-'.repeat(40)}.txt`, data: 'x' },
  ])
  const good = buildSite({
    'index.html': '<h1>Open day</h1>',
    [`assets/${'bread-'.repeat(30)}.css`]: 'h1 { color: brown }',
  })
  for (const { walker, page } of walkers) {
    const { page: tab, look } = walker
    for (const [status, buffer] of [
      ['refused', bad],
      ['preview', good],
    ] as const) {
      await tab.setInputFiles('input[type=file]', { name: 'site.zip', mimeType: 'application/zip', buffer })
      await tab.click('form[enctype] button[type=submit]')
      await tab.waitForSelector('#done')
      const newest = async () => (await ada.get(`/pages/${page}/deployments`)).json.data[0]
      await until(async () => (await newest()).status === status, `a version that is ${status}`)
      await tab.goto(tab.url().replace(/\?.*/, ''))
      await look()
      await tab.click('main tbody .c-main a')
      await look()
      await tab.goBack()
    }
    await tab.click('form:has([value=promote]) button')
    await tab.waitForSelector('#done')
    await look()
    const shown = await tab.getAttribute('main tbody a[rel=noopener]', 'href')
    assert.match(shown ?? '', new RegExp(`^http://pages.localhost:${app.port}/`))
    await walker.close()
  }
  assert.deepEqual(await walk.missing('staffBundles'), [])
  await app.database.query(`delete from hosts where purpose = 'pages'`)
})

const outcome = `
const outcome = async work => {
  try {
    return String(await work())
  } catch (error) {
    return 'failed: ' + error.name
  }
}
`

/** What the script of a bundle tries against the school whose address is in the fragment. */
const script = `${outcome}
const school = decodeURIComponent(location.hash.slice(1))
const api = (path, init) => outcome(async () => {
  const answer = await fetch(school + path, { redirect: 'manual', ...init })
  return answer.type + ' ' + answer.status
})
const register = (script, scope) => outcome(async () => {
  await navigator.serviceWorker.register(script, scope && { scope })
  return 'registered'
})
const run = async () => ({
  cookies: await outcome(() => document.cookie),
  set: await outcome(() => {
    for (const path of ['/', '/account', '/staff', '/oauth'])
      document.cookie = 'stoa-evil=1; path=' + path
    return 'set'
  }),
  open: await api('/api/v1/courses'),
  credentials: await api('/api/v1/account', { credentials: 'include' }),
  account: await api('/account', { credentials: 'include' }),
  form: await api('/account/sign-out', { method: 'POST', credentials: 'include', body: new URLSearchParams({ a: 'b' }) }),
  own: await register('worker.js'),
  school: await register(school + '/assets/docs-page.js'),
  above: await register('worker.js', '/'),
  frame: await outcome(() => new Promise(resolve => {
    const frame = document.createElement('iframe')
    frame.onload = () => {
      try { resolve('read: ' + frame.contentDocument.title) } catch (error) { resolve('failed: ' + error.name) }
    }
    frame.src = school + '/account'
    document.body.append(frame)
  })),
})
run().then(results => { document.title = JSON.stringify(results) })
`

const site = buildSite({
  'index.html':
    '<!doctype html><meta charset="utf-8"><title>Trying</title><h1>Open day</h1><script src="try.js"></script>',
  'try.js': script,
  'worker.js': 'self.addEventListener("fetch", event => event.respondWith(new Response("mine")))',
})

/** Signs in; returns the address of the account. */
const signIn = async (page: Page): Promise<string> => {
  await page.goto(`${app.a.baseUrl}/account`)
  await page.fill('input[name=email]', people.ada.email)
  await enterPassword(page, PASSWORD)
  // The address of the form names the account too, as where it leads to.
  await page.waitForURL(url => url.pathname === '/account')
  return page.url()
}

const resultsAt = async (page: Page, address: string): Promise<Record<string, string>> => {
  await page.goto(`${address}#${encodeURIComponent(app.a.baseUrl)}`)
  await page.waitForFunction('document.title.startsWith("{")')
  return JSON.parse(await page.title())
}

test('a script of a bundle reads and sets no cookie of the school, calls no API as the person, and registers no worker', async () => {
  const ada = await deployer(app)
  const host = await setPagesHost(app)
  const id = await ada.page('/trying')
  const deployment = await ada.deployed(id, site)
  await ada.promote(id, deployment.id)
  await ada.publish(id)
  const context = await chromium.newContext()
  const page = await context.newPage()
  const account = await signIn(page)
  const cookiesOfSchool = async () =>
    (await context.cookies(app.a.baseUrl)).map(({ name, value }) => `${name}=${value}`).sort()
  const before = await cookiesOfSchool()
  for (const address of [`http://${host}/trying/`, deployment.preview_url]) {
    const results = await resultsAt(page, address)
    assert.match(results.cookies ?? '', /^(?:stoa-evil=1)?$/, 'it sees no cookie but its own')
    assert.equal(results.open, 'cors 200', 'what the API shows to everybody')
    assert.match(results.credentials ?? '', /^failed: TypeError$/, 'no answer of the API to a request with cookies')
    assert.match(results.account ?? '', /^failed: TypeError$/, 'no page of a person')
    assert.match(results.form ?? '', /^failed: TypeError$/)
    for (const worker of ['own', 'school', 'above']) assert.match(results[worker] ?? '', /^failed: /, worker)
    assert.match(results.frame ?? '', /^failed: |^read: $/, 'no page of a person in a frame')
  }
  assert.deepEqual(await cookiesOfSchool(), before, 'the cookies of the school are as they were')
  await page.goto(account)
  assert.match(await page.innerText('h1'), /^Hello, Ada/, 'and the person is still signed in')
  assert.deepEqual(await page.evaluate('navigator.serviceWorker.getRegistrations().then(all => all.length)'), 0)
  await context.close()
})
