import { randomUUID } from 'node:crypto'
import { lessonTypes } from '#src/areas/courses/index.ts'
import { formField } from '#src/kit/form.ts'
import { formatDuration } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { describeDrip } from '../lessons/drip.ts'
import { grip, lessonIcons } from '../lessons/icons.ts'
import { buildPath } from './frame.ts'
import { doIn } from './outline-acts.ts'
import { renderEdit } from './outline-edit.ts'
import type { LessonView, OutlineShown, SectionView } from './outline-view.ts'
import { coursesText } from './text.ts'

const { outline: text } = texts.staff.courses

type Item = { readonly id: string; readonly name: string; readonly revision: number }

/** The id of the form to which the buttons of the rows belong: a form for each would make long outlines slow. */
export const ROWS = 'rows'

const button = (act: string, { id, name, revision }: Item, label: string): Html =>
  html`<button form="${ROWS}" name="do" value="${act} ${id} ${revision}" aria-label="${label}: ${name}">${label}</button>`

/** The address of the page with one more thing open in its outline. */
const buildOpened = ({ course, open }: OutlineShown, what: 'add' | 'edit', id: string): string =>
  `${buildPath(course)}${open === undefined ? '' : `/lessons/${open}`}?${what}=${id}#${id}`

const renderMenu = (
  item: Item,
  kind: 'section' | 'lesson',
  context: StaffContext,
  view: OutlineShown,
  [isFirst, isLast]: readonly [boolean, boolean],
): Html => {
  const { t } = context
  const { name, id } = item
  return html`<details class="menu"><summary class="grip" aria-label="${t(text.move, { name })}">${grip}</summary><div><ul>
${!isFirst && html`<li>${button(`${kind}_up`, item, t(coursesText.up))}</li>`}${!isLast && html`<li>${button(`${kind}_down`, item, t(coursesText.down))}</li>`}
<li><a href="${buildOpened(view, 'edit', id)}" data-open>${t(text.change)}</a></li>
</ul></div></details>`
}

// What stands below the name of a lesson.
const renderFacts = ({ preview, drip, duration_seconds: seconds }: LessonView, context: StaffContext): Html | false => {
  const facts = [
    ...(seconds === null ? [] : [formatDuration(seconds, context.language)]),
    ...(drip.mode === 'immediate' ? [] : [describeDrip(drip, context)]),
    ...(preview ? [context.t(text.preview)] : []),
  ]
  return facts.length > 0 && html`<small>${facts.join(' · ')}</small>`
}

const renderLesson = (
  lesson: LessonView,
  context: StaffContext,
  view: OutlineShown,
  ends: readonly [boolean, boolean],
): Html => {
  const { t } = context
  const { id, name, type, status, revision } = lesson
  const isDraft = status === 'draft'
  const isOpen = view.open === id
  const kind = html`<span class="unseen">${t(coursesText.types[type])}: </span>`
  const row = html`<div class="les${isDraft && html` draft`}">${renderMenu(lesson, 'lesson', context, view, ends)}<a href="${buildPath(view.course)}/lessons/${id}"${isOpen && html` aria-current="page"`} data-open>${lessonIcons[type]}${kind}<span><bdi>${name}</bdi>${renderFacts(lesson, context)}</span></a><button form="${ROWS}" class="switch" role="switch" aria-checked="${String(!isDraft)}" name="do" value="${isDraft ? 'show' : 'hide'}_lesson ${id} ${revision}" aria-label="${t(coursesText.lessonStatuses.published)}: ${name}"></button></div>`
  return html`<li id="${id}" data-lesson="${id} ${revision}">${row}${view.edited === id && renderEdit({ kind: 'lesson', item: lesson }, context, view)}</li>
`
}

const findTyped = (view: OutlineShown, act: string, id: string): OutlineShown['refused'] => {
  if (view.refused === undefined) return undefined
  const { name, target } = doIn(view.refused.form)
  return name === act && target.id === id ? view.refused : undefined
}

const renderError = ({ t }: StaffContext, refused: OutlineShown['refused'], id: string): Html | false =>
  refused !== undefined && html`<p class="field-error" id="${id}-error">${t(text.nameError)}</p>`

