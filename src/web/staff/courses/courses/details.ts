import { CategoryPage, CertificateTemplatePage, LecturerPage } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { PageCall } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type FormWithFiles, fileForm, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { storeFile } from '../../files/uploads/index.ts'
import { lineIn, lineOrNull, textIn, valuesIn } from '../../forms/values.ts'
import type { StaffSection } from '../../section.ts'
import { type CourseView, getCourse } from './course.ts'
import { detailsPage } from './details-page.ts'
import { pathOf } from './frame.ts'

const ALL: Pairs = [['limit', '100']]

const templatesOf = async ({ parts, person, isStaff }: StaffContext) => {
  // Only staff may list templates; a course keeps the one that it has.
  if (!isStaff) return undefined
  const call = { operation: 'listCertificateTemplates', query: ALL, returns: CertificateTemplatePage }
  return (await parts.performAs(person, call)).data
}

const show = async (
  context: StaffContext,
  again?: { readonly form: Pairs; readonly refusal: Refusal },
): Promise<Reply> => {
  const { call } = context
  const [course, categories, lecturers, templates] = await Promise.all([
    getCourse(context, ['lecturers']),
    call({ operation: 'listCategories', query: ALL, returns: CategoryPage }),
    call({ operation: 'listLecturers', query: ALL, returns: LecturerPage }),
    templatesOf(context),
  ])
  return detailsPage(context, {
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

const change = ({ call }: StaffContext, course: CourseView, form: Pairs, body: object): Promise<undefined> =>
  call({
    operation: 'updateCourse',
    params: { course_id: course.id },
    body,
    revision: revisionIn(form),
  })

const teaching = (course: CourseView, form: Pairs, operation: string): PageCall<undefined> => ({
  operation,
  params: { course_id: course.id, lecturer_id: formField(form, 'lecturer') },
})

const act = async (context: StaffContext, course: CourseView, { form, files }: FormWithFiles): Promise<string> => {
  const { call, parts, person, isStaff } = context
  switch (formField(form, 'act')) {
    case 'save':
      await change(context, course, form, bodyIn(form, isStaff))
      return '?done=saved'
    case 'picture': {
      const image = files.find(({ field }) => field === 'file')
      await change(context, course, form, { image_file_id: await storeFile(parts, person, image, 'course') })
      return '?done=uploaded#picture'
    }
    case 'remove_picture':
      await change(context, course, form, { image_file_id: null })
      return '?done=removed#picture'
    case 'add_lecturer':
      await call(teaching(course, form, 'addCourseLecturer'))
      return '?done=saved#lecturers'
    case 'remove_lecturer':
      await call(teaching(course, form, 'removeCourseLecturer'))
      return '?done=removed#lecturers'
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const submit = async (context: StaffContext, sent: FormWithFiles): Promise<Reply> => {
  const course = await getCourse(context)
  const work = async () => `${pathOf(course)}/details${await act(context, course, sent)}`
  return shownAgain(work, refusal => show(context, { form: sent.form, refusal }))
}

/** GET and POST /staff/courses/:course/details: all fields of a course, its picture and its lecturers. */
export const courseDetails: StaffSection = {
  // The page of the course leads to it.
  entries: [],
  pages: [
    page('GET /staff/courses/:course/details', courseTeachers, context => show(context)),
    fileForm('POST /staff/courses/:course/details', courseTeachers, submit),
  ],
}
