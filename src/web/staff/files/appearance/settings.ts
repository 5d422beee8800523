import { colorNames, type FileField, fileFields, schemes } from '#src/areas/files/index.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { type Html, html } from '#src/kit/html.ts'
import { chooseZone, type FileInput, renderFileInput, renderLibraryButton, select } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { renderColor, renderWidth } from './decisions.ts'
import { type Draft, getImage, type Values } from './form.ts'
import { appearanceText as text } from './text.ts'

/** The draft, and what the form has: the draft, or what was typed. */
export type SettingsView = StaffContext & {
  readonly draft: Draft
  readonly values: Values
  readonly refusal?: Refusal | undefined
}

/** A part that is folded, with its present value; it is open where a field of it, by the name in the body, was refused. */
type Fold = {
  readonly title: Phrase
  readonly value: string | Html
  readonly body: Html
  readonly id?: string
  readonly fields?: readonly string[]
  readonly isOpen?: boolean
}

const NOTHING = '–'

/** A part that is folded. */
export const renderFold = (
  { t, refusal }: Pick<SettingsView, 't' | 'refusal'>,
  { title, value, body, id, fields = [], isOpen = false }: Fold,
): Html => {
  const refused = refusal?.extras.errors?.map(({ pointer }) => pointer.split('/')[1] ?? '') ?? []
  // An address with the id of what is inside opens it.
  return html`<details class="fold"${(isOpen || fields.some(name => refused.includes(name))) && html` open`}><summary><span>${t(title)}</span><span class="value">${value}</span></summary>
<div class="stack"${id !== undefined && html` id="${id}"`}>
${body}</div></details>
`
}

// Some of the colors, as they are.
const renderSwatches = ({ values }: SettingsView): Html => {
  const shown = ['page', 'sheet', 'ink', 'line', 'warn']
  return html`<svg class="swatches" viewBox="0 0 90 18" width="90" height="18" aria-hidden="true">${shown.map((name, at) => html`<circle cx="${9 + at * 18}" cy="9" r="7" fill="${values[`light_${name}`] ?? ''}"/>`)}</svg>`
}

const renderColors = ({ values, t }: SettingsView): Html => html`<div class="color-schemes">
${schemes.map(
  scheme => html`<fieldset><legend>${t(text[scheme])}</legend>
${colorNames.filter(name => name !== 'accent').map(name => renderColor(values, { scheme, name, label: t(text.colorNames[name]) }))}</fieldset>
`,
)}</div>
`

type Area = { readonly rows: number; readonly max?: number; readonly isCode?: boolean }

const area = (name: string, label: string, value = '', { rows, max, isCode = false }: Area): Html =>
  html`<div class="field"><label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="${rows}"${max !== undefined && html` maxlength="${max}"`}${isCode && html` class="code" spellcheck="false"`}>
${value}</textarea></div>
`

const line = (name: string, label: string, value = '', max: number): Html =>
  html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="text" value="${value}" maxlength="${max}"></div>
`

const time = (name: string, label: string, value = ''): Html =>
  html`<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="datetime-local" value="${value}"></div>
`

const imageItem = (field: FileField, { draft, t }: SettingsView): Html | false => {
  const image = getImage(draft, field)
  if (image === null) return false
  const name = t(text.imageNames[field])
  const src = `${image.url}${image.url.includes('?') ? '&' : '?'}width=320`
  return html`<li><strong>${name}</strong> <span class="quiet">${image.name}</span>
<img class="thumbnail" src="${src}" alt="">
<button type="submit" name="act" value="remove_${field}" aria-label="${t(text.remove)}: ${name}">${t(text.remove)}</button></li>
`
}

const renderImages = (view: SettingsView): Html => {
  const { t, values, language } = view
  const input: FileInput = {
    id: 'file',
    label: t(text.file),
    purpose: 'appearance',
    accept: 'image/png,image/webp,image/jpeg',
  }
  const fields = fileFields.map(value => ({ value, label: t(text.imageNames[value]) }))
  return html`<p class="quiet">${t(text.imagesAbout)}</p>
<ul class="list">
${fileFields.map(field => imageItem(field, view))}</ul>
<div class="field">${select('field', t(text.which), values.field || 'logo', fields)}</div>
${renderFileInput(input, language)}
<div class="buttons"><button type="submit" name="act" value="add_image">${t(text.upload)}</button>${renderLibraryButton(input, language)}</div>
`
}

// The first words of what a field has.
const shorten = (value = ''): string => value.trim().split('\n')[0]?.slice(0, 60) || NOTHING

const listTexts = ({ values, viewer, t }: SettingsView): Fold[] => {
  const say = (phrase: Phrase) => t(phrase, { zone: chooseZone(viewer) })
  const links = html`<p class="quiet">${say(text.linksAbout)}</p>\n`
  return [
    {
      title: text.links,
      value: values.navigation ? shorten(values.navigation) : say(text.builtIn),
      fields: ['navigation', 'footer'],
      body: html`${links}${area('navigation', say(text.navigation), values.navigation, { rows: 5 })}
${area('footer', say(text.footer), values.footer, { rows: 3, max: 1000 })}
${area('links', say(text.footerLinks), values.links, { rows: 3 })}
${area('social', say(text.social), values.social, { rows: 3 })}`,
    },
    {
      title: text.announcement,
      value: shorten(values.announcement),
      fields: ['announcement'],
      body: html`${line('announcement', say(text.announcementText), values.announcement, 200)}
${line('announcement_href', say(text.announcementHref), values.announcement_href, 500)}
${time('from', say(text.from), values.from)}${time('until', say(text.until), values.until)}`,
    },
    {
      title: text.texts,
      value: shorten(values.sign_in || values.email),
      fields: ['sign_in', 'email'],
      body: html`${area('sign_in', say(text.signIn), values.sign_in, { rows: 3, max: 500 })}
${area('email', say(text.email), values.email, { rows: 3, max: 500 })}`,
    },
    {
      title: text.css,
      value: shorten(values.css),
      fields: ['custom_css'],
      body: html`<p class="quiet">${say(text.cssAbout)}</p>
${area('css', say(text.cssLabel), values.css, { rows: 10, isCode: true })}`,
    },
  ]
}

/** What schools decide less often, each part folded with its present value. */
export const renderSettings = (view: SettingsView): Html => {
  const { draft, values, t } = view
  const images = fileFields.flatMap(field => getImage(draft, field)?.name ?? [])
  const widths: Readonly<Record<string, Phrase>> = text.widths
  const width = widths[values.width ?? '']
  const folds: readonly Fold[] = [
    { title: text.images, value: images.join(', ') || NOTHING, body: renderImages(view), id: 'images' },
    { title: text.colors, value: renderSwatches(view), body: renderColors(view), id: 'colors', fields: ['colors'] },
    { title: text.width, value: width ? t(width) : NOTHING, body: renderWidth(view) },
    ...listTexts(view),
  ]
  return html`${folds.map(fold => renderFold(view, fold))}`
}