const renderNameForm = (
  context: StaffContext,
  view: OutlineShown,
  { act, id, label, more }: { readonly act: string; readonly id: string; readonly label: string; readonly more?: Html },
): Html => {
  const refused = findTyped(view, act, id)
  const form = refused?.form ?? []
  const key = formField(form, 'form_key') || randomUUID()
  const field = `${act}${id}-name`
  const fields = { token: context.token, do: `${act} ${id}`.trim(), at: view.open ?? '', form_key: key }
  return html`<form class="inline-add" method="post" action="${buildPath(view.course)}" data-inline>
${hidden(fields)}<label class="unseen" for="${field}">${label}</label><input id="${field}" name="name" maxlength="200" value="${formField(form, 'name')}" placeholder="${label}"${refused !== undefined && html` aria-invalid="true" aria-describedby="${field}-error"`} required>
${renderError(context, refused, field)}${more}<button class="small main" type="submit">${context.t(texts.words.add)}</button>
</form>`
}

const renderAddLesson = (section: SectionView, context: StaffContext, view: OutlineShown, isOpen: boolean): Html => {
  const { t } = context
  const { id } = section
  if (!isOpen)
    return html`<a class="add" href="${buildOpened(view, 'add', id)}" data-open>${t(text.addLesson)}<span class="unseen">: ${section.name}</span></a>`
  const chosen = formField(findTyped(view, 'add_lesson', id)?.form ?? [], 'type') || 'text'
  const label = t(text.lessonType)
  const more = html`<select name="type" aria-label="${label}">${lessonTypes.map(type => html`<option value="${type}"${type === chosen && html` selected`}>${t(coursesText.types[type])}</option>`)}</select>
`
  return renderNameForm(context, view, { act: 'add_lesson', id, label: t(text.lessonName), more })
}

const renderSection = (section: SectionView, index: number, context: StaffContext, view: OutlineShown): Html => {
  const { query } = context
  const { sections } = view.outline
  const { id, lessons, revision } = section
  const [isFirst, isLast] = [index === 0, index === sections.length - 1]
  const isAdding =
    (lessons.length === 0 && isLast) || query.get('add') === id || findTyped(view, 'add_lesson', id) !== undefined
  return html`<li id="${id}" data-section="${id} ${revision}"><div class="sec">${renderMenu(section, 'section', context, view, [isFirst, isLast])}<h2><bdi>${section.name}</bdi></h2></div>
${view.edited === id && renderEdit({ kind: 'section', item: section }, context, view)}
<ol class="lessons">${lessons.map((lesson, at) => renderLesson(lesson, context, view, [isFirst && at === 0, isLast && at === lessons.length - 1]))}</ol>
${renderAddLesson(section, context, view, isAdding)}</li>
`
}

const renderAddSection = (context: StaffContext, view: OutlineShown): Html => {
  const { t, query } = context
  const isOpen =
    view.outline.sections.length === 0 ||
    query.get('add') === 'section' ||
    findTyped(view, 'add_section', '') !== undefined
  if (!isOpen)
    return html`<a class="add" href="${buildOpened(view, 'add', 'section')}" data-open>${t(text.addSection)}</a>`
  return renderNameForm(context, view, { act: 'add_section', id: '', label: t(text.sectionName) })
}

/** The sections and lessons of a course in one list, with all that is done with them. On phones it is a panel. */
export const renderOutline = (context: StaffContext, view: OutlineShown): Html => {
  const { t, token } = context
  const { course, outline, open = '' } = view
  return html`<aside id="outline" popover aria-label="${t(text.label)}">
<form id="${ROWS}" method="post" action="${buildPath(course)}">${hidden({ token, at: open })}</form>
<ol class="outline">
${outline.sections.map((section, index) => renderSection(section, index, context, view))}</ol>
<div id="section">${renderAddSection(context, view)}</div>
<p class="unseen" role="status" data-live></p>
</aside>
`
}

/** The button that opens the outline on a phone. */
export const renderOpener = ({ t }: StaffContext): Html =>
  html`<button type="button" class="only-small" popovertarget="outline">${t(text.label)}</button>`
