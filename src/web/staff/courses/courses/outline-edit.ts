import { randomUUID } from 'node:crypto'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { buildPath } from './frame.ts'
import type { LessonView, OutlineShown, SectionView } from './outline-view.ts'

const { outline: text } = texts.staff.courses

/** A section or lesson whose form is open in the outline. */
type Edited =
  | { readonly kind: 'section'; readonly item: SectionView }
  | { readonly kind: 'lesson'; readonly item: LessonView }

type Option = { readonly id: string; readonly name: string }

const renderChoice = (name: string, label: string, options: readonly Option[], button: Html): Html =>
  html`<label for="${name}">${label}</label>
<div class="field-row"><select id="${name}" name="${name}">${options.map(one => html`<option value="${one.id}">${one.name}</option>`)}</select>${button}</div>
`

/** What can be done with a section or lesson, in its place in the outline: one form with several buttons. */
export const renderEdit = (edited: Edited, context: StaffContext, view: OutlineShown): Html => {
  const { t, token } = context
  const { kind, item } = edited
  const { id, revision } = item
  const { course, outline, others, open = '', refused } = view
  const button = (act: string, label: string, style = html`small`): Html =>
    html`<button class="${style}" type="submit" name="do" value="${act}_${kind} ${id} ${revision}">${label}</button>`
  const sections = outline.sections.filter(({ lessons }) => !lessons.some(lesson => lesson.id === id))
  const about =
    edited.kind === 'lesson'
      ? t(texts.staff.lessons.lesson.removeAbout)
      : t(text.removeAbout, { n: edited.item.lessons.length })
  const move = t(texts.staff.lessons.studio.move)
  return html`<form class="inline-edit" method="post" action="${buildPath(course)}" data-inline>
${hidden({ token, at: open, form_key: randomUUID() })}<label for="edit-name">${t(texts.words.name)}</label>
<div class="field-row"><input id="edit-name" name="name" value="${refused === undefined ? item.name : formField(refused.form, 'name')}" maxlength="200">${button('rename', t(texts.words.rename))}</div>
${kind === 'lesson' && sections.length > 0 && renderChoice('to_section', t(text.toSection), sections, button('put', move))}${others.length > 0 && renderChoice('to_course', t(text.toCourse), others, button('give', move))}<p class="hint">${about}</p>
<div class="row">${button('copy', t(text.duplicate))}${button('remove', t(texts.words.remove), html`small bad`)}<a href="${buildPath(course)}${open !== '' && `/lessons/${open}`}#${id}" data-open>${t(text.close)}</a></div>
</form>`
}
