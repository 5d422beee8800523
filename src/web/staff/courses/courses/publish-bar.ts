import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { checkbox, hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { buildPath, renderStatus } from './frame.ts'
import { countDrafts, listMissing, type Shown } from './missing.ts'

const { publication: text, studio } = texts.staff.courses

const renderPublish = (context: StaffContext, shown: Shown): Html => {
  const { t, form } = context
  const { course, outline } = shown
  const items = listMissing(context, shown)
  const n = countDrafts(shown)
  const inside = html`${hidden({ act: 'publish', from: 'editor', revision: course.revision, outline_revision: outline.revision })}${
    items.length === 0
      ? html`<p>${t(text.ready)}</p>`
      : html`<p><b>${t(text.missing)}</b></p>
<ul class="list">\n${items}</ul>`
  }
${n > 0 && checkbox('lessons', t(studio.withLessons, { n }), { isChecked: true })}
<p class="hint">${t(text.acts.publish.about)}</p>
<button class="main" type="submit">${t(texts.words.publishNow)}</button>`
  return html`<details class="menu publish" name="save"><summary class="button">${t(studio.publish)}</summary>
<div>${form(inside, `${buildPath(course)}/publication`)}</div></details>`
}

/** The state of a course, and for staff its publication with what is missing before. */
export const renderCourseBar = (context: StaffContext, shown: Shown): Html => {
  const { t, isStaff } = context
  const { course } = shown
  const canPublish = isStaff && (course.status === 'draft' || course.status === 'scheduled')
  return html`<a class="course-state" href="${buildPath(course)}/publication">${t(texts.words.course)}: ${renderStatus(context, course)}</a>
${canPublish && renderPublish(context, shown)}`
}
