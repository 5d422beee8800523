import { splitCharacters } from './bidi.ts'

// UAX #14, as far as names, addresses and sentences need it.
const SPACE = /^[\t-\r \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+$/u
const GLUE = /^[\u00a0\u2007\u202f\u2060\ufeff]|[\u00a0\u2007\u202f\u2060\ufeff]$/u
const CONTINUOUS =
  '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\u3000-\\u303f\\uff00-\\uffef'
const ENDS_CONTINUOUS = new RegExp(`[${CONTINUOUS}]\\p{M}*$`, 'u')
const BEGINS_CONTINUOUS = new RegExp(`^[${CONTINUOUS}]`, 'u')
// Closing marks, currencies and small kana do not begin a line; opening marks and currencies do not end one.
const NEVER_FIRST = /^[\p{Pe}\p{Pf}\p{Po}\p{Sc}\p{M}ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々]/u
const NEVER_LAST = /[\p{Ps}\p{Pi}\p{Sc}#]$/u
const HYPHENATED = /\p{L}[-\u2010\u2013\u2014/]$/u

const segmenters = new Map<string, Intl.Segmenter>()
const MAX_SEGMENTERS = 50

const wordsIn = (text: string, locale: string): string[] => {
  const segmenter = segmenters.get(locale) ?? new Intl.Segmenter(locale, { granularity: 'word' })
  if (segmenters.size >= MAX_SEGMENTERS) segmenters.clear()
  segmenters.set(locale, segmenter)
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Whether a line may end here and drop the text, which is then not drawn. */
export const isBreakingSpace = (text: string): boolean => SPACE.test(text)

const mayBreak = (before: string, next: string): boolean => {
  if (isBreakingSpace(before) || isBreakingSpace(next)) return true
  if (GLUE.test(before) || GLUE.test(next)) return false
  if (NEVER_FIRST.test(next) || NEVER_LAST.test(before)) return false
  if (ENDS_CONTINUOUS.test(before) || BEGINS_CONTINUOUS.test(next)) return true
  return HYPHENATED.test(before) && /^\p{L}/u.test(next)
}

/** The pieces of a text between which a line may end; one that is wider than a line is divided into its characters. */
export const splitPieces = (
  text: string,
  locale: string,
  most: number,
  measureWidth: (piece: string) => number,
): string[] => {
  const pieces: string[] = []
  for (const word of wordsIn(text, locale)) {
    const before = pieces.at(-1)
    if (before === undefined || mayBreak(before, word)) pieces.push(word)
    else pieces[pieces.length - 1] = before + word
  }
  return pieces.flatMap(piece => (measureWidth(piece) <= most ? [piece] : splitCharacters(piece)))
}
