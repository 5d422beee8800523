import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { OrderContext, OwnOrder } from './own.ts'

const { order: text } = texts.account

type Line = OwnOrder['lines'][number]

type Courses = ReadonlyMap<string, string>

const hasEnded = ({ refunds, dispute }: OwnOrder, { id }: Line): boolean =>
  dispute?.state === 'lost' ||
  refunds.some(({ state, lines }) => state !== 'failed' && lines.some(line => line.line_id === id && line.ends_access))

const button = (href: string, label: string, about: string): Html =>
  html`<a class="button main small" href="${href}" aria-label="${about}">${label}</a>`

const renderStart = ({ item, name }: Line, courses: Courses, { t }: OrderContext): Html | false => {
  if (item.type === 'digital_product')
    return button('/account/downloads', t(texts.words.download), t(text.downloadOf, { name }))
  // A plan opens courses.
  if (item.type === 'membership_plan') return button('/learn', t(texts.words.start), t(text.startOf, { name }))
  const slug = courses.get(item.id)
  return slug !== undefined && button(`/learn/${slug}?start=`, t(texts.words.start), t(text.startOf, { name }))
}

const renderState = (line: Line, courses: Courses, context: OrderContext): Html | false => {
  const { order, t } = context
  const quiet = (phrase: typeof text.ended): Html => html`<span class="quiet">${t(phrase)}</span>`
  if (line.fulfilled_at === null) return quiet(text.notGiven)
  if (hasEnded(order, line)) return quiet(text.ended)
  return order.dispute?.state === 'open' ? quiet(text.suspended) : renderStart(line, courses, context)
}

/** What a paid order gave, with the way to it; the slugs of courses by their ids. */
export const boughtPart = (courses: Courses, context: OrderContext): Html | false =>
  context.order.paid_at !== null &&
  context.order.status !== 'pending' &&
  html`<h2>${context.t(text.bought)}</h2>
<ul class="list bought">
${context.order.lines.map(line => html`<li><bdi>${line.name}</bdi> ${renderState(line, courses, context)}</li>\n`)}</ul>`
