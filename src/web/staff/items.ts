import type { Static } from 'typebox'
import { Course, CoursePage } from '#src/areas/courses/index.ts'
import { DigitalProduct, DigitalProductPage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { CallAsPerson, SignedInPerson } from '#src/contract/page-call.ts'
import type { Price } from '#src/contract/price.ts'
import { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'

// Something that a school sells.
type NamedItem = { readonly type: 'course' | 'digital_product'; readonly id: string; readonly name: string }

/** Something that a school sells, with its active prices. */
export type Found = NamedItem & { readonly prices: readonly Encoded<Static<typeof Price>>[] }

const SHOWN = '8'

/** Published courses and products that contain some words. */
export const findItems = async (performAs: CallAsPerson, person: SignedInPerson, words: string): Promise<Found[]> => {
  const query: Pairs = [
    ['status', 'published'],
    ['limit', SHOWN],
    ['q', words],
  ]
  const [courses, products] = await Promise.all([
    performAs(person, { operation: 'listCourses', query, expand: ['prices'], returns: CoursePage }),
    performAs(person, { operation: 'listDigitalProducts', query, expand: ['prices'], returns: DigitalProductPage }),
  ])
  return [
    ...courses.data.map(({ id, name, prices = [] }) => ({ type: 'course' as const, id, name, prices })),
    ...products.data.map(({ id, name, prices = [] }) => ({ type: 'digital_product' as const, id, name, prices })),
  ]
}

/** The type of an item by the prefix of its id; undefined for what cannot be chosen on these pages. */
export const findItemType = (id: string): NamedItem['type'] | undefined => {
  if (id.startsWith('crs_')) return 'course'
  return id.startsWith('dpr_') ? 'digital_product' : undefined
}

const readName = async (performAs: CallAsPerson, person: SignedInPerson, id: string): Promise<string> => {
  const { name } =
    findItemType(id) === 'course'
      ? await performAs(person, { operation: 'getCourse', params: { course_id: id }, returns: Course })
      : await performAs(person, { operation: 'getDigitalProduct', params: { product_id: id }, returns: DigitalProduct })
  return name
}

/** The names of items by their ids; the id of an item that is not there any more. */
export const itemNames = (performAs: CallAsPerson, person: SignedInPerson, ids: readonly string[]): Promise<string[]> =>
  Promise.all(
    ids.map(id =>
      readName(performAs, person, id).catch((error: unknown) => {
        if (error instanceof Refusal && error.problem.status === 404) return id
        throw error
      }),
    ),
  )
