import { decimalAmount } from '#src/kit/money.ts'
import type { CourseView, PriceView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { shared } from './picture.ts'

const SCHEMA = 'https://schema.org'

type Place = Pick<PageRequest, 'school'>

/** A page and its name. */
type Named = { readonly name: string; readonly path: string }

/** A list of pages for search engines (https://schema.org/ItemList), in its order. */
export const listData = ({ school }: Place, items: readonly Named[]): readonly unknown[] =>
  items.length === 0
    ? []
    : [
        {
          '@context': SCHEMA,
          '@type': 'ItemList',
          itemListElement: items.map(({ name, path }, index) => ({
            '@type': 'ListItem',
            position: index + 1,
            name,
            url: `${school.siteOrigin}${path}`,
          })),
        },
      ]

/** The way from the home page to a page (https://schema.org/BreadcrumbList). */
export const crumbsData = ({ school }: Place, way: readonly Named[]): unknown => ({
  '@context': SCHEMA,
  '@type': 'BreadcrumbList',
  itemListElement: [{ name: school.name, path: '/' }, ...way].map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: `${school.siteOrigin}${path}`,
  })),
})

const CATEGORIES = {
  free: 'Free',
  one_time: 'Paid',
  payment_plan: 'Paid',
  subscription: 'Subscription',
} as const

// UN/CEFACT codes, as https://schema.org/unitCode asks for.
const UNITS = { day: 'DAY', week: 'WEE', month: 'MON', year: 'ANN' } as const

// A subscription has no total; of a payment plan one pays all payments.
const amountData = (price: PriceView): object => {
  const { amount, currency, interval, interval_count: every, number_of_payments: payments } = price
  const stated = (total: number) => ({ price: decimalAmount(total, currency), priceCurrency: currency })
  if (price.payment_type === 'payment_plan') return stated(amount * (payments ?? 1))
  if (price.payment_type !== 'subscription' || interval === null) return stated(amount)
  const billed = { unitCode: UNITS[interval], billingIncrement: every ?? 1 }
  return { priceSpecification: { '@type': 'UnitPriceSpecification', ...stated(amount), ...billed } }
}

const buildOffers = (prices: readonly PriceView[], url: string): unknown[] =>
  prices.map(price => ({
    '@type': 'Offer',
    category: CATEGORIES[price.payment_type],
    ...amountData(price),
    availability: `${SCHEMA}/${price.sold_out ? 'SoldOut' : 'InStock'}`,
    url,
  }))

const organization = ({ school }: Place) => ({
  '@type': 'EducationalOrganization',
  name: school.name,
  url: school.siteOrigin,
})

const workload = (seconds: number): string => `PT${Math.floor(seconds / 3600)}H${Math.ceil((seconds % 3600) / 60)}M`

/** A course for search engines (https://schema.org/Course), which everybody follows online when they like. */
export const courseData = (course: CourseView, { school }: Place): unknown => {
  const url = `${school.siteOrigin}/courses/${course.slug}`
  return {
    '@context': SCHEMA,
    '@type': 'Course',
    name: course.name,
    description: course.subtitle === '' ? course.name : course.subtitle,
    url,
    inLanguage: school.locale,
    provider: organization({ school }),
    ...(course.image === null ? {} : { image: shared(course.image) }),
    offers: buildOffers(course.prices ?? [], url),
    hasCourseInstance: [
      {
        '@type': 'CourseInstance',
        courseMode: 'Online',
        ...(course.duration_seconds > 0 ? { courseWorkload: workload(course.duration_seconds) } : {}),
      },
    ],
    ...(course.rating_average === null
      ? {}
      : {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: course.rating_average,
            ratingCount: course.rating_count,
            bestRating: 5,
          },
        }),
  }
}

type Sold = Pick<CourseView, 'name' | 'image'> & { readonly prices?: readonly PriceView[] }

/** What is sold, for search engines (https://schema.org/Product). */
export const productData = (product: Sold & { readonly about: string }, path: string, { school }: Place): unknown => {
  const url = `${school.siteOrigin}${path}`
  return {
    '@context': SCHEMA,
    '@type': 'Product',
    name: product.name,
    description: product.about === '' ? product.name : product.about,
    url,
    ...(product.image === null ? {} : { image: shared(product.image) }),
    brand: organization({ school }),
    offers: buildOffers(product.prices ?? [], url),
  }
}
