import { markdown } from './parse.ts'

const GROUP = /(?:<\/?(?:a|em|s|strong)(?: [^<>]*)?>){2,}/g

// Which of two elements around the same words is outside makes no difference to a reader.
const sortGroup = (group: string): string => {
  const tags = group.match(/<[^<>]*>/g) ?? []
  const ends = tags.filter(tag => tag.startsWith('</'))
  // Ends before beginnings: an element that ends where another begins has nothing of it.
  const at = tags.findIndex(tag => !tag.startsWith('</'))
  const isSimple = at < 0 || tags.slice(at).every(tag => !tag.startsWith('</'))
  return isSimple ? [...ends.toSorted(), ...tags.slice(ends.length).toSorted()].join('') : group
}

/** HTML of a text in which elements around the same words are in one order. */
export const sortElements = (html: string): string => html.replace(GROUP, sortGroup)

/**
 * Whether two texts in Markdown are rendered as the same HTML; which of `em` and `strong` around the same words is the outer
 * one does not count.
 */
export const isRenderedSame = (one: string, other: string): boolean =>
  sortElements(markdown.render(one)) === sortElements(markdown.render(other))
