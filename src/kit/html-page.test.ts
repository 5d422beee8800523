import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from './html.ts'
import { consolePage, page, pageHeaders, redirectingPageHeaders, withBar } from './html-page.ts'

const csp = 'content-security-policy'

test('a page loads nothing from elsewhere, runs no script, is in no frame and is not kept', () => {
  const { [csp]: policy = '', ...others } = pageHeaders
  assert.deepEqual(policy.split('; ').sort(), [
    "base-uri 'none'",
    "default-src 'none'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self'",
    "manifest-src 'self'",
    "style-src 'self'",
  ])
  assert.deepEqual(others, {
    'content-type': 'text/html; charset=utf-8',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  })
})

test('a page that redirects to a client says nothing about forms, and else the same', () => {
  const { [csp]: policy = '', ...others } = pageHeaders
  const { [csp]: redirecting, ...same } = redirectingPageHeaders
  assert.equal(redirecting, policy.replace("form-action 'self'; ", ''))
  assert.deepEqual(same, others)
})

test('language and title are escaped, the body is taken as it is', () => {
  const text = page({ lang: 'pt"><b>', title: '</title><script>', body: html`<p>${'<i>'}</p>` })
  assert.ok(text.startsWith('<!doctype html>\n<html lang="pt&quot;&gt;&lt;b&gt;">'), text)
  assert.ok(text.includes('<title>&lt;/title&gt;&lt;script&gt;</title>'), text)
  assert.ok(text.includes('<main>\n<p>&lt;i&gt;</p>\n</main>'), text)
})

test('a page is wide on request', () => {
  const parts = { lang: 'en', title: 't', body: html`` }
  assert.ok(page({ ...parts, isWide: true }).includes('<main class="wide">'))
  for (const text of [page(parts), page({ ...parts, isWide: false })]) assert.ok(text.includes('<main>'), text)
})

test('a page says whose it is, with a link to the home page where people may leave it', () => {
  const parts = { lang: 'en', title: 't', body: html`` }
  assert.ok(!page(parts).includes('<header'))
  const linked = page({ ...parts, brand: { name: 'Rye <b>', look: null, href: '/' } })
  assert.match(
    linked,
    /<header class="sheet-header"><a class="brand" href="\/"><svg [\s\S]*<\/svg><span dir="auto">Rye &lt;b&gt;<\/span><\/a><\/header>/,
  )
  assert.match(
    page({ ...parts, brand: { name: 'Rye', look: null } }),
    /<header class="sheet-header"><span class="brand"><svg /,
  )
})

test('a console has its own style sheet, and the color and the icon of the school', () => {
  const look = { styleSheet: '/a.css', favicon: '/i.png' }
  const inside = { bar: html`<p>$&</p>`, navigation: html`<nav>$1</nav>`, main: html`<h1>&amp;</h1>` }
  const text = consolePage({ lang: 'ar', title: '<body>', skip: 'Skip <it>', look, ...inside })
  assert.match(text, /<html lang="ar" dir="rtl" class="console">/)
  assert.match(text, /console\.css">\n<link rel="stylesheet" href="\/a\.css">\n<\/head>/)
  assert.doesNotMatch(text, /(?:stoa|base|site)\.css/)
  assert.match(
    text,
    /<a class="skip" href="#main">Skip &lt;it&gt;<\/a>\n<div class="app">\n<header class="bar">\n<p>\$&<\/p>/,
  )
  assert.match(text, /<nav>\$1<\/nav>\n<main class="stage" id="main">\n<h1>&amp;<\/h1>/)
})

test('a row of links takes the place of the name of the school, once, and a link jumps over it', () => {
  const brand = { name: 'The $& <main> school', look: null, href: '/' }
  const document = page({ lang: 'en', title: '<body>', brand, body: html`<p>$1</p>` })
  const bar = html`<div class="bar">$&</div>`
  const text = withBar(document, bar, 'Skip <it>')
  assert.match(text, /<body>\n<a class="skip" href="#main">Skip &lt;it&gt;<\/a>\n<header class="site-header">/)
  assert.ok(text.includes('<header class="site-header">\n<div class="bar">$&</div>\n</header>\n<main id="main">'), text)
  assert.ok(!text.includes('class="brand"'), text)
  assert.equal(withBar(text, bar, 'Skip <it>'), text)
})

test('the font of most texts is asked for before the style sheets, unless the school has none of its own', () => {
  const at = (look: { readonly textFont?: string | null } | null) =>
    page({
      lang: 'en',
      title: 't',
      body: html``,
      brand: {
        name: 'Rye',
        look: look && { styleSheet: '/a.css', logo: null, logoDark: null, favicon: null, ...look },
      },
    })
  assert.match(
    at(null),
    /<link rel="preload" href="\/assets\/fonts\/noto-sans-latin-400\.woff2" as="font"[^>]* crossorigin>\n<link rel="stylesheet"/,
  )
  assert.match(at({ textFont: '/assets/fonts/lora-latin-400.woff2' }), /href="\/assets\/fonts\/lora-latin-400\.woff2"/)
  for (const look of [{}, { textFont: null }]) assert.doesNotMatch(at(look), /preload/)
})
