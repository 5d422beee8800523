import { randomUUID } from 'node:crypto'
import { Course } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type FormWithFiles, fileForm, formKeyIn, formOf, hidden, page, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { line } from '../../forms/fields.ts'
import { lineIn } from '../../forms/values.ts'
import type { StaffSection } from '../../section.ts'
import { coursePage, toCourses } from './frame.ts'
import { courseRefusals, coursesText } from './text.ts'

const text = texts.staff.courses.create

const PATH = '/staff/courses/new'

const showForm = (context: StaffContext, typed: Pairs = [], refusal?: Refusal): Promise<Reply> => {
  const { t, language, token } = context
  const errors = errorsIn(refusal, language)
  const state = { typed, errors }
  const required = html`type="text" maxlength="200" required`
  const inside = html`${hidden({ form_key: formField(typed, 'form_key') || randomUUID() })}${line(state, { name: 'name', label: t(text.name), attributes: required })}
${line(state, { name: 'subtitle', label: t(text.subtitle), attributes: html`type="text" maxlength="300"` })}
<div class="buttons row"><button class="main" type="submit">${t(coursesText.create)}</button></div>`
  return coursePage(context, {
    title: t(coursesText.create),
    above: [toCourses(context)],
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: ['name', 'subtitle'], refusals: courseRefusals }),
    body: html`<p>${t(text.intro)}</p>\n${formOf(PATH, token, inside)}`,
  })
}

const submit = (context: StaffContext, { form }: FormWithFiles): Promise<Reply> => {
  const create = async () => {
    const body = { name: lineIn(form, 'name'), subtitle: lineIn(form, 'subtitle') }
    const call = { operation: 'createCourse', body, ...formKeyIn(form), returns: Course }
    const { id } = await context.call(call)
    return `/staff/courses/${id}?done=created`
  }
  return shownAgain(create, refusal => showForm(context, form, refusal))
}

/** GET and POST /staff/courses/new. */
export const courseCreation: StaffSection = {
  // The list leads to it.
  entries: [],
  pages: [
    page(`GET ${PATH}`, courseTeachers, context => showForm(context)),
    fileForm(`POST ${PATH}`, courseTeachers, submit),
  ],
}
