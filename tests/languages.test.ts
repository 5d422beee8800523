import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { chooseLanguage } from '#src/contract/language.ts'
import { people } from '#src/demo/index.ts'
import { enterAccount } from '#testing/account-pages.ts'
import { PASSWORD, testApp } from '#testing/app.ts'
import { openBrowser } from '#testing/browser.ts'
import type { TestReply } from '#testing/http.ts'
import { authorizePath, CALLBACK, openConsent, pkce, register } from '#testing/oauth.ts'

const app = testApp()
const PT = { 'accept-language': 'pt-PT,pt;q=0.9,en;q=0.5' }
const EN = { 'accept-language': 'en-GB,en;q=0.9' }

const findLang = ({ text }: TestReply): string | undefined => /<html lang="(\w+)">/.exec(text)?.[1]
const browserAt = () => openBrowser(app.port, app.a)

const request = async (more: Readonly<Record<string, string>> = {}) => ({
  client_id: String((await register(app.port, app.a)).json.client_id),
  redirect_uri: CALLBACK,
  scope: 'openid',
  code_challenge: pkce().challenge,
  ...more,
})

const setLocale = (locale: string | null): Promise<unknown> =>
  app.database.query('update members set locale = $1 where email = $2', [locale, people.dev.email])

suite('the language of a page', () => {
  const table: readonly (readonly [Parameters<typeof chooseLanguage>[0], 'en' | 'pt'])[] = [
    [{ school: 'pt-PT' }, 'pt'],
    [{ school: 'de' }, 'en'],
    [{ browser: 'pt', school: 'en' }, 'pt'],
    [{ browser: 'en;q=0.4, pt;q=0.5', school: 'en' }, 'pt'],
    [{ browser: 'pt;q=0, en', school: 'pt' }, 'en'],
    [{ browser: 'fr, de;q=0.9', school: 'pt' }, 'pt'],
    [{ browser: '*', school: 'pt' }, 'pt'],
    [{ browser: `${'pt;q=0,'.repeat(1000)};;=,q`, school: 'en' }, 'en'],
    [{ member: 'pt', browser: 'en', school: 'en' }, 'pt'],
    [{ member: 'de', browser: 'pt', school: 'en' }, 'pt'],
    [{ member: null, browser: 'pt', school: 'en' }, 'pt'],
    [{ chosen: 'pt', browser: 'en', school: 'en' }, 'pt'],
    [{ chosen: 'de', browser: 'pt', school: 'en' }, 'pt'],
    [{ member: 'en', chosen: 'pt', browser: 'pt', school: 'pt' }, 'en'],
    [{ member: 'de', chosen: 'pt', browser: 'en', school: 'en' }, 'pt'],
    [{ uiLocales: 'en', chosen: 'pt', school: 'pt' }, 'en'],
    [{ uiLocales: 'fr en', member: 'pt', browser: 'pt', school: 'pt' }, 'en'],
    [{ uiLocales: 'fr', member: 'pt', browser: 'en', school: 'en' }, 'pt'],
  ]
  for (const [wishes, language] of table)
    test(`${JSON.stringify(wishes).slice(0, 80)}: ${language}`, () => assert.equal(chooseLanguage(wishes), language))
})

test('ui_locales, then the member, then the browser, then the school choose the language of an authorization', async () => {
  const signIn = async (more: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) =>
    findLang(await browserAt().open(authorizePath(await request(more)), headers))
  assert.deepEqual([await signIn({}, {}), await signIn({}, PT)], ['en', 'pt'])
  assert.deepEqual([await signIn({ ui_locales: 'en' }, PT), await signIn({ ui_locales: 'pt' }, EN)], ['en', 'pt'])
  const browser = browserAt()
  await openConsent(browser, { email: people.dev.email, password: PASSWORD }, await request())
  await setLocale('pt-PT')
  assert.equal(findLang(await browser.open(authorizePath(await request()), EN)), 'pt')
  assert.equal(findLang(await browser.open(authorizePath(await request({ ui_locales: 'en' })), PT)), 'en')
  await setLocale(null)
})

test('the pages of the account speak the language of the member, and to a stranger that of the browser', async () => {
  const dev = await enterAccount({ port: app.port, school: app.a, email: people.dev.email, password: PASSWORD })
  assert.equal(findLang(await dev.open('/account', PT)), 'pt')
  await setLocale('en')
  assert.equal(findLang(await dev.open('/account', PT)), 'en')
  for (const path of ['/account/sign-in', '/account/reset', '/account/signed-out']) {
    assert.equal(findLang(await browserAt().open(path, PT)), 'pt', path)
    assert.equal(findLang(await browserAt().open(path, EN)), 'en', path)
    assert.equal(findLang(await browserAt().open(path)), 'en', path)
  }
})

test('a refusal is a page in the language of browser or school, with its code and the way to the home page', async () => {
  const handle = 'x'.repeat(43)
  const refusals: readonly (readonly [path: string, status: number, code: string, phrase: RegExp])[] = [
    [authorizePath({ client_id: 'c1_nobody' }), 400, 'invalid_client', /não está registada aqui/],
    [authorizePath(await request({ redirect_uri: 'https://evil.example/' })), 400, 'invalid_redirect_uri', /registou/],
    [`/oauth/authorize/consent?request=${handle}`, 400, 'invalid_request', /expirou ou foi começado noutro navegador/],
    [`/oauth/invitation?invitation=${handle}`, 400, 'invalid_request', /Este convite expirou/],
    ['/oauth/nowhere', 404, 'not_found', /Não há nada neste endereço/],
  ]
  for (const [path, status, code, phrase] of refusals) {
    const [english, portuguese] = [await browserAt().open(path), await browserAt().open(path, PT)]
    for (const page of [english, portuguese]) {
      assert.equal(page.status, status, path)
      assert.ok(page.text.includes(`<code>${code}</code>`), path)
      assert.match(page.text, /<a href="\/">[^<]+Crumb &amp; Crust<\/a>/, path)
    }
    assert.deepEqual([findLang(english), findLang(portuguese)], ['en', 'pt'], path)
    assert.match(portuguese.text, phrase)
    assert.doesNotMatch(english.text, phrase)
    assert.doesNotMatch(portuguese.text, /<h1>This request|<h1>There is/, path)
  }
})

test('replies to clients stay English, whatever language the browser prefers', async () => {
  const { json } = await app.send({ path: authorizePath({ client_id: 'c1_nobody' }), headers: PT })
  assert.deepEqual([json.error, /^The app is not registered/.test(json.error_description)], ['invalid_client', true])
})

test('an unknown host gets a page that names no school, and on loopback only links to their addresses', async () => {
  const { status, text } = await app.send({
    path: '/nowhere',
    host: 'nobody.example',
    headers: { accept: 'text/html', ...PT },
  })
  assert.equal(status, 404)
  assert.doesNotMatch(text, /Crumb/)
  const links = [...text.matchAll(/<a href="([^"]*)">/g)].map(([, href]) => href)
  assert.deepEqual(new Set(links), new Set([`${app.a.baseUrl}/`, `${app.b.baseUrl}/`]))
})
