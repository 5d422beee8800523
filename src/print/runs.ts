import { charactersOf, inPlace, isRightToLeft, levelsOf } from './bidi.ts'
import { findFont, type Weight } from './fonts.ts'

/** What is drawn with one font in one direction. */
export type Run = { readonly text: string; readonly font: string; readonly level: number }

/** In which dress a text is set. */
export type Dress = { readonly weight: Weight; readonly locale: string }

const isSpace = (text: string): boolean => /^\s+$/u.test(text)

/** The characters of a text for which no font is there. */
export const missingIn = (text: string, { weight, locale }: Dress): string[] => [
  ...new Set(charactersOf(text).filter(one => !isSpace(one) && findFont(one, weight, locale) === undefined)),
]

// A font lays out letters that run to the left by itself; other marks among them stand one by one.
const isJoined = (before: Run, next: Run): boolean =>
  before.font === next.font &&
  before.level === next.level &&
  (next.level % 2 === 0 || (/\p{L}/u.test(before.text) && /\p{L}/u.test(next.text)))

/** One line as runs, in the order in which they stand on the paper from left to right. */
export const runsOf = (line: string, isRtl: boolean, { weight, locale }: Dress): Run[] => {
  const runs: Run[] = []
  for (const { text, level } of levelsOf(line, isRtl)) {
    const font = findFont(isSpace(text) ? ' ' : text, weight, locale)
    if (font === undefined) continue
    const next = { text: isSpace(text) ? ' ' : text, font, level }
    const before = runs.at(-1)
    if (before !== undefined && isJoined(before, next)) runs[runs.length - 1] = { ...before, text: before.text + text }
    else runs.push(next)
  }
  return inPlace(runs)
}

/** How wide a run is. */
export type Measure = (run: Run) => number

// Where a line may end: between words, and in a word that no line can hold between its characters.
const piecesOf = (text: string, locale: string): string[] => {
  const words = new Intl.Segmenter(locale, { granularity: 'word' })
  return Array.from(words.segment(text), ({ segment }) => segment)
}

/** A paragraph as lines of at most a width; each has its runs. */
export const linesOf = (paragraph: string, dress: Dress, width: number, measure: Measure): Run[][] => {
  const isRtl = isRightToLeft(paragraph)
  const set = (line: string): Run[] => runsOf(line.trim(), isRtl, dress)
  const fits = (line: string): boolean => set(line).reduce((sum, run) => sum + measure(run), 0) <= width
  const lines: string[] = []
  let line = ''
  const add = (piece: string): void => {
    if (line === '' || fits(line + piece)) line += piece
    else {
      lines.push(line)
      line = piece.trimStart()
    }
  }
  for (const piece of piecesOf(paragraph, dress.locale)) {
    if (fits(piece)) add(piece)
    else for (const character of charactersOf(piece)) add(character)
  }
  return [...lines, line].map(set)
}
