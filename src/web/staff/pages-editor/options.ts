import { CategoryPage } from '#src/areas/categories/index.ts'
import { CoursePage } from '#src/areas/courses/index.ts'
import { DigitalProductPage } from '#src/areas/digital-products/index.ts'
import { LecturerPage } from '#src/areas/lecturers/index.ts'
import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { Language } from '#src/contract/language.ts'
import type { Session } from '#src/identity/index.ts'
import { formatMoney } from '#src/kit/money.ts'
import { atPage } from '#src/web/account/index.ts'
import type { StaffPagesParts } from '../parts.ts'
import type { Options } from './block-html.ts'
import type { Content } from './page-form.ts'

const most = [['limit', '100']] as const

type Priced = {
  readonly name: string
  readonly prices?: readonly { readonly id: string; readonly amount: number; readonly currency: string }[]
}

const pricesOf = (things: readonly Priced[], language: Language) =>
  things.flatMap(({ name, prices = [] }) =>
    prices.map(({ id, amount, currency }) => ({
      value: id,
      label: `${name}: ${formatMoney(amount, currency, language)}`,
    })),
  )

const choicesOf = (things: readonly { readonly id: string; readonly name: string }[]) =>
  things.map(({ id, name }) => ({ value: id, label: name }))

/** What the blocks of a page can name: the first hundred of each kind. */
export const optionsFor = async (
  { request, parts: { performAs }, session, language }: {
    readonly request: EndpointRequest
    readonly parts: StaffPagesParts
    readonly session: Session
    readonly language: Language
  },
  page: Content,
): Promise<Options> => {
  const person = atPage(request, session)
  const [categories, courses, products, lecturers] = await Promise.all([
    performAs(person, { operation: 'listCategories', query: most, returns: CategoryPage }),
    performAs(person, { operation: 'listCourses', query: most, expand: ['prices'], returns: CoursePage }),
    performAs(person, { operation: 'listDigitalProducts', query: most, expand: ['prices'], returns: DigitalProductPage }),
    performAs(person, { operation: 'listLecturers', query: most, returns: LecturerPage }),
  ])
  return {
    language,
    lists: {
      categories: choicesOf(categories.data),
      courses: choicesOf(courses.data),
      products: choicesOf(products.data),
      lecturers: lecturers.data.map(({ id, display_name: label }) => ({ value: id, label })),
      prices: pricesOf([...courses.data, ...products.data], language),
    },
    files: new Map(page.files.map(({ file_id, name }) => [file_id, name])),
  }
}
