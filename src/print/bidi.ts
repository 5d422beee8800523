import createBidi, { type EmbeddingLevels } from 'bidi-js'

/** A character as a reader sees it, marks included, and its level: odd ones run from right to left. */
type Levelled = { readonly text: string; readonly level: number }

const bidi = createBidi()
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The characters of a text as a reader sees them. */
export const splitCharacters = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)

// A letter, or a mark that has the direction of one.
const DIRECTED = /[\p{L}\u061c\u200e\u200f]/u

/** Whether a paragraph runs from right to left: so does its first letter, or its surroundings where it has none. */
export const isRightToLeft = (text: string, isRtlAround = false): boolean =>
  DIRECTED.test(text) ? bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1 : isRtlAround

/** Whether a language is written from right to left. */
export const isRightToLeftLanguage = (locale: string): boolean =>
  /^(?:Arab|Hebr|Syrc|Thaa|Nkoo|Adlm|Rohg|Mand|Samr)$/.test(new Intl.Locale(locale).maximize().script ?? '')

/** The characters of one line with their levels, in the order in which they are read. */
export const computeLevels = (line: string, isRtl: boolean): Levelled[] => {
  const { levels } = bidi.getEmbeddingLevels(line, isRtl ? 'rtl' : 'ltr')
  return Array.from(graphemes.segment(line), ({ segment, index }) => {
    const level = levels[index] ?? 0
    const mirrored = level % 2 === 1 ? bidi.getMirroredCharacter(segment) : null
    return { text: mirrored ?? segment, level }
  })
}

/** Runs of one line in the order in which they are printed, from left to right. */
export const inPlace = <Item extends { readonly level: number }>(items: readonly Item[]): Item[] => {
  // The library reorders the characters of a text: here one letter stands for each run.
  const letters = 'x'.repeat(items.length)
  const embedding: EmbeddingLevels = {
    levels: Uint8Array.from(items, ({ level }) => level),
    paragraphs: [{ start: 0, end: items.length - 1, level: 0 }],
  }
  return bidi.getReorderedIndices(letters, embedding).flatMap(index => items[index] ?? [])
}
