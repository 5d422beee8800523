import { Course } from '#src/areas/courses/index.ts'
import { DigitalProduct } from '#src/areas/shop/index.ts'
import { fill } from '#src/contract/language.ts'
import { formatDuration } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { LineFacts } from '#src/web/account/index.ts'
import { orNothing } from '#src/web/page/index.ts'
import type { CheckoutContext } from './parts.ts'
import type { QuoteView } from './quote.ts'

// Each item is read by itself.
const MOST_ITEMS = 5

const renderPicture = (image: { readonly url: string } | null): Pick<LineFacts, 'picture'> => {
  if (image === null) return {}
  const address = `${image.url}${image.url.includes('?') ? '&' : '?'}width=320`
  return { picture: html`<img src="${address}" alt="" width="72" height="72">` }
}

const readItem = async (
  { call, language }: CheckoutContext,
  { item_type: type, item_id: id }: QuoteView['lines'][number],
) => {
  if (type === 'digital_product') {
    const found = call({ operation: 'getDigitalProduct', params: { product_id: id }, returns: DigitalProduct })
    return renderPicture((await orNothing(found))?.image ?? null)
  }
  if (type !== 'course') return {}
  const course = await orNothing(call({ operation: 'getCourse', params: { course_id: id }, returns: Course }))
  if (course === undefined) return {}
  const { lesson_count: n, duration_seconds: seconds } = course
  const sizes = [
    ...(n === 0 ? [] : [fill(texts.site.common.course.lessonCount, language, { n })]),
    ...(seconds === 0 ? [] : [formatDuration(seconds, language)]),
  ]
  return { ...renderPicture(course.image), ...(sizes.length > 0 && { facts: [sizes.join(' · ')] }) }
}

/** The pictures of what is bought and how much of it there is, for whom it may be shown, in the order of the lines. */
export const readItems = (context: CheckoutContext, { lines }: QuoteView): Promise<readonly LineFacts[]> =>
  Promise.all(lines.slice(0, MOST_ITEMS).map(line => readItem(context, line)))
