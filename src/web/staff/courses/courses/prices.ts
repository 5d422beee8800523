import { PricePage, School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import {
  type FormWithFiles,
  fileForm,
  formKeyIn,
  page,
  revisionIn,
  shownAgain,
  typedAmount,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { lineIn, numberOrNull } from '../../forms/values.ts'
import type { StaffSection } from '../../section.ts'
import { type CourseView, getCourse } from './course.ts'
import { pathOf } from './frame.ts'
import { pricesPage } from './prices-page.ts'

const show = async (
  context: StaffContext,
  again?: { readonly form: Pairs; readonly refusal: Refusal },
): Promise<Reply> => {
  const { call } = context
  const course = await getCourse(context)
  const params = { course_id: course.id }
  const query: Pairs = [
    ['status', 'active'],
    ['limit', '100'],
  ]
  const [{ data: prices }, { currency }] = await Promise.all([
    call({ operation: 'listCoursePrices', params, query, returns: PricePage }),
    call({ operation: 'getSchool', returns: School }),
  ])
  return pricesPage(context, { course, prices, currency, again })
}

const known = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

const priceIn = (form: Pairs, currency: string, language: Language): Record<string, unknown> => {
  const type = formField(form, 'payment_type')
  const days = numberOrNull(form, 'access_days')
  const isRepeated = type === 'subscription' || type === 'payment_plan'
  return known({
    payment_type: type,
    amount: typedAmount(lineIn(form, 'amount') || '0', { pointer: '/amount', currency, language }),
    access: days === null ? null : { days },
    enrollment_cap: numberOrNull(form, 'enrollment_cap'),
    interval: isRepeated ? formField(form, 'interval') : null,
    interval_count: isRepeated ? numberOrNull(form, 'interval_count') : null,
    number_of_payments: numberOrNull(form, 'number_of_payments'),
    trial_days: numberOrNull(form, 'trial_days'),
  })
}

const act = async ({ call, language }: StaffContext, course: CourseView, form: Pairs): Promise<string> => {
  const params = { course_id: course.id }
  const price = formField(form, 'price')
  switch (formField(form, 'act')) {
    case 'add': {
      const { currency } = await call({ operation: 'getSchool', returns: School })
      const body = priceIn(form, currency, language)
      await call({ operation: 'createCoursePrice', params, body, ...formKeyIn(form) })
      return '?done=price'
    }
    case 'retire':
      await call({ operation: 'archiveCoursePrice', params: { ...params, price_id: price } })
      return '?done=retired'
    case 'primary': {
      const revision = revisionIn(form)
      await call({ operation: 'setPrimaryPrice', params, body: { price_id: price }, revision })
      return '?done=saved'
    }
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const submit = async (context: StaffContext, { form }: FormWithFiles): Promise<Reply> => {
  const course = await getCourse(context)
  const work = async () => `${pathOf(course)}/prices${await act(context, course, form)}`
  return shownAgain(work, refusal => show(context, { form, refusal }))
}

/** GET and POST /staff/courses/:course/prices. */
export const coursePrices: StaffSection = {
  // The page of the course leads to it.
  entries: [],
  pages: [
    page('GET /staff/courses/:course/prices', courseTeachers, context => show(context)),
    fileForm('POST /staff/courses/:course/prices', courseTeachers, submit),
  ],
}
