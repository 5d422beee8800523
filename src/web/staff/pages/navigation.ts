import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { Navigation } from '#src/kit/html-page.ts'
import type { NavigationGroup } from '../section.ts'
import { staffText } from './text.ts'

const { navigation: text } = staffText

type NavigationView = {
  readonly groups: readonly NavigationGroup[]
  readonly language: Language
  /** The path of the page that is shown. */
  readonly path: string
}

// A page below an entry, such as an order, belongs to the entry.
const renderCurrent = (entry: string, path: string): Html | false => {
  if (entry === path) return html` aria-current="page"`
  return entry !== '/staff' && path.startsWith(`${entry}/`) && html` aria-current="true"`
}

const link = (href: string, name: string, path: string): Html =>
  html`<li><a href="${href}"${renderCurrent(href, path)}>${name}</a></li>
`

const renderGroup = ({ name, entries }: NavigationGroup, { language, path }: NavigationView): Html => {
  const links = entries.map(entry => link(entry.path, fill(entry.name, language), path))
  const heading = name && html`<p class="console-group">${fill(name, language)}</p>\n`
  const home = name === undefined && link('/staff', fill(text.home, language), path)
  return html`${heading}<ul>
${home}${links}</ul>
`
}

/** The navigation of the console: closed on a phone, beside the page on a wide screen. */
export const buildNavigation = (view: NavigationView): Navigation => {
  const { groups, language, path } = view
  const say = (phrase: Phrase): string => fill(phrase, language)
  return {
    skip: say(text.skip),
    html: html`<nav class="console-navigation" aria-label="${say(text.label)}">
<details class="console-menu">
<summary>${say(text.menu)}</summary>
${groups.map(group => renderGroup(group, view))}<p class="console-group">${say(text.elsewhere)}</p>
<ul>
${link('/', say(text.site), path)}${link('/account', say(text.account), path)}</ul>
</details>
</nav>`,
  }
}
