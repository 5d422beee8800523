import { randomUUID } from 'node:crypto'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Warning } from '#src/contract/warning.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden, timeOf } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { type FormState, line } from '../../forms/fields.ts'
import { folded } from '../../pages/fields.ts'
import type { CourseView, OutlineView } from './course.ts'
import { courseHead, coursePage, pathOf, toCourses } from './frame.ts'
import { publicationText as text } from './publication-text.ts'
import { courseRefusals } from './text.ts'

/** What the page of the publication shows. */
export type PublicationShown = {
  readonly course: CourseView
  readonly outline: OutlineView
  readonly warnings: readonly Warning[]
  /** That of the school, in which times are typed. */
  readonly timeZone: string
  readonly again: { readonly form: Pairs; readonly refusal: Refusal } | undefined
}

const lessonsOf = ({ outline }: PublicationShown) => outline.sections.flatMap(({ lessons }) => lessons)

const link = (href: string, phrase: Phrase, { t }: StaffContext): Html => html`<a href="${href}">${t(phrase)}</a>`

const warningItem = ({ code, message, ids }: Warning, context: StaffContext, view: PublicationShown): Html => {
  const { t } = context
  const phrases: Readonly<Record<string, Phrase>> = text.warnings
  const phrase = phrases[code]
  const path = pathOf(view.course)
  const named = lessonsOf(view).filter(({ id }) => ids.includes(id))
  const links = named.map(({ id, name }) => html` <a href="${path}/lessons/${id}"><bdi>${name}</bdi></a>`)
  const more =
    code === 'no_price' ? link(`${path}/prices`, text.toPrices, context) : link(path, text.toOutline, context)
  return html`<li>${phrase === undefined ? message : t(phrase)} ${links.length > 0 ? links : more}</li>\n`
}

const draftsItem = (context: StaffContext, view: PublicationShown): Html | undefined => {
  const { t, token } = context
  const { course, outline } = view
  const n = lessonsOf(view).filter(({ status }) => status === 'draft').length
  if (n === 0) return undefined
  const inside = html`${hidden({ act: 'lessons', revision: outline.revision })}<button class="plain" type="submit">${t(text.publishLessons)}</button>`
  return html`<li class="act"><span>${t(text.drafts, { n })}</span>${formOf(`${pathOf(course)}/publication`, token, inside)}</li>\n`
}

const missingPart = (context: StaffContext, view: PublicationShown): Html => {
  const { t } = context
  const { course, warnings } = view
  const details = link(`${pathOf(course)}/details`, text.toDetails, context)
  const drafts = draftsItem(context, view)
  // Lessons that are all drafts are named once, with the button that publishes them.
  const others = drafts === undefined ? warnings : warnings.filter(({ code }) => code !== 'no_lessons')
  const items = [
    drafts,
    ...others.map(warning => warningItem(warning, context, view)),
    course.image === null ? html`<li>${t(text.noPicture)} ${details}</li>\n` : undefined,
    course.description.trim() === '' ? html`<li>${t(text.noDescription)} ${details}</li>\n` : undefined,
  ].filter(item => item !== undefined)
  if (items.length === 0) return html`<p class="done">${t(text.ready)}</p>`
  return html`<h2>${t(text.missing)}</h2>
<ul class="list">\n${items}</ul>
<p class="quiet">${t(text.missingAbout)}</p>`
}

type Act = 'publish' | 'unpublish' | 'archive' | 'unarchive'

const actForm = (act: Act, context: StaffContext, { course }: PublicationShown): Html => {
  const { t, token } = context
  const about = {
    publish: text.publishAbout,
    unpublish: text.unpublishAbout,
    archive: text.archiveAbout,
    unarchive: text.unarchiveAbout,
  }
  const inside = html`${hidden({ act, revision: course.revision })}<p class="quiet">${t(about[act])}</p>
<button type="submit"${act === 'publish' && html` class="main"`}>${t(text[act])}</button>`
  return html`<div class="card">${formOf(`${pathOf(course)}/publication`, token, inside)}</div>\n`
}

const stateOf = (act: string, context: StaffContext, { again }: PublicationShown): FormState =>
  again === undefined || formField(again.form, 'act') !== act
    ? { typed: [], errors: new Map() }
    : { typed: again.form, errors: errorsIn(again.refusal, context.language, text.errors) }

const scheduleForm = (context: StaffContext, view: PublicationShown): Html => {
  const { t, language, token, viewer } = context
  const { course, timeZone: zone } = view
  const state = stateOf('schedule', context, view)
  const at = course.publish_at ?? null
  const when = at === null ? undefined : timeOf(new Date(at), language, viewer)
  const inside = html`${hidden({ act: 'schedule', revision: course.revision })}${line(state, { name: 'at', label: t(text.at, { zone }), attributes: html`type="datetime-local" required` })}<button type="submit">${t(text.schedule)}</button>`
  return html`${when !== undefined && html`<p>${t(text.scheduledAt, { at: when })}</p>\n`}${folded(t(text.schedule), formOf(`${pathOf(course)}/publication`, token, inside), state.typed.length > 0)}`
}

const copyForm = (context: StaffContext, view: PublicationShown): Html => {
  const { t, token } = context
  const state = stateOf('copy', context, view)
  const inside = html`${hidden({ act: 'copy', form_key: formField(state.typed, 'form_key') || randomUUID() })}<p class="quiet">${t(text.copyAbout)}</p>
${line(state, { name: 'name', label: t(text.copyName), attributes: html`type="text" maxlength="200"` })}<button type="submit">${t(text.copy)}</button>`
  return folded(t(text.copy), formOf(`${pathOf(view.course)}/publication`, token, inside), state.typed.length > 0)
}

const deleteForm = (context: StaffContext, view: PublicationShown): Html => {
  const { t, token } = context
  const state = stateOf('delete', context, view)
  const inside = html`${hidden({ act: 'delete', revision: view.course.revision })}<p class="quiet">${t(text.deleteAbout)}</p>
${line(state, { name: 'confirm', label: t(text.deleteName), attributes: html`type="text" autocomplete="off" required` })}<button type="submit">${t(text.delete)}</button>`
  return folded(t(text.delete), formOf(`${pathOf(view.course)}/publication`, token, inside), state.typed.length > 0)
}

const OFFERED: Readonly<Record<CourseView['status'], readonly Act[]>> = {
  draft: ['publish'],
  scheduled: ['publish', 'unpublish'],
  published: ['unpublish', 'archive'],
  archived: ['unarchive'],
}

/** The page on which staff publish, schedule, archive, copy and delete a course. */
export const publicationPage = (context: StaffContext, view: PublicationShown): Promise<Reply> => {
  const { t, language, isStaff } = context
  const { course, again } = view
  const refusal = again?.refusal
  const errors = errorsIn(refusal, language, text.errors)
  const { status } = course
  const acts = html`${OFFERED[status].map(act => actForm(act, context, view))}${(status === 'draft' || status === 'scheduled') && scheduleForm(context, view)}`
  return coursePage(context, {
    title: t(text.title, { name: course.name }),
    above: [toCourses(context), { href: pathOf(course), name: course.name }],
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: ['at', 'confirm', 'name'], refusals: courseRefusals }),
    body: html`${courseHead(context, course, 'publication')}
${status !== 'archived' && missingPart(context, view)}
${isStaff ? acts : html`<p class="note">${t(text.forStaff)}</p>`}
${copyForm(context, view)}
${isStaff && deleteForm(context, view)}`,
  })
}
