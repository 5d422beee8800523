import type { Phrase } from '#src/contract/language.ts'
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
export const prefixOf = (type: keyof typeof prefixes): IdPrefix => prefixes[type]

const membersInWords = (count: number): Phrase =>
  count === 1 ? texts.words.oneMember : { en: `${count} members`, pt: `${count} membros` }

/** What opening or closing an item changes: who holds the plan, and how many of them have access to it before and after. */
export type Difference = {
  readonly plan: string
  readonly item: string
  readonly holders: number
  readonly before: number
  readonly after: number
}

/** The effect of opening an item in a plan, in words. */
export const openedEffect = ({ plan, item, holders, before, after }: Difference): Phrase => ({
  en: `The plan “${plan}” opens “${item}” to ${membersInWords(holders).en}, of whom ${after - before} had no access to it`,
  pt: `O plano «${plan}» abre «${item}» a ${membersInWords(holders).pt}, dos quais ${after - before} não tinham acesso`,
})

/** The effect of closing an item in a plan, in words. */
export const closedEffect = ({ plan, item, holders, before, after }: Difference): Phrase => ({
  en: `The plan “${plan}” no longer opens “${item}”: of ${membersInWords(holders).en} who hold it, ${before - after} lose access to it`,
  pt: `O plano «${plan}» deixa de abrir «${item}»: de ${membersInWords(holders).pt} com o plano, ${before - after} perdem o acesso`,
})

/** The effect of closing an item in a plan for later holders alone, in words. */
export const keptEffect = ({ plan, item, holders }: Difference): Phrase => ({
  en: `The plan “${plan}” no longer opens “${item}” to new holders; ${membersInWords(holders).en} who hold it now keep it`,
  pt: `O plano «${plan}» deixa de abrir «${item}» a novos membros; ${membersInWords(holders).pt} com o plano mantêm o acesso`,
})
