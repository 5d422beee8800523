import assert from 'node:assert/strict'
import { test } from 'node:test'
import { people } from '#src/demo/index.ts'
import { enterAccount, formatCookie, formTo, listFields, listForms } from '#testing/account-pages.ts'
import { PASSWORD, type PersonName, testApp } from '#testing/app.ts'
import { type Browser, openBrowser } from '#testing/browser.ts'
import { form, type TestReply } from '#testing/http.ts'
import { authorizePath } from '#testing/oauth.ts'

let statements = 0
const app = testApp({
  cachesPublicReads: true,
  onStatement: () => {
    statements += 1
  },
})

const PATH = '/account/language'
const EN = { 'accept-language': 'en' }

const visit = (): Browser => openBrowser(app.port, app.a)
const enter = (name: PersonName): Promise<Browser> =>
  enterAccount({ port: app.port, school: app.a, email: people[name].email, password: PASSWORD })

const findLang = ({ text }: TestReply): string | undefined => /<html lang="(\w+)">/.exec(text)?.[1]

const buildAddress = (path: string): string => `${app.a.siteOrigin}${path}`

/** Chooses a language on a page, as a browser that says from which page a form is sent. */
const choose = async (browser: Browser, path: string, language: string): Promise<TestReply> => {
  const chosen = formTo(await browser.open(path, EN), PATH)
  return browser.submit(chosen, [['language', language]], { ...EN, referer: buildAddress(path) })
}

const readLocale = async (name: PersonName): Promise<string | null> =>
  (await (await app.actor(name, { scopes: ['account:read'] })).get('/account')).json.locale

const setLocale = (name: PersonName, locale: string | null): Promise<unknown> =>
  app.database.query('update members set locale = $1 where email = $2', [locale, people[name].email])

test('a visitor chooses a language on any page, comes back to it, and has every page in it', async () => {
  for (const path of ['/courses?page=1', '/nothing/here', '/account/sign-in?return_to=%2Flearn', '/search?q=bread']) {
    const browser = visit()
    assert.equal(findLang(await browser.open(path, EN)), 'en', path)
    const page = await choose(browser, path, 'pt')
    assert.equal(findLang(page), 'pt', path)
    assert.equal(page.text, (await browser.open(path, EN)).text, path)
    const refused = authorizePath({ client_id: 'c1_nobody' })
    for (const other of ['/', '/courses/sourdough-from-scratch', '/events', '/account/sign-up', '/checkout', refused])
      assert.equal(findLang(await browser.open(other, EN)), 'pt', `${path}, then ${other}`)
    assert.equal(findLang(await visit().open(path, EN)), 'en', path)
    assert.equal(findLang(await choose(browser, path, 'es')), 'es', path)
  }
})

test('the languages are named in themselves, and the one of the page cannot be chosen', async () => {
  for (const [language, label, others] of [
    ['en', 'Language', ['es', 'pt']],
    ['pt', 'Idioma', ['en', 'es']],
  ] as const) {
    const { text } = await visit().open('/courses', { 'accept-language': language })
    const [switched = ''] = /<form class="languages"[\s\S]*?<\/form>/.exec(text) ?? []
    assert.match(switched, new RegExp(`aria-label="${label}"`))
    const values = [...switched.matchAll(/<button [^>]*value="(\w+)" lang="\1">/g)].map(([, value]) => value)
    assert.deepEqual(values, others)
    assert.match(switched, new RegExp(`<span lang="${language}" aria-current="true">`))
    for (const name of ['English', 'Español', 'Português']) assert.ok(switched.includes(`>${name}<`), name)
  }
})

test('the cookie has the language alone, for a year, and no script reads it', async () => {
  const chosen = await app.send(form(PATH, { language: 'pt' }, { referer: buildAddress('/events') }))
  assert.deepEqual([chosen.status, chosen.headers.location], [303, '/events'])
  const name = `stoa-local-language-${app.port}`
  assert.deepEqual(chosen.headers['set-cookie'], [`${name}=pt; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000`])
})

