import type { Static } from 'typebox'
import { type AppearanceVersionPage, colorNames, type FileField, fileFields, schemes } from '#src/areas/files/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { fontFamilies } from '#src/kit/fonts.ts'
import { type Html, html } from '#src/kit/html.ts'
import { chooseZone, doneIn, type Framed, readDone, select } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { frameWithImages } from '../../pages/image-page.ts'
import { staffLink } from '../../pages/link.ts'
import { type Draft, getImage, type Values } from './form.ts'
import { appearanceText as text } from './text.ts'

type Version = Encoded<Static<typeof AppearanceVersionPage>>['data'][number]

/** The page of the appearance: the draft, what the fields have, and the versions. */
type AppearanceView = StaffContext & {
  readonly draft: Draft
  /** The draft, or what was typed. */
  readonly values: Values
  readonly versions: readonly Version[]
  readonly refusal?: Refusal | undefined
}

const PATH = '/staff/appearance'

const choosePhrase = ({ problem, extras, phrase }: Refusal): Phrase => {
  const phrases: Readonly<Record<string, Phrase>> = text.refusals
  const field = extras.errors?.[0]?.pointer.split('/')[1] ?? ''
  return phrases[field] ?? phrases[problem.code] ?? phrase ?? text.refusals.other
}

// What the parser says is for those who write CSS, in English.
const renderDetails = ({ refusal }: AppearanceView): Html | false => {
  const errors = refusal?.extras.errors?.filter(({ pointer }) => pointer === '/custom_css') ?? []
  return (
    errors.length > 0 &&
    html`<ul class="note" lang="en">
${errors.map(({ message }) => html`<li>${message}</li>\n`)}</ul>
`
  )
}

const buildNotice = ({ refusal, language, request }: AppearanceView): Pick<Framed, 'notice' | 'status'> =>
  refusal === undefined
    ? { notice: doneIn(text.done, readDone(request), language) }
    : { notice: { kind: 'refused', text: fill(choosePhrase(refusal), language) }, status: refusal.problem.status }

const renderColors = ({ values, t }: AppearanceView): Html =>
  html`<h2 id="colors">${t(text.colors)}</h2>
<div class="color-schemes">
${schemes.map(
  scheme => html`<fieldset><legend>${t(text[scheme])}</legend>
${colorNames.map(name => {
  const id = `${scheme}_${name}`
  return html`<div class="color"><input type="color" id="${id}" name="${id}" value="${values[id] ?? ''}"><label for="${id}">${t(text.colorNames[name])}</label></div>\n`
})}</fieldset>
`,
)}</div>`

type Area = { readonly rows: number; readonly max?: number; readonly isCode?: boolean }

const area = (name: string, label: string, value: string, { rows, max, isCode = false }: Area): Html =>
  html`<label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="${rows}"${max !== undefined && html` maxlength="${max}"`}${isCode && html` class="code" spellcheck="false"`}>
${value}</textarea>
`

const line = (name: string, label: string, value: string, max: number): Html =>
  html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="text" value="${value}" maxlength="${max}">
`

const time = (name: string, label: string, value: string): Html =>
  html`<div><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="datetime-local" value="${value}"></div>
`

const renderShapes = ({ values, t }: AppearanceView): Html => {
  const say = (phrase: Phrase) => t(phrase)
  const ofDevice: Readonly<Record<string, Phrase>> = text.deviceFonts
  const formatLabel = (value: string, name: string) => (ofDevice[value] === undefined ? name : say(ofDevice[value]))
  const families = [
    { value: '', label: say(text.builtIn) },
    ...Object.entries(fontFamilies).map(([value, { name }]) => ({ value, label: formatLabel(value, name) })),
  ]
  const choices = (phrases: Readonly<Record<string, Phrase>>) =>
    Object.entries(phrases).map(([value, phrase]) => ({ value, label: say(phrase) }))
  return html`<h2>${say(text.fonts)}</h2>
