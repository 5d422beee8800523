import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, type Framed, readDone } from '#src/web/page/index.ts'
import { allowFrame } from '../../pages/frames.ts'
import { frameWithImages } from '../../pages/image-page.ts'
import { renderContrasts, renderVersions, type Version } from './checks.ts'
import { renderAppearanceConflict } from './conflict.ts'
import { renderDecisions } from './decisions.ts'
import type { Values } from './form.ts'
import { renderSettings, type SettingsView } from './settings.ts'
import { appearanceText as text } from './text.ts'

/** The page of the appearance: the draft, what the fields have, the versions, and where the draft is previewed. */
type AppearanceView = SettingsView & {
  readonly versions: readonly Version[]
  readonly zone: string
  /** What was typed, and the button that was pressed. */
  readonly typed: Values | undefined
  readonly act: string
  /** The path below which pages of the site have the draft. */
  readonly preview: string
}

const PATH = '/staff/appearance'
const FORM = 'look'

const choosePhrase = ({ refusal }: AppearanceView): Phrase | undefined => {
  if (refusal === undefined) return undefined
  const phrases: Readonly<Record<string, Phrase>> = text.refusals
  const field = refusal.extras.errors?.[0]?.pointer.split('/')[1] ?? ''
  return phrases[field] ?? phrases[refusal.problem.code] ?? refusal.phrase ?? text.refusals.other
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

const buildNotice = (view: AppearanceView): Pick<Framed, 'notice' | 'status'> => {
  const { refusal, language, request } = view
  const phrase = choosePhrase(view)
  return refusal === undefined || phrase === undefined
    ? { notice: doneIn(text.done, readDone(request), language) }
    : { notice: { kind: 'refused', text: fill(phrase, language) }, status: refusal.problem.status }
}

// What a key sends that is pressed in a field is saved, and no picture removed: HTML, implicit submission.
const renderFirstButton = (): Html => html`<button type="submit" name="act" value="save" hidden></button>`

const renderPanel = (view: AppearanceView): Html => {
  const { t, values, draft } = view
  const inside = html`${renderFirstButton()}<input type="hidden" name="revision" value="${values.revision ?? ''}">
${renderDecisions(view)}
<div>${renderSettings(view)}</div>`
  return html`<div class="panel">
<h1>${t(text.title)}</h1>
<p class="quiet">${t(text.intro)}</p>
${renderDetails(view)}${draft.warnings.length > 0 && html`<p class="note">${t(text.fileMissing)}</p>\n`}${view.form(inside, PATH, { id: FORM, hasFiles: true, draft: 'appearance' })}
<div>${renderContrasts(view)}${renderVersions(view)}</div>
</div>`
}

// Links open in the frame; a browser follows none of the draft that leads to a page without it.
const renderPreview = ({ t, preview }: AppearanceView): Html => {
  const link = (path: string, name: Phrase): Html =>
    html`<a class="chip" href="${preview}${path}" target="preview">${t(name)}</a>\n`
  return html`<section class="view" aria-label="${t(text.previewed)}">
<div class="row apart"><nav class="row" aria-label="${t(text.previewPages)}">
${link('', text.previewHome)}${link('/courses', texts.words.courses)}${link('?scheme=light', text.light)}${link('?scheme=dark', text.dark)}</nav>
<div class="row"><label class="chip"><input type="checkbox"> ${t(text.narrow)}</label>
<a href="${preview}" target="_blank">${t(text.inTab)}</a></div></div>
<iframe name="preview" src="${preview}" title="${t(text.previewed)}" sandbox="allow-same-origin" data-live="${FORM}"></iframe>
</section>`
}

const renderBar = ({ t, draft }: AppearanceView): Html => {
  const button = (act: string, label: Phrase, kind = html`small`): Html =>
    html`<button class="${kind}" form="${FORM}" type="submit" name="act" value="${act}">${t(label)}</button>\n`
  return html`<div class="save" data-bar="${FORM}"><span class="state" role="status">${t(draft.is_published ? text.isPublished : text.isDraft)}</span><span class="row">
${button('preview', text.preview)}${button('save', text.save)}${button('publish', text.publish, html`small main`)}</span></div>`
}

/** The page on which staff decide how the school looks beside a preview of it, publish the draft and restore versions. */
export const appearancePage = async (view: AppearanceView): Promise<Reply> => {
  const reply = await frameWithImages(view, {
    title: view.t(text.title),
    ...buildNotice(view),
    isStudio: true,
    moreStyles: ['studio', 'every-font'],
    body: html`${renderAppearanceConflict(view)}<div class="look">
${renderPanel(view)}
${renderPreview(view)}
</div>
${renderBar(view)}`,
  })
  return allowFrame(reply, view.school, '/appearance/previews/')
}
