import { fold } from '../text.ts'

// No id of a text can be the name of something that scripts or the pages around the text use.
const PREFIX = 'section-'

const HEADING = /<(h[1-6])((?: [^<>]*)?)>/g
const MAX_HEADING_LENGTH = 500

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

const extractText = (markup: string): string =>
  markup.replace(/<[^<>]*(?:>|$)/g, '').replace(/&(?:amp|lt|gt|quot);/g, entity => ENTITIES[entity] ?? '')

const MAX_FRAGMENT_LENGTH = 1000
const MAX_ID_LENGTH = 60

const listWords = (text: string): string =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
    .join('-')

const cut = (words: string): string => Array.from(words).slice(0, MAX_ID_LENGTH).join('').replace(/-$/, '')

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The fragment of a heading, by the rule that makes ids: `#Título`, `#titulo` and `#section-titulo` name the same one;
 * undefined for other texts.
 */
export const headingFragment = (text: string): string | undefined => {
  if (!text.startsWith('#') || text.length > MAX_FRAGMENT_LENGTH) return undefined
  const named = listWords(decoded(text.slice(1)))
  const words = cut(named.startsWith(PREFIX) ? named.slice(PREFIX.length) : named)
  return words === '' ? undefined : `#${PREFIX}${words}`
}

/** The fragments that sanitized HTML with ids of headings links to and does not have, each once. */
export const deadFragments = (html: string): string[] => {
  const ids = new Set(Array.from(html.matchAll(/<h[1-6] id="([^"]*)"/g), ([, id = '']) => id))
  const linked = new Set(Array.from(html.matchAll(/<a href="#([^"]*)"/g), ([, id = '']) => id))
  return [...linked].filter(id => !ids.has(id)).map(id => id.slice(PREFIX.length))
}

/**
 * Sanitized HTML whose headings have ids: their words or else their number, once each in the text. The
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
    const slug = cut(listWords(extractText(markup))) || String(count)
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