${select('heading', say(text.heading), values.heading ?? '', families)}
${select('body', say(text.body), values.body ?? '', families)}
${select('radius', say(text.radius), values.radius ?? '', choices(text.radii))}
${select('width', say(text.width), values.width ?? '', choices(text.widths))}`
}

const renderTexts = ({ values, viewer, t }: AppearanceView): Html => {
  const say = (phrase: Phrase) => t(phrase, { zone: chooseZone(viewer) })
  const of = (name: string): string => values[name] ?? ''
  return html`<h2>${say(text.links)}</h2>
<p class="quiet">${say(text.linksAbout)}</p>
${area('navigation', say(text.navigation), of('navigation'), { rows: 5 })}
${area('footer', say(text.footer), of('footer'), { rows: 3, max: 1000 })}
${area('links', say(text.footerLinks), of('links'), { rows: 3 })}
${area('social', say(text.social), of('social'), { rows: 3 })}
<h2>${say(text.announcement)}</h2>
${line('announcement', say(text.announcementText), of('announcement'), 200)}
${line('announcement_href', say(text.announcementHref), of('announcement_href'), 500)}
<div class="pair">
${time('from', say(text.from), of('from'))}${time('until', say(text.until), of('until'))}</div>
<h2>${say(text.texts)}</h2>
${area('sign_in', say(text.signIn), of('sign_in'), { rows: 3, max: 500 })}
${area('email', say(text.email), of('email'), { rows: 3, max: 500 })}
<details${of('css') !== '' && html` open`}><summary>${say(text.css)}</summary>
<p class="quiet">${say(text.cssAbout)}</p>
${area('css', say(text.cssLabel), of('css'), { rows: 10, isCode: true })}
</details>`
}

const renderButtons = ({ t }: AppearanceView): Html => html`<div class="buttons">
<button class="main" type="submit" name="act" value="save">${t(text.save)}</button>
<button type="submit" name="act" value="preview">${t(text.preview)}</button>
<button type="submit" name="act" value="publish">${t(text.publish)}</button>
</div>`

type Contrast = Draft['contrast'][number]

const renderSuggestion = ({ scheme, suggestion }: Contrast, { t, form }: AppearanceView): Html | false => {
  if (suggestion === null) return false
  const colors = Object.entries(suggestion)
  const inside = html`<input type="hidden" name="act" value="suggestion"><input type="hidden" name="scheme" value="${scheme}">
${colors.map(([name, color]) => html`<input type="hidden" name="${name}" value="${color}">`)}
<button type="submit">${t(text.use, { color: colors.map(([, color]) => color).join(', ') })}</button>`
  return form(inside, PATH)
}

const contrastRow = (one: Contrast, view: AppearanceView): Html => {
  const { t } = view
  const name = (color: keyof typeof text.colorNames): string => t(text.colorNames[color])
  const values = { foreground: name(one.foreground), background: name(one.background) }
  const verdict = one.passes ? t(text.enough) : t(text.tooLow, { required: one.required })
  return html`<tr><th scope="row">${t(text.pair, values)}</th><td>${t(text[one.scheme])}</td><td>${one.ratio}</td><td>${one.passes ? verdict : html`<strong>${verdict}</strong>`}${renderSuggestion(one, view)}</td></tr>
`
}

const contrastTable = (pairs: readonly Contrast[], label: string, view: AppearanceView): Html =>
  html`<table tabindex="0" aria-label="${label}"><tbody>
${pairs.map(one => contrastRow(one, view))}</tbody></table>`

// What keeps the draft from being published is open; what is enough is for those who look for it.
const renderContrasts = (view: AppearanceView): Html => {
  const { draft, t } = view
  const failed = draft.contrast.filter(({ passes }) => !passes)
  const passed = draft.contrast.filter(({ passes }) => passes)
  const enough = t(text.pairsEnough, { n: passed.length })
  return html`<h2 id="contrast">${t(text.contrast)}</h2>
