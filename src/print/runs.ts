import { charactersOf, inPlace, isRightToLeft, levelsOf } from './bidi.ts'
import { findFont, type Weight, widthOf } from './fonts.ts'

/** A text that is drawn with one font in one direction. */
export type Run = { readonly text: string; readonly font: string; readonly level: number }

/** The style of a text. */
export type TextStyle = { readonly weight: Weight; readonly locale: string }

const isSpace = (text: string): boolean => /^\s+$/u.test(text)

/** The characters of a text for which no font is there. */
export const missingIn = (text: string, { weight, locale }: TextStyle): string[] => [
  ...new Set(charactersOf(text).filter(one => !isSpace(one) && findFont(one, weight, locale) === undefined)),
]

// A font lays out letters that run to the left by itself; other marks among them stand one by one.
const isJoined = (before: Run, next: Run): boolean =>
  before.font === next.font &&
  before.level === next.level &&
  (next.level % 2 === 0 || (/\p{L}/u.test(before.text) && /\p{L}/u.test(next.text)))

/** One line as runs, in the order in which they stand on the paper from left to right. */
const runsOf = (line: string, isRtl: boolean, { weight, locale }: TextStyle): Run[] => {
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

/** How wide runs are together, at a size of one. */
export const widthOfRuns = (runs: readonly Run[]): number =>
  runs.reduce((sum, { text, font }) => sum + widthOf(text, font), 0)

// Where a line may end: between words, and in a word that no line can hold between its characters.
const piecesOf = (
  text: string,
  { locale }: TextStyle,
  most: number,
  widthOfPiece: (piece: string) => number,
): string[] => {
  const words = new Intl.Segmenter(locale, { granularity: 'word' })
  return Array.from(words.segment(text), ({ segment }) => segment).flatMap(word =>
    widthOfPiece(word) <= most ? [word] : charactersOf(word),
  )
}

/** A paragraph as lines that are at most so wide at a size of one; each has its runs. */
export const linesOf = (paragraph: string, style: TextStyle, most: number): Run[][] => {
  const isRtl = isRightToLeft(paragraph)
  const widthOfPiece = (piece: string): number => widthOfRuns(runsOf(piece, isRtl, style))
  const lines: string[] = []
  let line = ''
  let width = 0
  for (const piece of piecesOf(paragraph, style, most, widthOfPiece)) {
    const more = widthOfPiece(piece)
    if (line !== '' && !isSpace(piece) && width + more > most) {
      lines.push(line)
      line = ''
      width = 0
    }
    if (line === '' && isSpace(piece)) continue
    line += piece
    width += more
  }
  return [...lines, line].map(text => runsOf(text.trim(), isRtl, style))
}
