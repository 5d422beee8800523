import { CategoryPage, CertificateTemplatePage, LecturerPage } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Act,
  actIn,
  buildState,
  choice,
  type FormState,
  type FormWithFiles,
  fieldsFor,
  fileForm,
  hidden,
  hiddenFor,
  line,
  markdown,
  optionalLine,
  page,
  type Refused,
  required,
  select,
  selectMany,
  selectOneOrNone,
  shownAgain,
  words,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { renderFileForm, storeFile } from '../../files/uploads/index.ts'
import { plainEditor, previewButton } from '../../texts/index.ts'
import { type CourseView, getCourse } from './course.ts'
import { buildPath, renderCoursePart } from './frame.ts'
import { coursesText } from './text.ts'

const { details: text } = texts.staff.courses

type Body = CourseView & { readonly seo_title: string | null; readonly seo_description: string | null }

const courseFields = fieldsFor<Body>()(
  { ...text.fields, comments: coursesText.comments },
  {
    name: required(line({ most: 200 })),
    subtitle: line({ most: 300 }),
    description: markdown({ most: 10_000, rows: 8, editor: plainEditor('description') }),
    slug: required(line({ most: 80 })),
    visibility: choice(['listed', 'unlisted']),
    comments: choice(['open', 'closed', 'off']),
    certificate_template_id: selectOneOrNone(),
    category_ids: selectMany(),
    tags: words({ most: 1100 }),
    seo_title: optionalLine({ most: 120 }),
    seo_description: optionalLine({ most: 320 }),
    external_id: optionalLine({ most: 255 }),
  },
)

const ALL: Pairs = [['limit', '100']]

// Only staff may list templates; a course keeps the one that it has.
const listTemplates = async ({ call, isStaff }: StaffContext) =>
  isStaff
    ? (await call({ operation: 'listCertificateTemplates', query: ALL, returns: CertificateTemplatePage })).data
    : undefined

const listChoices = (all: readonly { readonly id: string; readonly name: string }[] = []) =>
  all.map(({ id, name }) => ({ value: id, label: name }))

const renderFields = (state: FormState, { t, isStaff }: StaffContext): Html => {
  const { category_ids: categories = [], certificate_template_id: templates = [] } = state.choices ?? {}
  // One of the choices is none.
  const hasTemplates = templates.length > 1
  const certificate = html`${courseFields.rows(state, ['certificate_template_id'])}
<p class="quiet">${!hasTemplates && html`${t(text.noTemplates)} `}<a href="/staff/certificates${!hasTemplates && '/new'}">${t(hasTemplates ? text.templates : texts.words.createTemplate)}</a></p>`
  return html`${courseFields.rows(state, ['name', 'subtitle', 'description', 'slug', 'visibility', 'comments'])}
${isStaff && certificate}
${categories.length === 0 ? html`<p class="quiet">${t(text.noCategories)}</p>` : courseFields.rows(state, ['category_ids'])}
${courseFields.rows(state, ['tags'])}
<details class="filters"><summary>${t(text.search)}</summary>
${courseFields.rows(state, ['seo_title', 'seo_description', 'external_id'])}</details>
<div class="buttons row"><button class="main" type="submit">${t(texts.words.save)}</button></div>
${previewButton(t, 'description')}`
}

const picturePart = ({ t, language, token, form, request }: StaffContext, { image, revision }: CourseView): Html => {
  const remove = html`${hidden({ act: 'remove_picture', revision })}<button class="plain" type="submit">${t(texts.words.removePicture)}</button>`
  return html`<section class="card" id="picture"><h2>${t(texts.words.picture)}</h2>
${image === null ? html`<p>${t(text.noPicture)}</p>` : html`<img class="thumbnail" src="${image.url}${image.url.includes('?') ? '&' : '?'}width=320" alt="">${form(remove)}`}
${renderFileForm({
  action: request.path,
  token,
  language,
  fields: { act: 'picture', revision },
  id: 'picture-file',
  label: t(texts.words.choosePicture),
  button: t(texts.words.upload),
  accept: 'image/png,image/jpeg,image/webp',
  hint: t(text.pictureHint),
})}</section>`
}

type Lecturers = readonly { readonly id: string; readonly display_name: string }[]

