import { escapeXml, type Html, html } from './html.ts'
import { cleanText } from './text.ts'

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu
// Letters of the other scripts may join, so that two of them read as a word.
const STANDS_ALONE = /^[\p{Lu}\p{Lt}\p{N}]$/u
const CAPITALISED = /^[\p{Lu}\p{Lt}\p{N}]/u

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

const takeFirst = (text: string): string => [...characters.segment(text)][0]?.segment ?? ''

/** The first character of a text, in upper case; empty for an empty text. */
export const takeInitial = (text: string): string => takeFirst(takeFirst(text.trim().normalize('NFC')).toUpperCase())

/** One or two letters for a name: those of its first two capitalised words, or else of its first word. */
export const computeInitials = (name: string): string => {
  const words = name.normalize('NFC').match(WORD) ?? []
  const capitalised = words.filter(word => CAPITALISED.test(word))
  const [first = takeInitial(name), second = ''] = (capitalised.length > 0 ? capitalised : words).map(takeInitial)
  return STANDS_ALONE.test(first) && STANDS_ALONE.test(second) ? `${first}${second}` : first
}

const shapes = (name: string): Html => {
  const initials = computeInitials(name)
  const [size, baseline] = [...initials].length > 1 ? [21, 31] : [27, 33]
  return html`<rect width="48" height="48" rx="13"/><text x="24" y="${baseline}" font-size="${size}" text-anchor="middle">${initials}</text>`
}

/** The mark of a school without a logo: the initials of its name. Style sheets set its size and colors. */
export const renderMark = (name: string): Html =>
  html`<svg class="mark" viewBox="0 0 48 48" aria-hidden="true" focusable="false">${shapes(name)}</svg>`

/** The same mark as an SVG document with colors of its own, for the tab of a browser. */
export const markFile = (name: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><title>${escapeXml(name)}</title><g fill="#8a3b12" font-family="Georgia, 'Times New Roman', serif" font-weight="bold">${shapes(cleanText(name)).html.replace('<text ', '<text fill="#ffffff" ')}</g></svg>
`
