import { slugOf } from '../text.ts'

// No id of a text can be the name of something that scripts or the pages around the text use.
const PREFIX = 'section-'

const HEADING = /<(h[1-6])((?: [^<>]*)?)>/g
const MAX_HEADING_LENGTH = 500

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

const textOf = (markup: string): string =>
  markup.replace(/<[^<>]*(?:>|$)/g, '').replace(/&(?:amp|lt|gt|quot);/g, entity => ENTITIES[entity] ?? '')

/** The fragment of a heading: `#crumb` and `#section-crumb` name the same one; undefined for other texts. */
export const headingFragment = (text: string): string | undefined => {
  if (!/^#[\w-]{1,100}$/.test(text)) return undefined
  const name = text.slice(1).toLowerCase()
  return name.startsWith(PREFIX) ? `#${name}` : `#${PREFIX}${name}`
}

/**
 * Sanitized HTML whose headings have ids: their words in Latin letters or else their number, once each in the text. The
 * HTML must be what a sanitizer writes, with `<` and `>` in tags alone.
 */
export const withHeadingIds = (html: string): string => {
  const usedIds = new Set<string>()
  const numbers = new Map<string, number>()
  let count = 0
  return html.replace(HEADING, (tag: string, name: string, attributes: string, at: number) => {
    count += 1
    const start = at + tag.length
    // At most so much is read, so that headings within headings cost no more than others.
    const [markup = ''] = html.slice(start, start + MAX_HEADING_LENGTH).split(`</${name}>`, 1)
    const slug = slugOf(textOf(markup)) || String(count)
    let number = numbers.get(slug) ?? 1
    let id = slug
    while (usedIds.has(id)) {
      number += 1
      id = `${slug}-${number}`
    }
    numbers.set(slug, number)
    usedIds.add(id)
    return `<${name} id="${PREFIX}${id}"${attributes}>`
  })
}
