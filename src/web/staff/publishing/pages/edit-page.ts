import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import {
  areaControl,
  type ControlState,
  chooseZone,
  doneIn,
  type Framed,
  folded,
  hidden,
  lineControl,
  noticeFor,
  readDone,
  renderDraft,
  select,
  selectControl,
  showTime,
} from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { frameWithImages } from '../../pages/image-page.ts'
import { staffText } from '../../pages/text.ts'
import { blockForms, blockTypes } from './block-fields.ts'
import { ADDRESSES, blockHtml, blockName } from './block-html.ts'
import { type EditView, editPath } from './edit-view.ts'
import { morePart } from './more-part.ts'
import { editorRefusals, editorText as text } from './text.ts'

const SETTINGS = ['path', 'visibility', 'nav_label', 'redirects', 'seo_title', 'seo_description']

const short = (length: number): Html => html`type="text" maxlength="${length}"`

const renderSettings = (state: ControlState, { t }: StaffContext, { page }: EditView): Html => {
  const say = (phrase: Phrase): string => t(phrase)
  const { fields, hints } = text
  // The host for static pages does not know who asks.
  const visibilities = Object.entries(text.visibilities).filter(
    ([value]) => page.kind === 'content' || value !== 'members',
  )
  const choices = visibilities.map(([value, phrase]) => ({ value, label: say(phrase) }))
  return folded(
    say(text.settings),
    html`${lineControl(state, { name: 'path', label: say(fields.path), attributes: short(244) })}
${selectControl(state, { name: 'visibility', label: say(fields.visibility) }, choices)}
${lineControl(state, { name: 'nav_label', label: say(fields.nav_label), hint: say(hints.nav_label), attributes: short(60) })}
${areaControl(state, { name: 'redirects', label: say(fields.redirects), hint: say(hints.redirects), rows: 3 })}
${lineControl(state, { name: 'seo_title', label: say(fields.seo_title), attributes: short(120) })}
${lineControl(state, { name: 'seo_description', label: say(fields.seo_description), attributes: short(320) })}`,
    SETTINGS.some(name => state.errors.has(name)),
  )
}

const act = (name: string, label: string, isMain = false): Html =>
  html`<button${isMain && html` class="main"`} type="submit" name="act" value="${name}">${label}</button>\n`

const renderBlocks = ({ t }: StaffContext, view: EditView): Html => {
  const { edited, page, options, errors, current } = view
  const { blocks } = edited
  if (page.kind === 'static') return html``
  const choices = blockTypes.map(value => ({ value, label: t(blockForms[value].name) }))
  const count = blocks.length
  return html`<h2>${t(text.blocks)}</h2>
${count === 0 && html`<p>${t(text.noBlocks)}</p>`}
${blocks.map((block, index) => blockHtml({ block, index, count, options, errors, isCurrent: index === current }))}
<datalist id="${ADDRESSES}">
${options.addresses.map(({ value, label }) => html`<option value="${value}">${label}</option>\n`)}</datalist>
<section class="card" aria-label="${t(text.addButton)}">
${select('add_type', t(text.addBlock), 'text', choices)}
<p class="buttons row">${act('add', t(text.addButton))}</p>
</section>`
}

const renderSchedule = (state: ControlState, { t, viewer }: StaffContext, { page }: EditView): Html => {
  if (page.status === 'published') return html``
  const label = t(text.fields.at, { zone: chooseZone(viewer) })
  return folded(
    t(text.scheduling),
    html`${lineControl(state, { name: 'at', label, attributes: html`type="datetime-local"` })}
<p class="buttons row">${act('schedule', t(text.schedule))}</p>`,
    state.errors.has('at') || page.status === 'scheduled',
  )
}

