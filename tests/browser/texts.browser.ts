import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type ProfileName, profiles } from '#src/kit/body/profiles.ts'
import { renderBody } from '#src/kit/body/render.ts'
import { attacks } from '#testing/attacks.ts'
import { startChromium } from '#testing/chromium.ts'

let chromium: Browser
before(async () => {
  chromium = await startChromium()
})
after(() => chromium.close())

const ADDRESS = 'http://texts.test/'

// Without any policy, so that the text alone decides; its own markup is parsed a second time, as an editor does it.
const page = (body: string): string => `<!doctype html><meta charset="utf-8"><script>
  window.ran = []
  window.alert = value => window.ran.push(value)
</script><main>${body}</main>`

const INSPECT = `(() => {
  const main = document.querySelector('main')
  const found = () => [...main.querySelectorAll('*')].flatMap(element => [
    element.localName + (element.namespaceURI === 'http://www.w3.org/1999/xhtml' ? '' : ' of another language'),
    ...[...element.attributes].map(({ name }) => '@' + name),
  ])
  const first = found()
  main.innerHTML = main.innerHTML
  const links = [...main.querySelectorAll('a[href]')].map(link => link.protocol)
  const names = ['attributes', 'cookie', 'currentScript', 'document', 'forms', 'getElementById', 'location', 'self', 'top']
  const shadowed = names.filter(name => window[name] instanceof HTMLElement || document[name] instanceof HTMLElement)
  return { first, again: found(), links, shadowed, ran: window.ran }
})()`

type Inspected = {
  readonly first: readonly string[]
  readonly again: readonly string[]
  readonly links: readonly string[]
  readonly shadowed: readonly string[]
  readonly ran: readonly unknown[]
}

for (const profile of Object.keys(profiles) as ProfileName[])
  test(`${profile}: Chromium finds in a text only what the profile allows, and runs nothing`, async () => {
    const tab = await chromium.newPage()
    let body = ''
    // Nothing else is fetched: which addresses a text may have is checked by other tests.
    await tab.route('**/*', route =>
      route.request().url() === ADDRESS ? route.fulfill({ contentType: 'text/html', body: page(body) }) : route.abort(),
    )
    const { allowedTags, allowedAttributes } = profiles[profile].allowed
    const attributes = new Set(Object.values(allowedAttributes || {}).flat())
    const isAllowed = (name: string): boolean =>
      name.startsWith('@')
        ? attributes.has(name.slice(1)) || (name === '@id' && profiles[profile].hasHeadingIds)
        : name === 'tbody' || (allowedTags || []).includes(name)
    for (const format of ['html', 'markdown'] as const)
      for (const attack of attacks) {
        const text = renderBody(profile, attack, format)
        assert.ok(typeof text !== 'string')
        body = text.body_html
        await tab.goto(ADDRESS, { waitUntil: 'domcontentloaded' })
        const { first, again, links, shadowed, ran } = (await tab.evaluate(INSPECT)) as Inspected
        assert.deepEqual(
          [...first, ...again].filter(name => !isAllowed(name)),
          [],
          attack,
        )
        assert.deepEqual([shadowed, ran], [[], []], attack)
        for (const protocol of links) assert.match(protocol, /^(?:https?|mailto|tel):$/, attack)
      }
    await tab.close()
  })
