import type { Static } from 'typebox'
import type { AppearanceVersionPage } from '#src/areas/files/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { StaffContext } from '../../audience.ts'
import type { Draft } from './form.ts'
import { renderFold } from './settings.ts'
import { appearanceText as text } from './text.ts'

/** A version of the list. */
export type Version = Encoded<Static<typeof AppearanceVersionPage>>['data'][number]

type View = StaffContext & { readonly draft: Draft; readonly versions: readonly Version[] }

type Contrast = Draft['contrast'][number]

const PATH = '/staff/appearance'

const renderSuggestion = ({ scheme, suggestion }: Contrast, { t, form }: View): Html | false => {
  if (suggestion === null) return false
  const colors = Object.entries(suggestion)
  const inside = html`<input type="hidden" name="act" value="suggestion"><input type="hidden" name="scheme" value="${scheme}">
${colors.map(([name, color]) => html`<input type="hidden" name="${name}" value="${color}">`)}
<button type="submit">${t(text.use, { color: colors.map(([, color]) => color).join(', ') })}</button>`
  return form(inside, PATH)
}

const contrastRow = (one: Contrast, view: View): Html => {
  const { t } = view
  const name = (color: keyof typeof text.colorNames): string => t(text.colorNames[color])
  const values = { foreground: name(one.foreground), background: name(one.background) }
  const verdict = one.passes ? t(text.enough) : t(text.tooLow, { required: one.required })
  return html`<tr><th scope="row">${t(text.pair, values)}</th><td>${t(text[one.scheme])}</td><td>${one.ratio}</td><td>${one.passes ? verdict : html`<strong>${verdict}</strong>`}${renderSuggestion(one, view)}</td></tr>
`
}

const contrastTable = (pairs: readonly Contrast[], label: string, view: View): Html =>
  html`<table tabindex="0" aria-label="${label}"><tbody>
${pairs.map(one => contrastRow(one, view))}</tbody></table>`

/** The contrasts: what keeps the draft from being published is open; what is enough is for those who look for it. */
export const renderContrasts = (view: View): Html => {
  const { draft, t } = view
  const failed = draft.contrast.filter(({ passes }) => !passes)
  const passed = draft.contrast.filter(({ passes }) => passes)
  const enough = t(text.pairsEnough, { n: passed.length })
  return renderFold(view, {
    title: text.contrast,
    value: failed.length === 0 ? enough : t(text.pairsLow, { n: failed.length }),
    id: 'contrast',
    isOpen: failed.length > 0,
    body: html`<p class="quiet">${t(text.contrastAbout)}</p>
${failed.length > 0 && contrastTable(failed, t(text.contrast), view)}
<details><summary>${enough}</summary>
${contrastTable(passed, enough, view)}
</details>`,
  })
}

const versionItem = ({ number, status, published_at: at }: Version, view: View): Html => {
  const { t, form } = view
  const name = t(text.version, { number, at: view.time(at) })
  const inside = html`<input type="hidden" name="act" value="restore"><input type="hidden" name="version" value="${number}">
<button type="submit" aria-label="${t(text.restore)}: ${name}">${t(text.restore)}</button>`
  return html`<li>${name}${status === 'published' && html` <strong>(${t(text.current)})</strong>`}
${form(inside, PATH)}</li>
`
}

/** The versions that were published. */
export const renderVersions = (view: View): Html => {
  const { versions, t, day } = view
  const [newest] = versions
  return renderFold(view, {
    title: text.versions,
    value: newest === undefined ? '–' : day(newest.published_at),
    id: 'versions',
    body:
      newest === undefined
        ? html`<p>${t(text.none)}</p>`
        : html`<ul class="list">
${versions.map(version => versionItem(version, view))}</ul>`,
  })
}
