import { CertificateTemplatePage } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { fieldsFor, fileForm, hiddenFor, page, revisionIn, selectOneOrNone, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { type CourseView, getCourse } from './course.ts'
import { buildPath, renderCoursePart } from './frame.ts'

const { certificate: text, details } = texts.staff.courses

const fields = fieldsFor<CourseView>()(text.fields, { certificate_template_id: selectOneOrNone() })

const ALL: Pairs = [['limit', '100']]

const showCertificate = async (context: StaffContext, typed?: Pairs, refusal?: Refusal): Promise<Reply> => {
  const { t, call, language, form, isStaff } = context
  const course = await getCourse(context)
  // Only staff may list templates; a course keeps the one that it has.
  const templates = isStaff
    ? (await call({ operation: 'listCertificateTemplates', query: ALL, returns: CertificateTemplatePage })).data
    : []
  const choices = {
    certificate_template_id: [
      { value: '', label: t(details.noCertificate) },
      ...templates.map(({ id, name }) => ({ value: id, label: name })),
    ],
  }
  const state = { language, choices, typed: typed ?? fields.pairs(course, context), refusal }
  const hasTemplates = templates.length > 0
  const inside = html`${hiddenFor(state, course.revision)}${fields.rows(state, fields.names)}
<p class="quiet">${!hasTemplates && html`${t(details.noTemplates)} `}<a href="/staff/certificates${!hasTemplates && '/new'}">${t(hasTemplates ? details.templates : texts.words.createTemplate)}</a></p>
<div class="buttons row"><button class="main" type="submit">${t(texts.words.save)}</button></div>`
  return renderCoursePart(context, course, {
    tab: 'certificate',
    title: text.title,
    refusal,
    sets: [fields],
    body: html`<p>${t(isStaff ? text.about : text.forStaff)}</p>
${isStaff && form(inside)}`,
  })
}

const PATH = '/staff/courses/:course/certificate'

/** GET and POST /staff/courses/:course/certificate: the certificate of a course. */
export const courseCertificate = [
  page(`GET ${PATH}`, courseTeachers, context => showCertificate(context)),
  fileForm(`POST ${PATH}`, courseTeachers, async (context, { form }) => {
    const course = await getCourse(context)
    const params = { course_id: course.id }
    return shownAgain(
      async () => {
        const body = fields.body(form, context)
        await context.call({ operation: 'updateCourse', params, body, revision: revisionIn(form) })
        return `${buildPath(course)}/certificate?done=saved`
      },
      refusal => showCertificate(context, form, refusal),
    )
  }),
]