// The blocks that have errors, as links to them.
const wrongBlocks = ({ language }: StaffContext, { edited, errors }: EditView): Html => {
  const names = [...errors.keys()]
  const wrong = edited.blocks.flatMap((block, index) =>
    names.some(name => `${name}.`.startsWith(`b.${index}.`)) ? [{ block, index }] : [],
  )
  if (wrong.length === 0) return html``
  return html`<ul class="list">
${wrong.map(({ block, index }) => html`<li><a href="#block-${index}">${blockName(block, index, language)}</a></li>\n`)}</ul>`
}

const buildNotice = ({ t, language, request }: StaffContext, view: EditView): Pick<Framed, 'notice' | 'status'> => {
  const { refusal, isUnsaved, isSaved, errors } = view
  if (refusal === undefined) {
    const notice = isUnsaved
      ? ({ kind: 'done', text: t(text.unsaved) } as const)
      : doneIn(text.done, view.done ?? readDone(request), language)
    return notice === undefined ? {} : { notice }
  }
  const { notice, status = refusal.problem.status } = noticeFor(refusal, language, {
    said: { ...staffText.refusals, ...editorRefusals },
  })
  const isMarked = errors.size > 0
  const said = isMarked ? t(isSaved ? text.look : text.notSaved) : (notice?.text ?? '')
  return { notice: { kind: 'refused', text: isSaved ? `${t(text.savedOnly)} ${said}` : said }, status }
}

const notesPart = ({ t }: StaffContext, { notes, preview }: EditView): Html =>
  html`${notes.map(note => html`<p class="notice">${note}</p>\n`)}${
    preview !== undefined && html`<p><a class="button" href="${preview}">${t(text.openPreview)}</a></p>\n`
  }`

const renderState = ({ t, language, viewer }: StaffContext, { page }: EditView): Html => {
  const { status, is_home: isHome, has_changes: hasChanges, url, publish_at: at } = page
  const words = [
    t(text.statuses[status]),
    ...(at == null ? [] : [showTime(new Date(at), language, viewer)]),
    ...(isHome ? [t(text.home)] : []),
    ...(hasChanges === true ? [t(text.hasChanges)] : []),
  ]
  const shown = status === 'published' && html` · <a href="${new URL(url).pathname}">${t(text.show)}</a>`
  const bundles = page.kind === 'static' && html`<p><a href="${editPath(page.id)}/bundles">${t(text.bundles)}</a></p>\n`
  return html`<p>${words.join(' · ')}${shown}</p>\n${bundles}`
}

const mainForm = (context: StaffContext, view: EditView): Html => {
  const { t, token } = context
  const { page, edited, revision, errors, isUnsaved } = view
  const state: ControlState = { typed: edited.form, errors }
  const say = (phrase: Phrase): string => t(phrase)
  const preview = page.kind === 'content' && act('preview', say(text.preview))
  const publish = page.live_deployment_id !== null && act('publish', say(text.publish))
  const saving = html`<p class="buttons row">${act('save', say(text.save), true)}${preview}${publish}</p>`
  const draft = renderDraft({ draft: 'page', again: 'again', isUnsaved })
  return html`<form id="page" method="post" action="${editPath(page.id)}" enctype="multipart/form-data"${draft}>
${hidden({ token, revision })}
${saving}
${lineControl(state, { name: 'title', label: say(text.fields.title), attributes: short(200) })}
${renderSettings(state, context, view)}
${renderBlocks(context, view)}
${renderSchedule(state, context, view)}
${saving}
</form>`
}

/** The editor of a page: one form with all blocks, whose buttons say what is done with it, and what else can be done. */
export const editPage = (context: StaffContext, view: EditView): Promise<Reply> => {
  const { t } = context
  const { page } = view
  return frameWithImages(context, {
    title: page.title,
    ...buildNotice(context, view),
    body: html`${wrongBlocks(context, view)}${notesPart(context, view)}${renderState(context, view)}
${view.conflict}${mainForm(context, view)}
${morePart(context, view)}
<p><a href="${editPath(page.id)}/versions">${t(text.versions)}</a></p>`,
  })
}
