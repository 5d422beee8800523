import type { Phrase } from '#src/contract/language.ts'
import type { IdPrefix } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'

/** What a group can open. A membership plan is not among them: it is a bundle itself, and bundles do not nest. */
export const itemTypes = ['course', 'digital_product', 'event'] as const

/** One of these values. */
type ItemType = (typeof itemTypes)[number]

const prefixes: Readonly<Record<ItemType, IdPrefix>> = { course: 'crs', digital_product: 'dpr', event: 'evt' }

/** The kind of id that items of a type have. */
export const prefixOf = (type: ItemType): IdPrefix => prefixes[type]

/** How many members, in words. */
const membersInWords = (count: number): Phrase =>
  count === 1 ? texts.words.oneMember : { en: `${count} members`, pt: `${count} membros` }

const itemsInWords = (count: number): Phrase =>
  count === 1 ? texts.learning.groups.items.rules.itemsInWords.oneItem : { en: `${count} items`, pt: `${count} itens` }

/** The effect of adding an item to a group, in words. */
export const openedEffect = (group: string, item: string, members: number): Phrase => ({
  en: `The group “${group}” opens “${item}” to ${membersInWords(members).en}`,
  pt: `O grupo «${group}» abre «${item}» a ${membersInWords(members).pt}`,
})

/** The effect of removing an item from a group, in words. */
export const closedEffect = (group: string, item: string, members: number): Phrase => ({
  en: `The group “${group}” no longer gives ${membersInWords(members).en} access to “${item}”; access from other sources stays`,
  pt: `O grupo «${group}» deixa de dar acesso a «${item}» a ${membersInWords(members).pt}; o acesso por outra via mantém-se`,
})

/** The effect of joining a group with items, in words. */
export const joinedEffect = (group: string, member: string, items: number): Phrase => ({
  en: `${member} gets access to ${itemsInWords(items).en} by the group “${group}”`,
  pt: `${member} passa a ter acesso a ${itemsInWords(items).pt} pelo grupo «${group}»`,
})

/** The effect of leaving a group with items, in words. */
export const leftEffect = (group: string, member: string, items: number): Phrase => ({
  en: `${member} loses the access to ${itemsInWords(items).en} that the group “${group}” gave; what else gives access stays`,
  pt: `${member} perde o acesso a ${itemsInWords(items).pt} que o grupo «${group}» dava; o acesso por outra via mantém-se`,
})

/** The effect of deleting a group with items, in words. */
export const groupEndEffect = (group: string, members: number, items: number): Phrase => ({
  en: `The group “${group}” ends: ${membersInWords(members).en} lose the access to ${itemsInWords(items).en} that it gave`,
  pt: `O grupo «${group}» termina: ${membersInWords(members).pt} perde(m) o acesso a ${itemsInWords(items).pt} que ele dava`,
})
