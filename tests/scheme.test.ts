import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formTo } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import type { Browser } from '#testing/browser.ts'
import { form } from '#testing/http.ts'

const app = testApp({ cachesPublicReads: true })
const PATH = '/account/language'
const enter = (): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people.ada.email, password: PASSWORD })

const choose = async (browser: Browser, scheme: string) => {
  const page = await browser.open('/staff/courses')
  return browser.submit(formTo(page, PATH), [['scheme', scheme]], { referer: `${app.a.siteOrigin}/staff/courses` })
}

test('a scheme is chosen in the console, and console, account, learning and site have it while somebody is signed in', async () => {
  const browser = await enter()
  const first = await browser.open('/staff/courses')
  assert.doesNotMatch(first.text, /data-scheme/)
  assert.match(first.text, /<span aria-current="true">As the device<\/span>/)
  const chosen = await choose(browser, 'dark')
  assert.match(chosen.text, /<h1>Courses<\/h1>/, 'back on the page')
  assert.match(chosen.text, /<span aria-current="true">Dark<\/span>/)
  for (const path of ['/staff', '/account', '/learn', '/', '/courses/sourdough-from-scratch', '/nothing/here']) {
    const { text } = await browser.open(path, { accept: 'text/html' })
    assert.match(text, /<html data-scheme="dark"/, path)
    assert.match(text, /<meta name="color-scheme" content="dark">/, path)
    const sheets = [...text.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, href = '']) => href)
    assert.ok(sheets.length > 1 && sheets.every(href => href.endsWith('?scheme=dark')), `${path}: ${sheets}`)
    for (const href of sheets) {
      const { status, text: css } = await browser.open(href)
      assert.equal(status, 200, href)
      assert.doesNotMatch(css, /prefers-color-scheme|color-scheme:\s*light dark/, href)
    }
  }
  assert.match((await choose(browser, 'light')).text, /<html data-scheme="light"/)
  assert.doesNotMatch((await choose(browser, 'device')).text, /data-scheme/)
})

test('whoever is not signed in has the page of everybody, whatever the browser was told', async () => {
  const name = `stoa-local-scheme-${app.port}`
  for (const path of ['/', '/courses', '/account/sign-in']) {
    const plain = await app.send({ path })
    assert.doesNotMatch(plain.text, /data-scheme/, path)
    for (const cookie of [`${name}=dark`, `${name}=dark; stoa-local-session-${app.port}=nobody`]) {
      const { text } = await app.send({ path, headers: { cookie } })
      assert.doesNotMatch(text, /data-scheme|scheme=dark/, path)
    }
  }
  const same = await app.send({ path: '/', headers: { cookie: `${name}=dark` } })
  assert.equal(same.text, (await app.send({ path: '/' })).text)
  const browser = await enter()
  await choose(browser, 'dark')
  assert.match((await browser.open('/')).text, /data-scheme/)
})

test('the cookie has the scheme alone, for a year, and a word that is no scheme removes it', async () => {
  const name = `stoa-local-scheme-${app.port}`
  const attributes = 'Path=/; HttpOnly; SameSite=Lax'
  for (const [scheme, cookie] of [
    ['dark', `${name}=dark; ${attributes}; Max-Age=31536000`],
    ['device', `${name}=; ${attributes}; Max-Age=0`],
    ['"><script>', `${name}=; ${attributes}; Max-Age=0`],
  ] as const) {
    const reply = await app.send(form(PATH, { scheme }, { referer: `${app.a.siteOrigin}/events` }))
    assert.deepEqual([reply.status, reply.headers.location, reply.headers['set-cookie']], [303, '/events', [cookie]])
  }
  const foreign = await app.send(form(PATH, { scheme: 'dark' }, { 'sec-fetch-site': 'cross-site' }))
  assert.equal(foreign.headers['set-cookie'], undefined)
  const browser = await enter()
  const { text } = await browser.open('/staff', { cookie: `x=1; ${name}=evil"` })
  assert.doesNotMatch(text, /data-scheme/)
})