const lecturersPart = ({ t, isStaff, form }: StaffContext, course: CourseView, lecturers: Lecturers): Html => {
  const remove = t(texts.words.remove)
  const items = (course.lecturers ?? []).map(({ id, display_name: name }) => {
    const inside = html`${hidden({ act: 'remove_lecturer', lecturer: id })}<button class="plain" type="submit" aria-label="${remove}: ${name}">${remove}</button>`
    return html`<li class="act"><bdi>${name}</bdi>${isStaff && form(inside)}</li>\n`
  })
  const choices = lecturers
    .filter(({ id }) => !course.lecturer_ids.includes(id))
    .map(({ id, display_name: label }) => ({ value: id, label }))
  const add = html`${hidden({ act: 'add_lecturer' })}${select('lecturer', t(texts.words.addLecturer), '', choices)}<button type="submit">${t(texts.words.add)}</button>`
  return html`<section class="card" id="lecturers"><h2>${t(texts.words.lecturers)}</h2>
<p class="quiet">${t(text.lecturersAbout)}</p>
${items.length === 0 ? html`<p>${t(text.noLecturers)}</p>` : html`<ul class="list">\n${items}</ul>`}
${isStaff && choices.length > 0 && form(add)}
${isStaff && html`<p class="quiet"><a href="/staff/lecturers">${t(text.allLecturers)}</a></p>`}</section>`
}

const showDetails = async (context: StaffContext, refused?: Refused): Promise<Reply> => {
  const { t, call, form } = context
  const [course, categories, lecturers, templates] = await Promise.all([
    getCourse(context, ['lecturers']),
    call({ operation: 'listCategories', query: ALL, returns: CategoryPage }),
    call({ operation: 'listLecturers', query: ALL, returns: LecturerPage }),
    listTemplates(context),
  ])
  const choices = {
    certificate_template_id: [{ value: '', label: t(text.noCertificate) }, ...listChoices(templates)],
    category_ids: listChoices(categories.data),
  }
  const { title: seo_title, description: seo_description } = course.seo
  const stored = courseFields.pairs({ ...course, seo_title, seo_description }, context)
  const state = buildState({ ...context, choices }, refused, 'save', stored)
  const inside = html`${hidden({ act: 'save' })}${hiddenFor(state, course.revision)}${renderFields(state, context)}`
  return renderCoursePart(context, course, {
    tab: 'details',
    title: text.title,
    refusal: refused?.refusal,
    sets: [courseFields],
    body: html`${form(inside)}
${picturePart(context, course)}
${lecturersPart(context, course, lecturers.data)}`,
  })
}

const bodyIn = (context: StaffContext, course: CourseView, form: Pairs) => {
  const names = courseFields.names.filter(name => context.isStaff || name !== 'certificate_template_id')
  const { seo_title: title, seo_description: description, ...body } = courseFields.body(form, context, names)
  // A form that was opened before the field existed keeps the switch.
  return { ...body, comments: body.comments || course.comments, seo: { title, description } }
}

const courseActs = {
  save: { operation: 'updateCourse', offered: () => false },
  picture: { operation: 'updateCourse', offered: () => false },
  remove_picture: { operation: 'updateCourse', body: { image_file_id: null }, offered: () => false },
  add_lecturer: { operation: 'addCourseLecturer', params: { lecturer_id: 'lecturer' }, offered: () => false },
  remove_lecturer: { operation: 'removeCourseLecturer', params: { lecturer_id: 'lecturer' }, offered: () => false },
} as const satisfies Readonly<Record<string, Act<CourseView>>>

const doneWith: Readonly<Record<string, string>> = {
  save: 'saved',
  picture: 'uploaded#picture',
  remove_picture: 'removed#picture',
  add_lecturer: 'saved#lecturers',
  remove_lecturer: 'removed#lecturers',
}

const perform = async (context: StaffContext, course: CourseView, { form, files }: FormWithFiles): Promise<string> => {
  const { parts, person } = context
  const { name, call } = actIn(courseActs, form, { params: { course_id: course.id }, reader: context })
  if (name === 'save') await context.call({ ...call, body: bodyIn(context, course, form) })
  else if (name === 'picture') {
    const image = files.find(({ field }) => field === 'file')
    await context.call({ ...call, body: { image_file_id: await storeFile(parts, person, image, 'course') } })
  } else await context.call(call)
  return `${buildPath(course)}/details?done=${doneWith[name]}`
}

/** GET and POST /staff/courses/:course/details: all fields of a course, its picture and its lecturers. */
export const courseDetails = [
  page('GET /staff/courses/:course/details', courseTeachers, context => showDetails(context)),
  fileForm('POST /staff/courses/:course/details', courseTeachers, async (context, sent) => {
    const course = await getCourse(context)
    const { form: typed } = sent
    return shownAgain(
      () => perform(context, course, sent),
      refusal => showDetails(context, { act: formField(typed, 'act'), typed, refusal }),
    )
  }),
]
