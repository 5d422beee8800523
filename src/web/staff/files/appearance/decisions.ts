import { listMeasures, type schemes } from '#src/areas/files/index.ts'
import type { Phrase } from '#src/contract/language.ts'
import { fontFamilies } from '#src/kit/fonts.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { StaffContext } from '../../audience.ts'
import { fontPairs, OWN_PAIR, type PairName, pairNames, setsFont, showFont } from './fonts.ts'
import type { Draft, Values } from './form.ts'
import { appearanceText as text } from './text.ts'

type Shown = Pick<StaffContext, 't'> & { readonly draft: Draft; readonly values: Values }

// What the module `appearance` sets in the preview.
const sets = (properties: Readonly<Record<string, string>>): Html => html` data-sets="${JSON.stringify(properties)}"`

type Color = { readonly scheme: (typeof schemes)[number]; readonly name: string; readonly label: string }

/** One color of a scheme. */
export const renderColor = (values: Values, { scheme, name, label }: Color): Html => {
  const id = `${scheme}_${name}`
  return html`<div class="color"><input type="color" id="${id}" name="${id}" value="${values[id] ?? ''}" data-color="--${name.replaceAll('_', '-')}"><label for="${id}">${label}</label></div>
`
}

const renderBrand = ({ draft, values, t }: Shown): Html => {
  const [light, dark] = (['light', 'dark'] as const).map(scheme =>
    draft.contrast.find(one => one.scheme === scheme && one.foreground === 'on_accent' && one.background === 'accent'),
  )
  const isLow = light?.passes === false || dark?.passes === false
  const ratios = t(text.onBrand, { light: light?.ratio ?? '', dark: dark?.ratio ?? '' })
  return html`<fieldset class="field"><legend>${t(text.brand)}</legend>
<div class="row">
${renderColor(values, { scheme: 'light', name: 'accent', label: t(text.light) })}${renderColor(values, { scheme: 'dark', name: 'accent', label: t(text.dark) })}</div>
<p class="quiet hint">${ratios}${isLow && html` <a href="#contrast">${t(text.seeContrast)}</a>`}</p></fieldset>
`
}

const renderChoice = (name: string, value: string, chosen: string | undefined, more: Html, inside: Html): Html =>
  html`<label class="choice"><input type="radio" name="${name}" value="${value}"${value === chosen && html` checked`}${more}><span>${inside}</span></label>
`

const renderPair = (name: PairName, { values, t }: Shown): Html => {
  const { heading, body } = fontPairs[name]
  const [first, second] = [showFont('heading', heading), showFont('body', body)]
  const says = t(text.pairs[name], { font: fontFamilies[second].name })
  const inside = html`<b class="face-${first}">${nameFont(first, t)}</b><small class="face-${second}">${says}</small>`
  return renderChoice(
    'pair',
    name,
    values.pair,
    sets({ ...setsFont('heading', heading), ...setsFont('body', body) }),
    inside,
  )
}

/** How a font is called, in the language of a page. */
export const nameFont = (key: string, t: StaffContext['t']): string => {
  const ofDevice: Readonly<Record<string, Phrase>> = text.deviceFonts
  const names: Readonly<Record<string, { readonly name: string }>> = fontFamilies
  if (key === '') return t(text.builtIn)
  return ofDevice[key] === undefined ? (names[key]?.name ?? key) : t(ofDevice[key])
}

const renderFont = (part: 'heading' | 'body', { values, t }: Shown): Html => {
  const options = ['', ...Object.keys(fontFamilies)]
  return html`<div class="field"><label for="${part}">${t(text[part])}</label>
<select id="${part}" name="${part}">
${options.map(key => html`<option value="${key}"${key === values[part] && html` selected`}${sets(setsFont(part, key || null))}>${nameFont(key, t)}</option>\n`)}</select></div>
`
}

const renderFonts = (shown: Shown): Html => html`<fieldset class="field"><legend>${shown.t(text.fonts)}</legend>
<div class="choices">
${pairNames.map(name => renderPair(name, shown))}${renderChoice('pair', OWN_PAIR, shown.values.pair, html``, html`<b>${shown.t(text.ownPair)}</b>`)}</div>
<div class="pair own-pair">
${renderFont('heading', shown)}${renderFont('body', shown)}</div></fieldset>
`

const measures = (values: { radius?: Draft['radius']; width?: Draft['width'] }): Html =>
  sets(
    Object.fromEntries(
      Object.entries(listMeasures({ radius: 'soft', width: 'normal', ...values }))
        .filter(([name]) => (name === 'width') === (values.width !== undefined))
        .map(([name, value]) => [`--${name}`, value]),
    ),
  )

const renderCorners = ({ values, t }: Shown): Html => html`<fieldset class="field"><legend>${t(text.radius)}</legend>
<div class="choices three">
${(['square', 'soft', 'round'] as const).map(radius => renderChoice('radius', radius, values.radius, measures({ radius }), html`${t(text.radii[radius])}`))}</div></fieldset>
`

/** How wide the pages are. */
export const renderWidth = ({
  values,
  t,
}: Shown): Html => html`<div class="field"><label for="width">${t(text.width)}</label>
<select id="width" name="width">
${(['narrow', 'normal', 'wide'] as const).map(width => html`<option value="${width}"${width === values.width && html` selected`}${measures({ width })}>${t(text.widths[width])}</option>\n`)}</select></div>
`

/** What most schools decide: color, fonts and corners. */
export const renderDecisions = (shown: Shown): Html =>
  html`${renderBrand(shown)}${renderFonts(shown)}${renderCorners(shown)}`
