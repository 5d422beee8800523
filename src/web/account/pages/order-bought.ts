import { fill, type Language } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { OwnOrder } from './order-status.ts'
import { orderText as text } from './order-text.ts'

type Line = OwnOrder['lines'][number]

type BoughtView = {
  readonly language: Language
  readonly order: OwnOrder
  /** The slugs of the courses in it that have a page for learners, by their ids. */
  readonly courses: ReadonlyMap<string, string>
}

const hasEnded = ({ refunds, dispute }: OwnOrder, { id }: Line): boolean =>
  dispute?.state === 'lost' ||
  refunds.some(({ state, lines }) => state !== 'failed' && lines.some(line => line.line_id === id && line.ends_access))

const button = (href: string, label: string, about: string): Html =>
  html`<a class="button main small" href="${href}" aria-label="${about}">${label}</a>`

const startOf = ({ item, name }: Line, { courses, language }: BoughtView): Html | false => {
  if (item.type === 'digital_product')
    return button('/account/downloads', fill(text.download, language), fill(text.downloadOf, language, { name }))
  const slug = courses.get(item.id)
  return (
    slug !== undefined && button(`/learn/${slug}`, fill(text.start, language), fill(text.startOf, language, { name }))
  )
}

const stateOf = (line: Line, view: BoughtView): Html | false => {
  const { order, language } = view
  const quiet = (phrase: typeof text.ended): Html => html`<span class="quiet">${fill(phrase, language)}</span>`
  if (line.fulfilled_at === null) return quiet(text.notGiven)
  if (hasEnded(order, line)) return quiet(text.ended)
  return order.dispute?.state === 'open' ? quiet(text.suspended) : startOf(line, view)
}

/** What a paid order gave, with the way to it. */
export const boughtPart = (view: BoughtView): Html | false =>
  view.order.paid_at !== null &&
  view.order.status !== 'pending' &&
  html`<h2>${fill(text.bought, view.language)}</h2>
<ul class="list bought">
${view.order.lines.map(line => html`<li><bdi>${line.name}</bdi> ${stateOf(line, view)}</li>\n`)}</ul>`
