import type { Static } from 'typebox'
import type { CategoryPage, CertificateTemplatePage, LecturerPage } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden, select } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { renderFileForm } from '../../files/uploads/index.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { area, box, choose, type FormState, line } from '../../forms/fields.ts'
import type { CourseView } from './course.ts'
import { detailsText as text } from './details-text.ts'
import { courseHead, coursePage, pathOf, toCourses } from './frame.ts'
import { courseRefusals, coursesText } from './text.ts'

type DetailsShown = {
  readonly course: CourseView
  readonly categories: Encoded<Static<typeof CategoryPage>>['data']
  readonly lecturers: Encoded<Static<typeof LecturerPage>>['data']
  /** The templates of certificates; undefined for those who may not choose one. */
  readonly templates: Encoded<Static<typeof CertificateTemplatePage>>['data'] | undefined
  readonly again: { readonly form: Pairs; readonly refusal: Refusal } | undefined
}

const formOfCourse = (course: CourseView): Pairs => [
  ['name', course.name],
  ['subtitle', course.subtitle],
  ['description', course.description],
  ['slug', course.slug],
  ['visibility', course.visibility],
  ['comments', course.comments],
  ...course.category_ids.map((id): [string, string] => ['category_ids', id]),
  ['tags', course.tags.join(', ')],
  ['certificate_template_id', course.certificate_template_id ?? ''],
  ['seo_title', course.seo.title ?? ''],
  ['seo_description', course.seo.description ?? ''],
  ['external_id', course.external_id ?? ''],
]

const actionOf = ({ course }: DetailsShown): string => `${pathOf(course)}/details`

const short = (length: number): Html => html`type="text" maxlength="${length}"`

const categoriesPart = (
  state: FormState,
  { t }: StaffContext,
  { categories }: DetailsShown,
): Html => html`<fieldset><legend>${t(text.categories)}</legend>
${categories.length === 0 && html`<p class="quiet">${t(text.noCategories)}</p>`}
${categories.map(({ id, name }) => box(state, { name: 'category_ids', id, label: name }, id))}</fieldset>`

const certificatePart = (state: FormState, { t }: StaffContext, { templates }: DetailsShown): Html | false => {
  if (templates === undefined) return false
  const hint = templates.length === 0 ? { hint: t(text.noTemplates) } : {}
  const field = { name: 'certificate_template_id', label: t(text.certificate), ...hint }
  const choices = templates.map(({ id, name }) => ({ value: id, label: name }))
  return html`${choose(state, field, [{ value: '', label: t(text.noCertificate) }, ...choices])}
<p class="quiet"><a href="/staff/certificates${templates.length === 0 && '/new'}">${t(templates.length === 0 ? text.addTemplate : text.templates)}</a></p>`
}

const mainForm = (state: FormState, context: StaffContext, view: DetailsShown): Html => {
  const { t, token } = context
  const { course, again } = view
  const isStale = state.typed !== again?.form || again.refusal.problem.code === 'precondition_failed'
  const visibilities = Object.entries(text.visibilities).map(([value, phrase]) => ({
    value,
    label: t(phrase),
  }))
  const modes = Object.entries(coursesText.commentModes).map(([value, phrase]) => ({
    value,
    label: t(phrase),
  }))
  const inside = html`${hidden({ act: 'save', revision: isStale ? course.revision : formField(state.typed, 'revision') })}
${line(state, { name: 'name', label: t(text.name), attributes: html`type="text" maxlength="200" required` })}
${line(state, { name: 'subtitle', label: t(text.subtitle), attributes: short(300) })}
${area(state, { name: 'description', label: t(text.description), rows: 8, attributes: html`maxlength="10000"` })}
${line(state, { name: 'slug', label: t(text.slug), hint: t(text.slugHint), attributes: html`type="text" maxlength="80" required` })}
${choose(state, { name: 'visibility', label: t(text.visibility) }, visibilities)}
${choose(state, { name: 'comments', label: t(coursesText.comments) }, modes)}
${certificatePart(state, context, view)}
${categoriesPart(state, context, view)}
${line(state, { name: 'tags', label: t(text.tags), attributes: short(1100) })}
<details class="filters"><summary>${t(text.search)}</summary>
${line(state, { name: 'seo_title', label: t(text.seoTitle), attributes: short(120) })}
${line(state, { name: 'seo_description', label: t(text.seoDescription), attributes: short(320) })}
${line(state, { name: 'external_id', label: t(text.externalId), attributes: short(255) })}</details>
<div class="buttons row"><button class="main" type="submit">${t(coursesText.save)}</button></div>`
  return formOf(actionOf(view), token, inside)
}

