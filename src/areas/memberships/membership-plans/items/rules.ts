import { fillEach, type Phrase } from '#src/contract/language.ts'
import { problem } from '#src/contract/problem.ts'
import type { IdPrefix } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import type { itemTypes } from './schema.ts'

/** The maximum number of items that a plan opens. */
export const MAX_ITEMS = 500

/** The plan has the maximum number of items. */
export const tooManyItems = problem(
  409,
  'too_many_items',
  'The plan has too many items',
  'A plan opens at most 500 items. Take one out first.',
)

const prefixes: Readonly<Record<(typeof itemTypes)[number], IdPrefix>> = {
  course: 'crs',
  digital_product: 'dpr',
  event: 'evt',
  post_category: 'pcg',
}

/** The kind of id that items of a type have. */
export const getPrefix = (type: keyof typeof prefixes): IdPrefix => prefixes[type]

const text = texts.memberships.membershipPlans.items.rules

/** What opening or closing an item changes: who holds the plan, and how many of them have access to it before and after. */
export type Difference = {
  readonly plan: string
  readonly item: string
  readonly holders: number
  readonly before: number
  readonly after: number
}

/** The effect of opening an item in a plan, in words. */
export const openedEffect = ({ plan, item, holders, before, after }: Difference): Phrase =>
  fillEach(text.opened, { plan, item, holders, difference: after - before })

/** The effect of closing an item in a plan, in words. */
export const closedEffect = ({ plan, item, holders, before, after }: Difference): Phrase =>
  fillEach(text.closed, { plan, item, holders, difference: before - after })

/** The effect of closing an item in a plan for later holders alone, in words. */
export const keptEffect = ({ plan, item, holders }: Difference): Phrase => fillEach(text.kept, { plan, item, holders })
