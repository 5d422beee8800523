import type { CourseView, PriceView } from '../reads.ts'
import type { PageRequest } from '../respond.ts'
import { shared } from './picture.ts'

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

// A decimal in major units, as https://schema.org/price asks for.
const decimal = ({ amount, currency }: PriceView): string => {
  const digits = digitsOf(currency)
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

const CATEGORIES = {
  free: 'Free',
  one_time: 'Paid',
  payment_plan: 'Paid',
  subscription: 'Subscription',
} as const

/** A course for search engines (https://schema.org/Course). */
export const courseData = (course: CourseView, { school }: PageRequest): unknown => ({
  '@context': 'https://schema.org',
  '@type': 'Course',
  name: course.name,
  description: course.subtitle === '' ? course.name : course.subtitle,
  url: `${school.baseUrl}/courses/${course.slug}`,
  inLanguage: school.locale,
  provider: { '@type': 'EducationalOrganization', name: school.name, url: school.baseUrl },
  ...(course.image === null ? {} : { image: shared(course.image) }),
  offers: (course.prices ?? []).map(price => ({
    '@type': 'Offer',
    category: CATEGORIES[price.payment_type],
    price: decimal(price),
    priceCurrency: price.currency,
    availability: price.sold_out ? 'https://schema.org/SoldOut' : 'https://schema.org/InStock',
    url: `${school.baseUrl}/courses/${course.slug}`,
  })),
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
})