const picturePart = (context: StaffContext, view: DetailsShown): Html => {
  const { t, language, token } = context
  const { course } = view
  const { image, revision } = course
  const remove = html`${hidden({ act: 'remove_picture', revision })}<button class="plain" type="submit">${t(text.removePicture)}</button>`
  return html`<section class="card" id="picture"><h2>${t(text.picture)}</h2>
${image === null ? html`<p>${t(text.noPicture)}</p>` : html`<img class="thumbnail" src="${image.url}${image.url.includes('?') ? '&' : '?'}width=320" alt="">${formOf(actionOf(view), token, remove)}`}
${renderFileForm({
  ...{ action: actionOf(view), token, language },
  fields: { act: 'picture', revision },
  id: 'picture-file',
  label: t(text.choosePicture),
  button: t(text.upload),
  accept: 'image/png,image/jpeg,image/webp',
  hint: t(text.pictureHint),
})}</section>`
}

const lecturersPart = (context: StaffContext, view: DetailsShown): Html => {
  const { t, token, isStaff } = context
  const { course, lecturers } = view
  const teaching = course.lecturers ?? []
  const others = lecturers.filter(({ id }) => !course.lecturer_ids.includes(id))
  const remove = t(coursesText.remove)
  const items = teaching.map(({ id, display_name: name }) => {
    const inside = html`${hidden({ act: 'remove_lecturer', lecturer: id })}<button class="plain" type="submit" aria-label="${remove}: ${name}">${remove}</button>`
    return html`<li class="act"><bdi>${name}</bdi>${isStaff && formOf(actionOf(view), token, inside)}</li>\n`
  })
  const choices = others.map(({ id, display_name: label }) => ({ value: id, label }))
  const add = html`${hidden({ act: 'add_lecturer' })}${select('lecturer', t(text.addLecturer), '', choices)}<button type="submit">${t(text.add)}</button>`
  return html`<section class="card" id="lecturers"><h2>${t(text.lecturers)}</h2>
<p class="quiet">${t(text.lecturersAbout)}</p>
${items.length === 0 ? html`<p>${t(text.noLecturers)}</p>` : html`<ul class="list">\n${items}</ul>`}
${isStaff && choices.length > 0 && formOf(actionOf(view), token, add)}
${isStaff && html`<p class="quiet"><a href="/staff/lecturers">${t(text.allLecturers)}</a></p>`}</section>`
}

const FIELDS = ['name', 'subtitle', 'description', 'slug', 'tags', 'seo_title', 'seo_description', 'external_id']

/** The page with the fields of a course, its picture and its lecturers. */
export const detailsPage = (context: StaffContext, view: DetailsShown): Promise<Reply> => {
  const { t, language } = context
  const { course, again } = view
  const refusal = again?.refusal
  const errors = errorsIn(refusal, language, text.errors)
  const isAgain = again !== undefined && formField(again.form, 'act') === 'save'
  const state: FormState = isAgain ? { typed: again.form, errors } : { typed: formOfCourse(course), errors: new Map() }
  return coursePage(context, {
    title: t(text.title, { name: course.name }),
    above: [toCourses(context), { href: pathOf(course), name: course.name }],
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: FIELDS, refusals: courseRefusals }),
    body: html`${courseHead(context, course, 'details')}
${mainForm(state, context, view)}
${picturePart(context, view)}
${lecturersPart(context, view)}`,
  })
}