<p class="quiet">${t(text.contrastAbout)}</p>
${failed.length > 0 && contrastTable(failed, t(text.contrast), view)}
<details><summary>${enough}</summary>
${contrastTable(passed, enough, view)}
</details>`
}

const imageItem = (field: FileField, view: AppearanceView): Html | false => {
  const { draft, t, form } = view
  const image = getImage(draft, field)
  if (image === null) return false
  const name = t(text.imageNames[field])
  const inside = html`<input type="hidden" name="act" value="remove"><input type="hidden" name="field" value="${field}">
<button type="submit" aria-label="${t(text.remove)}: ${name}">${t(text.remove)}</button>`
  const src = `${image.url}${image.url.includes('?') ? '&' : '?'}width=320`
  return html`<li><strong>${name}</strong> <span class="quiet">${image.name}</span>
<img class="thumbnail" src="${src}" alt="">
${form(inside, PATH)}</li>
`
}

const renderImages = (view: AppearanceView): Html => {
  const { token, t } = view
  const fields = fileFields.map(value => ({ value, label: t(text.imageNames[value]) }))
  return html`<h2 id="images">${t(text.images)}</h2>
<p class="quiet">${t(text.imagesAbout)}</p>
<ul class="list">
${fileFields.map(field => imageItem(field, view))}</ul>
<form method="post" action="${PATH}/images" enctype="multipart/form-data">
<input type="hidden" name="token" value="${token}">
${select('field', t(text.which), 'logo', fields)}
<label for="file">${t(text.file)}</label>
<input id="file" name="file" type="file" accept="image/png,image/webp,image/jpeg" required>
<div class="buttons"><button type="submit">${t(text.upload)}</button></div>
</form>`
}

const versionItem = ({ number, status, published_at: at }: Version, view: AppearanceView): Html => {
  const { t, form } = view
  const name = t(text.version, { number, at: view.time(at) })
  const inside = html`<input type="hidden" name="act" value="restore"><input type="hidden" name="version" value="${number}">
<button type="submit" aria-label="${t(text.restore)}: ${name}">${t(text.restore)}</button>`
  return html`<li>${name}${status === 'published' && html` <strong>(${t(text.current)})</strong>`}
${form(inside, PATH)}</li>
`
}

const renderVersions = (view: AppearanceView): Html => {
  const { versions, t } = view
  const list = html`<ul class="list">
${versions.map(version => versionItem(version, view))}</ul>`
  return html`<h2 id="versions">${t(text.versions)}</h2>
${versions.length === 0 ? html`<p>${t(text.none)}</p>` : list}`
}

// The page is long, and people often come for one part of it.
const renderContents = ({ t }: AppearanceView): Html => {
  const links = [
    ['colors', text.colors],
    ['images', text.images],
    ['contrast', text.contrast],
    ['versions', text.versions],
  ] as const
  return html`<nav class="tabs" aria-label="${t(text.contents)}"><ul>
${links.map(([id, name]) => html`<li><a href="#${id}">${t(name)}</a></li>\n`)}</ul></nav>`
}

/** What a restored version lacks, for staff; nothing where it has all files. */
const missingNote = (warnings: Draft['warnings'], language: Language): Html | false =>
  warnings.length > 0 && html`<p class="note">${fill(text.fileMissing, language)}</p>\n`

/** The page on which staff edit the draft of the appearance, publish it and restore versions. */
export const appearancePage = (view: AppearanceView): Promise<Reply> => {
  const { t, language, draft, values } = view
  const inside = html`<input type="hidden" name="revision" value="${values.revision ?? ''}">
${renderColors(view)}
${renderShapes(view)}
${renderTexts(view)}
${renderButtons(view)}`
  return frameWithImages(view, {
    title: t(text.title),
    ...buildNotice(view),
    body: html`${renderDetails(view)}${missingNote(draft.warnings, language)}<p>${t(text.intro)}</p>
<p class="quiet">${t(draft.is_published ? text.isPublished : text.isDraft)}</p>
${renderContents(view)}
${view.form(inside, PATH)}
${renderImages(view)}
${renderContrasts(view)}
${renderVersions(view)}
${staffLink(language)}`,
  })
}
