import { colorNames, schemes } from '#src/areas/files/index.ts'
import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { renderConflict } from '#src/web/page/index.ts'
import { nameFont } from './decisions.ts'
import { readFonts } from './fonts.ts'
import { buildValues, type Values } from './form.ts'
import type { SettingsView } from './settings.ts'
import { appearanceText as text } from './text.ts'

type Named = readonly [name: string, label: string, say?: (value: string) => string]

const listNames = ({ t }: Pick<SettingsView, 't'>): Named[] => {
  const sayIn = (phrases: Readonly<Record<string, Phrase>>) => (value: string) => {
    const phrase = phrases[value]
    return phrase === undefined ? value : t(phrase)
  }
  const sayFont = (key: string) => nameFont(key, t)
  const texts = {
    navigation: text.navigation,
    footer: text.footer,
    links: text.footerLinks,
    social: text.social,
    announcement: text.announcement,
    announcement_href: text.announcementHref,
    sign_in: text.signIn,
    email: text.email,
    css: text.css,
  }
  return [
    ...schemes.flatMap(scheme =>
      colorNames.map((name): Named => [`${scheme}_${name}`, `${t(text.colorNames[name])} (${t(text[scheme])})`]),
    ),
    ['heading', t(text.heading), sayFont],
    ['body', t(text.body), sayFont],
    ['radius', t(text.radius), sayIn(text.radii)],
    ['width', t(text.width), sayIn(text.widths)],
    ...Object.entries(texts).map(([name, phrase]): Named => [name, t(phrase)]),
  ]
}

const withFonts = (values: Values): Values => {
  const { heading, body } = readFonts(values)
  return { ...values, heading: heading ?? '', body: body ?? '' }
}

/** What was typed beside the draft that somebody else saved meanwhile; nothing where nobody did. */
export const renderAppearanceConflict = (
  view: SettingsView & { readonly zone: string; readonly typed: Values | undefined; readonly act: string },
): Html | false => {
  const { draft, zone, typed, act, refusal } = view
  if (typed === undefined) return false
  const [mine, theirs] = [withFonts(typed), buildValues(draft, zone)]
  const differences = () =>
    listNames(view).flatMap(([name, label, say = value => value]) => {
      const value = mine[name]
      if (value === undefined || value === theirs[name]) return []
      return [{ label, mine: say(value), theirs: say(theirs[name] ?? '') }]
    })
  const fields = { differences }
  const conflict = renderConflict(view, { refusal, act, typed: [], stored: [], fields, within: 'look' })
  return conflict !== false && html`<div class="said">${conflict}</div>\n`
}