test('whoever is signed in chooses it for the account, and with it for every browser and mail', async () => {
  const [here, elsewhere] = [await enter('femi'), await enter('femi')]
  await setLocale('femi', 'en')
  for (const [path, language] of [
    ['/courses', 'pt'],
    ['/account/profile', 'es'],
    ['/learn', 'en'],
    ['/', 'pt'],
  ] as const) {
    assert.equal(findLang(await choose(here, path, language)), language, path)
    assert.equal(await readLocale('femi'), language, path)
    assert.equal(findLang(await elsewhere.open('/account', EN)), language, path)
  }
  await setLocale('femi', 'en')
  assert.equal(
    findLang(await here.open('/courses', EN)),
    'en',
    'the account comes before what was chosen in the browser',
  )
  here.cookies.delete(`stoa-local-session-${app.port}`)
  assert.equal(findLang(await here.open('/courses', EN)), 'pt', 'signed out, the browser has what was chosen in it')
})

test('a form without the token of this session changes no account, and one of another site nothing at all', async () => {
  const [femi, eli] = [await enter('femi'), await enter('eli')]
  await setLocale('femi', 'en')
  const own = formTo(await eli.open('/courses'), PATH)
  const headers = { cookie: formatCookie(femi), accept: 'text/html' }
  for (const fields of [{ language: 'pt' }, listFields(own, { language: 'pt' })]) {
    const reply = await app.send(form(PATH, fields, headers))
    assert.equal(reply.status, 303)
    assert.equal(await readLocale('femi'), 'en')
  }
  const mine = listFields(formTo(await femi.open('/courses'), PATH), { language: 'pt' })
  for (const foreign of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
    const reply = await app.send(form(PATH, mine, { ...headers, ...foreign }))
    assert.deepEqual([reply.status, reply.headers['set-cookie']], [403, undefined])
    assert.equal(await readLocale('femi'), 'en')
  }
})

test('it leads back to pages of the school alone', async () => {
  const hostile = [
    'https://evil.example/courses',
    '//evil.example/',
    '/\\evil.example',
    `${app.a.siteOrigin}//evil.example`,
    `${app.a.siteOrigin}@evil.example/`,
    'javascript:alert(1)',
    'http://[',
    PATH,
    '',
  ]
  for (const address of hostile) {
    for (const reply of [
      await app.send(form(PATH, { language: 'pt', return_to: address })),
      await app.send(form(PATH, { language: 'pt' }, { referer: address })),
    ])
      assert.deepEqual([reply.status, reply.headers.location], [303, '/'], address)
    const { text } = await visit().open(`${PATH}?${new URLSearchParams({ return_to: address })}`)
    assert.match(text, /<input type="hidden" name="return_to" value="\/">/, address)
  }
})

test('what is no language of ours chooses none, in a form and in a cookie', async () => {
  for (const language of ['de', '', 'pt-PT', 'PT', 'toString', 'pt; Path=/x']) {
    const reply = await app.send(form(PATH, { language }))
    assert.deepEqual([reply.status, reply.headers['set-cookie']], [303, undefined], language)
  }
  const name = `stoa-local-language-${app.port}`
  for (const value of ['de', '', 'toString', '__proto__', 'x'.repeat(4000), '"pt"', '%70t'])
    assert.equal(findLang(await app.send({ path: '/courses', headers: { ...EN, cookie: `${name}=${value}` } })), 'en')
  const others = [`stoa-local-language-1=pt`, `x${name}=pt`, `theme=${name}=pt`]
  for (const cookie of others)
    assert.equal(findLang(await app.send({ path: '/courses', headers: { ...EN, cookie } })), 'en', cookie)
  const first = { ...EN, cookie: `theme=dark; ${name}=es; ${name}=pt` }
  assert.equal(findLang(await app.send({ path: '/courses', headers: first })), 'es')
})

test('a page in a chosen language comes from the cache, and is nobody else’s', async () => {
  const cookie = `stoa-local-language-${app.port}=pt`
  const readCached = async (headers: Readonly<Record<string, string | readonly string[]>>): Promise<TestReply> => {
    for (let tries = 0; tries < 50; tries++) {
      await app.send({ path: '/courses', headers })
      const before = statements
      const reply = await app.send({ path: '/courses', headers })
      if (statements === before) return reply
    }
    throw new Error('the page was not cached')
  }
  const readers: readonly (readonly [Readonly<Record<string, string | readonly string[]>>, string])[] = [
    [EN, 'en'],
    [{ ...EN, cookie }, 'pt'],
    [{ 'accept-language': 'pt' }, 'pt'],
    [{ 'accept-language': 'pt', cookie: cookie.replace(/pt$/, 'en') }, 'en'],
    // The first line counts, for the page and for what it is kept by.
    [{ 'accept-language': ['fr', 'pt'] }, 'en'],
  ]
  for (let round = 0; round < 3; round++)
    for (const [headers, language] of readers) {
      const page = await readCached(headers)
      assert.equal(findLang(page), language, JSON.stringify(headers))
      assert.equal(page.headers.vary, 'Accept-Language, Cookie, Accept-Encoding')
      assert.equal(page.headers['set-cookie'], undefined)
    }
  const { etag = '' } = (await readCached(EN)).headers
  const other = await app.send({ path: '/courses', headers: { ...EN, cookie, 'if-none-match': etag } })
  assert.deepEqual([other.status, findLang(other)], [200, 'pt'])
})

