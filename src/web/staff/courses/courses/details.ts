import { CategoryPage, CertificateTemplatePage, LecturerPage } from '#src/areas/courses/index.ts'
import { endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { FormWithFiles } from '#src/web/page/index.ts'
import { storeFile } from '../../files/uploads/index.ts'
import { revisionOf } from '../../form-fields.ts'
import { lineIn, lineOrNull, textIn, valuesIn } from '../../forms/values.ts'
import type { StaffSection } from '../../section.ts'
import { shownAgain, type Visit } from '../../visit.ts'
import { detailsPage } from './details-page.ts'
import { pathOf } from './frame.ts'
import { type CourseView, getCourse, posted, visited } from './visit.ts'

const ALL: Pairs = [['limit', '100']]

const templatesOf = async ({ parts, person, isStaff }: Visit) => {
  // Only staff may list templates; a course keeps the one that it has.
  if (!isStaff) return undefined
  const call = { operation: 'listCertificateTemplates', query: ALL, returns: CertificateTemplatePage }
  return (await parts.performAs(person, call)).data
}

const show = async (visit: Visit, again?: { readonly form: Pairs; readonly refusal: Refusal }): Promise<Reply> => {
  const { parts, person } = visit
  const [course, categories, lecturers, templates] = await Promise.all([
    getCourse(visit, ['lecturers']),
    parts.performAs(person, { operation: 'listCategories', query: ALL, returns: CategoryPage }),
    parts.performAs(person, { operation: 'listLecturers', query: ALL, returns: LecturerPage }),
    templatesOf(visit),
  ])
  return detailsPage(visit, {
    ...{ course, templates, again },
    categories: categories.data,
    lecturers: lecturers.data,
  })
}

// A form that was opened before the field existed keeps the switch.
const commentsIn = (form: Pairs): { readonly comments?: string } => {
  const comments = formField(form, 'comments')
  return comments === '' ? {} : { comments }
}

const bodyIn = (form: Pairs, isStaff: boolean): Record<string, unknown> => ({
  name: lineIn(form, 'name'),
  subtitle: lineIn(form, 'subtitle'),
  description: textIn(form, 'description'),
  slug: lineIn(form, 'slug'),
  visibility: formField(form, 'visibility'),
  ...commentsIn(form),
  category_ids: valuesIn(form, 'category_ids'),
  tags: lineIn(form, 'tags')
    .split(',')
    .map(tag => tag.trim())
    .filter(tag => tag !== ''),
  seo: { title: lineOrNull(form, 'seo_title'), description: lineOrNull(form, 'seo_description') },
  external_id: lineOrNull(form, 'external_id'),
  ...(isStaff ? { certificate_template_id: lineOrNull(form, 'certificate_template_id') } : {}),
})

const change = ({ parts, person }: Visit, course: CourseView, form: Pairs, body: object): Promise<undefined> =>
  parts.performAs(person, {
    operation: 'updateCourse',
    params: { course_id: course.id },
    body,
    revision: revisionOf(form),
  })

const teaching = (course: CourseView, form: Pairs, operation: string): PageCall<undefined> => ({
  operation,
  params: { course_id: course.id, lecturer_id: formField(form, 'lecturer') },
})

const act = async (visit: Visit, course: CourseView, { form, files }: FormWithFiles): Promise<string> => {
  const { parts, person, isStaff } = visit
  switch (formField(form, 'act')) {
    case 'save':
      await change(visit, course, form, bodyIn(form, isStaff))
      return '?done=saved'
    case 'picture': {
      const image = files.find(({ field }) => field === 'file')
      await change(visit, course, form, { image_file_id: await storeFile(parts, person, image, 'course') })
      return '?done=uploaded#picture'
    }
    case 'remove_picture':
      await change(visit, course, form, { image_file_id: null })
      return '?done=removed#picture'
    case 'add_lecturer':
      await parts.performAs(person, teaching(course, form, 'addCourseLecturer'))
      return '?done=saved#lecturers'
    case 'remove_lecturer':
      await parts.performAs(person, teaching(course, form, 'removeCourseLecturer'))
      return '?done=removed#lecturers'
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const submit = async (visit: Visit, sent: FormWithFiles): Promise<Reply> => {
  const course = await getCourse(visit)
  const work = async () => `${pathOf(course)}/details${await act(visit, course, sent)}`
  return shownAgain(work, refusal => show(visit, { form: sent.form, refusal }))
}

/** GET and POST /staff/courses/:course/details: all fields of a course, its picture and its lecturers. */
export const courseDetails: StaffSection = {
  // The page of the course leads to it.
  entries: [],
  endpoints: parts => [
    endpoint({ route: 'GET /staff/courses/:course/details', handle: visited(parts, visit => show(visit)) }),
    endpoint({ route: 'POST /staff/courses/:course/details', handle: posted(parts, submit) }),
  ],
}
