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
const page = (texts: readonly string[]): string => `<!doctype html><meta charset="utf-8"><script>
  window.ran = []
  window.alert = value => window.ran.push(value)
</script>${texts.map(text => `<section>${text}</section>`).join('')}`

const INSPECT = `(() => {
  const found = section => [...section.querySelectorAll('*')].flatMap(element => [
    element.localName + (element.namespaceURI === 'http://www.w3.org/1999/xhtml' ? '' : ' of another language'),
    ...[...element.attributes].map(({ name }) => '@' + name),
  ])
  const sections = [...document.querySelectorAll('section')].map(section => {
    const first = found(section)
    section.innerHTML = section.innerHTML
    return { names: [...first, ...found(section)], links: [...section.querySelectorAll('a[href]')].map(link => link.protocol) }
  })
  const names = ['attributes', 'cookie', 'currentScript', 'document', 'forms', 'getElementById', 'location', 'self', 'top']
  const shadowed = names.filter(name => window[name] instanceof HTMLElement || document[name] instanceof HTMLElement)
  return { sections, shadowed, ran: window.ran }
})()`

type Inspected = {
  readonly sections: readonly { readonly names: readonly string[]; readonly links: readonly string[] }[]
  readonly shadowed: readonly string[]
  readonly ran: readonly unknown[]
}

const listTexts = (profile: ProfileName): string[] =>
  (['html', 'markdown'] as const).flatMap(format =>
    attacks.map(attack => {
      const text = renderBody(profile, attack, format)
      assert.ok(typeof text !== 'string')
      return text.body_html
    }),
  )

for (const profile of Object.keys(profiles) as ProfileName[])
  test(`${profile}: Chromium finds in a text only what the profile allows, and runs nothing`, async () => {
    const tab = await chromium.newPage()
    const texts = listTexts(profile)
    // Nothing else is fetched: which addresses a text may have is checked by other tests.
    await tab.route('**/*', route =>
      route.request().url() === ADDRESS
        ? route.fulfill({ contentType: 'text/html', body: page(texts) })
        : route.abort(),
    )
    const { allowedTags, allowedAttributes } = profiles[profile].allowed
    const attributes = new Set(Object.values(allowedAttributes || {}).flat())
    const isAllowed = (name: string): boolean =>
      name.startsWith('@')
        ? attributes.has(name.slice(1)) || (name === '@id' && profiles[profile].hasHeadingIds)
        : name === 'tbody' || (allowedTags || []).includes(name)
    await tab.goto(ADDRESS)
    const { sections, shadowed, ran } = (await tab.evaluate(INSPECT)) as Inspected
    assert.equal(sections.length, texts.length)
    for (const [index, { names, links }] of sections.entries()) {
      assert.deepEqual(
        names.filter(name => !isAllowed(name)),
        [],
        texts[index],
      )
      for (const protocol of links) assert.match(protocol, /^(?:https?|mailto|tel):$/, texts[index])
    }
    assert.deepEqual([shadowed, ran], [[], []])
    await tab.close()
  })
