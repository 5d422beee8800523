import { CategoryPage, LecturerPage } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Act,
  type Again,
  actBesideText,
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
  renderConflict,
  required,
  select,
  selectMany,
  shownAgain,
  TAKE_THEIRS,
  words,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { renderFilePart, storeFile } from '../../files/uploads/index.ts'
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
    category_ids: selectMany(),
    tags: words({ most: 1100 }),
    seo_title: optionalLine({ most: 120 }),
    seo_description: optionalLine({ most: 320 }),
    external_id: optionalLine({ most: 255 }),
  },
)

const ALL: Pairs = [['limit', '100']]

const listChoices = (all: readonly { readonly id: string; readonly name: string }[] = []) =>
  all.map(({ id, name }) => ({ value: id, label: name }))

const renderFields = (state: FormState, { t }: StaffContext): Html => {
  const { category_ids: categories = [] } = state.choices ?? {}
  return html`${courseFields.rows(state, ['name', 'subtitle', 'description', 'slug', 'visibility', 'comments'])}
${categories.length === 0 ? html`<p class="quiet">${t(text.noCategories)}</p>` : courseFields.rows(state, ['category_ids'])}
${courseFields.rows(state, ['tags'])}
<details class="filters"><summary>${t(text.search)}</summary>
${courseFields.rows(state, ['seo_title', 'seo_description', 'external_id'])}</details>
<div class="buttons row"><button class="main" type="submit" name="act" value="save">${t(texts.words.save)}</button></div>
${previewButton(t, 'description')}`
}

const picturePart = ({ t, language, form }: StaffContext, { image, revision }: CourseView): Html => {
  const remove = html`${hidden({ act: 'remove_picture', revision })}<button class="plain" type="submit">${t(texts.words.removePicture)}</button>`
  return html`<section class="card" id="picture"><h2>${t(texts.words.picture)}</h2>
${image === null ? html`<p>${t(text.noPicture)}</p>` : html`<img class="thumbnail" src="${image.url}${image.url.includes('?') ? '&' : '?'}width=320" alt="">${form(remove)}`}
${renderFilePart({
  language,
  within: 'details',
  act: 'picture',
  purpose: 'course',
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

const storedPairs = (context: StaffContext, course: CourseView): Pairs => {
  const { title: seo_title, description: seo_description } = course.seo
  return courseFields.pairs({ ...course, seo_title, seo_description }, context)
}

const showDetails = async (context: StaffContext, refused?: Again): Promise<Reply> => {
  const { call, form } = context
  const [course, categories, lecturers] = await Promise.all([
    getCourse(context, ['lecturers']),
    call({ operation: 'listCategories', query: ALL, returns: CategoryPage }),
    call({ operation: 'listLecturers', query: ALL, returns: LecturerPage }),
  ])
  const choices = { category_ids: listChoices(categories.data) }
  const state = buildState({ ...context, choices }, refused, 'save', storedPairs(context, course))
  const inside = html`${hiddenFor(state, course.revision)}${renderFields(state, context)}`
  return renderCoursePart(context, course, {
    tab: 'details',
    title: text.title,
    refusal: refused?.refusal,
    sets: [courseFields],
    body: html`${renderConflict(context, refused && { ...refused, stored: storedPairs(context, course), fields: courseFields, within: 'details' })}${form(inside, undefined, { id: 'details', hasFiles: true, draft: 'details' })}
${picturePart(context, course)}
${lecturersPart(context, course, lecturers.data)}`,
  })
}

const bodyIn = (context: StaffContext, course: CourseView, form: Pairs) => {
  const { seo_title: title, seo_description: description, ...body } = courseFields.body(form, context)
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
  const image = files.find(({ field }) => field === 'file')
  const picture = async () => ({ image_file_id: await storeFile(parts, person, image, 'course') })
  if (name === 'save')
    await context.call({ ...call, body: { ...bodyIn(context, course, form), ...(image && (await picture())) } })
  else if (name === 'picture') await context.call({ ...call, body: await picture() })
  else await context.call(call)
  return `${buildPath(course)}/details?done=${doneWith[name]}`
}

/** GET and POST /staff/courses/:course/details: all fields of a course, its picture and its lecturers. */
export const courseDetails = [
  page('GET /staff/courses/:course/details', courseTeachers, context => showDetails(context)),
  fileForm('POST /staff/courses/:course/details', courseTeachers, async (context, sent) => {
    const course = await getCourse(context)
    const { form: typed } = sent
    const act = formField(typed, 'act')
    if (act === TAKE_THEIRS) return showDetails(context, { act, typed })
    const text = { names: courseFields.names, stored: storedPairs(context, course) }
    const work = () => perform(context, course, sent)
    const show = (typed: Pairs) => showDetails(context, { act: 'save', typed })
    return shownAgain(
      () => (act === 'picture' ? actBesideText(context, typed, text, { act: work, show }) : work()),
      // What was typed beside the picture is shown, too.
      refusal => showDetails(context, { act: act === 'picture' ? 'save' : act, typed, refusal }),
    )
  }),
]