test('the menu of a school that names our pages as we do is in the language of the reader, and its own names in its own', async () => {
  const ada = await app.actor('ada', { scopes: ['appearance:read', 'appearance:write'] })
  const { json, headers } = await ada.get('/appearance/draft')
  const named = ['logo_file_id', 'logo_dark_file_id', 'favicon_file_id', 'social_image_file_id', 'colors', 'fonts']
  const kept = [...named, 'radius', 'width', 'announcement', 'custom_css']
  const link = (label: string, href: string) => ({ label, href, page_id: null })
  const draft = {
    ...Object.fromEntries(kept.map(field => [field, json[field]])),
    email: { header_image_file_id: null, footer: null },
    sign_in: { image_file_id: null, text: null },
    navigation: [
      { ...link('Courses', '/courses'), children: [link('Bread', '/courses?category=bread')] },
      { ...link('Events', '/events'), children: [] },
      { ...link('Our team', '/lecturers'), children: [] },
    ],
    footer: { text: 'Baked in Porto', links: [link('Blog', '/blog'), link('Opening hours', '/blog')], social: [] },
  }
  const put = await ada.write('PUT', '/appearance/draft', draft, { 'if-match': String(headers.etag) })
  assert.equal(put.status, 200, put.text)
  const published = await ada.write('POST', '/appearance/publications', undefined, {
    'if-match': String(put.headers.etag),
  })
  assert.equal(published.status, 201, published.text)
  const { text } = await visit().open('/courses', { 'accept-language': 'pt' })
  for (const part of ['>Cursos</summary>', 'href="/events">Eventos</a>', '>Cursos</a>'])
    assert.ok(text.includes(part), part)
  for (const own of ['Bread', 'Our team', 'Opening hours'])
    assert.ok(text.includes(`<span lang="en" dir="auto">${own}</span>`), own)
  assert.ok(text.includes('<p class="footer-text" lang="en" dir="auto">Baked in Porto</p>'))
  assert.match((await visit().open('/courses', EN)).text, /href="\/events">Events<\/a>/)
})

test('a page with the CSS of the school leads to the choice, which leads back', async () => {
  const ada = await app.actor('ada', { scopes: ['appearance:read', 'appearance:write'] })
  const { json, headers } = await ada.get('/appearance/draft')
  const named = ['logo_file_id', 'logo_dark_file_id', 'favicon_file_id', 'social_image_file_id', 'colors', 'fonts']
  const kept = [...named, 'radius', 'width', 'navigation', 'announcement', 'footer']
  const more = { email: { header_image_file_id: null, footer: null }, sign_in: { image_file_id: null, text: null } }
  const draft = { ...Object.fromEntries(kept.map(field => [field, json[field]])), ...more, custom_css: 'h1 { top: 0 }' }
  const put = await ada.write('PUT', '/appearance/draft', draft, { 'if-match': String(headers.etag) })
  const revision = { 'if-match': String(put.headers.etag) }
  assert.equal((await ada.write('POST', '/appearance/publications', undefined, revision)).status, 201)
  const browser = visit()
  const page = await browser.open('/developers', EN)
  assert.deepEqual(listForms(page), [])
  const [, href = ''] = /<a class="languages" href="([^"]+)">/.exec(page.text) ?? []
  assert.equal(href, `${PATH}?return_to=%2Fdevelopers`)
  const choice = formTo(await browser.open(href, EN), PATH)
  const back = await browser.submit(choice, [['language', 'pt']], { ...EN, referer: buildAddress(href) })
  assert.match(back.text, /<html lang="pt">[\s\S]*class="school-content"/)
})
