import { cleanText } from '#src/kit/text.ts'
import { computeLevels, inPlace, isRightToLeft, splitCharacters } from './bidi.ts'
import { findFont, measureWidth, type Weight } from './fonts.ts'
import { isBreakingSpace, splitPieces } from './line-breaks.ts'

/** A text that is drawn with one font in one direction. */
export type Run = { readonly text: string; readonly font: string; readonly level: number }

/** The style of a text; without letters it has the direction of the text around it. */
export type TextStyle = { readonly weight: Weight; readonly locale: string; readonly isRtlAround?: boolean }

const isSpace = (text: string): boolean => /^\s+$/u.test(text)

// They decide about directions and line ends, and are not drawn.
const isControl = (text: string): boolean =>
  /^[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+$/u.test(text)

const isEmoji = (text: string): boolean => /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text)

// A character as fonts have it: itself, without a variation selector, or its compatible form; undefined where none has it.
const drawnAs = (character: string, { weight, locale }: TextStyle): string | undefined => {
  if (isSpace(character) || isControl(character)) return character
  const forms = [character, character.replace(/\p{Variation_Selector}/gu, ''), character.normalize('NFKC')]
  return forms.find(
    form =>
      form !== '' && splitCharacters(form).every(one => isSpace(one) || findFont(one, weight, locale) !== undefined),
  )
}

// An emoji for which no font is there leaves one space.
const drawn = (text: string, style: TextStyle): string => {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  const without = splitCharacters(cleanText(text)).map(one => drawnAs(one, style) ?? (isEmoji(one) ? '\ufffc' : one))
  return without
    .join('')
    .replace(/ *\ufffc[ \ufffc]*/g, ' ')
    .trim()
}

/** The characters of a text that cannot be drawn; a text of emoji alone is not left out. */
export const missingIn = (text: string, style: TextStyle): string[] => {
  const isBlank = drawn(text, style) === '' && text.trim() !== ''
  return [
    ...new Set(
      splitCharacters(cleanText(text)).filter(one => drawnAs(one, style) === undefined && (isBlank || !isEmoji(one))),
    ),
  ]
}

// A font lays out letters that run to the left by itself; other marks among them stand one by one.
const isJoined = (before: Run, next: Run): boolean =>
  before.font === next.font &&
  before.level === next.level &&
  (next.level % 2 === 0 || (/\p{L}/u.test(before.text) && /\p{L}/u.test(next.text)))

/** One line as runs, in the order in which they stand on the paper from left to right. */
const splitRuns = (line: string, isRtl: boolean, { weight, locale }: TextStyle): Run[] => {
  const runs: Run[] = []
  for (const { text, level } of computeLevels(line, isRtl)) {
    const font = isControl(text) ? undefined : findFont(isSpace(text) ? ' ' : text, weight, locale)
    if (font === undefined) continue
    const next = { text: isSpace(text) ? ' ' : text, font, level }
    const before = runs.at(-1)
    if (before !== undefined && isJoined(before, next))
      runs[runs.length - 1] = { ...before, text: before.text + next.text }
    else runs.push(next)
  }
  return inPlace(runs)
}

/** How wide runs are together, at a size of one. */
export const widthOfRuns = (runs: readonly Run[]): number =>
  runs.reduce((sum, { text, font }) => sum + measureWidth(text, font), 0)

/** A line of a paragraph: its text as it is read, and its runs as they stand on the paper. */
export type Line = { readonly text: string; readonly runs: readonly Run[] }

/** A paragraph as lines that are at most so wide at a size of one. */
export const listLines = (written: string, style: TextStyle, most: number): Line[] => {
  const paragraph = drawn(written, style)
  const isRtl = isRightToLeft(paragraph, style.isRtlAround)
  const widthOfPiece = (piece: string): number => widthOfRuns(splitRuns(piece, isRtl, style))
  const lines: string[] = []
  let line = ''
  let width = 0
  for (const piece of splitPieces(paragraph, style.locale, most, widthOfPiece)) {
    const more = widthOfPiece(piece)
    if (line !== '' && !isBreakingSpace(piece) && width + more > most) {
      lines.push(line)
      line = ''
      width = 0
    }
    if (line === '' && isBreakingSpace(piece)) continue
    line += piece
    width += more
  }
  return [...lines, line].map(text => ({ text: text.trim(), runs: splitRuns(text.trim(), isRtl, style) }))
}
