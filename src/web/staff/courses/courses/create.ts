import { Course, Section } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  fieldsFor,
  fileForm,
  formKeyIn,
  hiddenFor,
  line,
  money,
  page,
  required,
  shownAgain,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { renderCoursePage, toCourses } from './frame.ts'
import { readCurrency } from './prices.ts'

const { intro, fields: said, firstSection } = texts.staff.courses.create

const fields = fieldsFor<{ name: string; subtitle: string; amount: number | null }>()(said, {
  name: required(line({ most: 200 })),
  subtitle: line({ most: 300 }),
  amount: money(),
})

const showForm = async (context: StaffContext, typed: Pairs = [], refusal?: Refusal): Promise<Reply> => {
  const { t, language, form, isStaff } = context
  const state = { language, typed, refusal, currency: await readCurrency(context) }
  // Only staff set prices.
  const names = fields.names.filter(name => isStaff || name !== 'amount')
  const inside = html`${hiddenFor(state)}${fields.rows(state, names)}
<div class="buttons row"><button class="main" type="submit">${t(texts.words.createCourse)}</button></div>`
  return renderCoursePage(context, {
    title: t(texts.words.createCourse),
    above: [toCourses(context)],
    refusal,
    sets: [fields],
    body: html`<p>${t(intro)}</p>\n${form(inside)}`,
  })
}

// Each call has a name of its own, so that a form that was refused halfway goes on where it was.
const create = async (context: StaffContext, form: Pairs): Promise<string> => {
  const { call, t, isStaff } = context
  const { amount, ...body } = fields.body(form, { ...context, currency: await readCurrency(context) })
  const { formKey } = formKeyIn(form)
  const keyFor = (part: string) => (formKey === undefined ? {} : { formKey: `${formKey}-${part}` })
  const { id } = await call({ operation: 'createCourse', body, ...formKeyIn(form), returns: Course })
  const params = { course_id: id }
  const section = { operation: 'createSection', params, body: { name: t(firstSection) }, ...keyFor('section') }
  await call({ ...section, returns: Section })
  if (isStaff && amount != null && formField(form, 'amount').trim() !== '') {
    const price = { payment_type: amount === 0 ? 'free' : 'one_time', amount }
    await call({ operation: 'createCoursePrice', params, body: price, ...keyFor('price') })
  }
  return `/staff/courses/${id}?done=created`
}

/** GET and POST /staff/courses/new: the name and the price of a course, which then has its first section. */
export const courseCreation = [
  page('GET /staff/courses/new', courseTeachers, context => showForm(context)),
  fileForm('POST /staff/courses/new', courseTeachers, (context, { form }) =>
    shownAgain(
      () => create(context, form),
      refusal => showForm(context, form, refusal),
    ),
  ),
]
