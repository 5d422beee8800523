import { Course } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { fieldsFor, fileForm, formKeyIn, hiddenFor, line, page, required, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import type { CourseView } from './course.ts'
import { renderCoursePage, toCourses } from './frame.ts'

const { intro, fields: said } = texts.staff.courses.create

const fields = fieldsFor<CourseView>()(said, {
  name: required(line({ most: 200 })),
  subtitle: line({ most: 300 }),
})

const showForm = (context: StaffContext, typed: Pairs = [], refusal?: Refusal): Promise<Reply> => {
  const { t, language, form } = context
  const state = { language, typed, refusal }
  const inside = html`${hiddenFor(state)}${fields.rows(state, fields.names)}
<div class="buttons row"><button class="main" type="submit">${t(texts.words.createCourse)}</button></div>`
  return renderCoursePage(context, {
    title: t(texts.words.createCourse),
    above: [toCourses(context)],
    refusal,
    sets: [fields],
    body: html`<p>${t(intro)}</p>\n${form(inside)}`,
  })
}

/** GET and POST /staff/courses/new. */
export const courseCreation = [
  page('GET /staff/courses/new', courseTeachers, context => showForm(context)),
  fileForm('POST /staff/courses/new', courseTeachers, (context, { form }) =>
    shownAgain(
      async () => {
        const call = { operation: 'createCourse', body: fields.body(form, context), ...formKeyIn(form) }
        return `/staff/courses/${(await context.call({ ...call, returns: Course })).id}?done=created`
      },
      refusal => showForm(context, form, refusal),
    ),
  ),
]
