import { isRightToLeftLanguage } from '../bidi.ts'
import { LEADING } from '../pdf.ts'
import { type Line, listLines, type TextStyle, widthOfRuns } from '../runs.ts'
import type { Look } from './looks.ts'

/** A line of text in a strip: its left edge on the page, and its baseline below the upper edge of the strip. */
export type PlacedLine = {
  readonly line: Line
  readonly x: number
  readonly baseline: number
  readonly width: number
  readonly size: number
  readonly color: string
}

/** A horizontal line in a strip, at a distance from its upper edge. */
export type Rule = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly thickness: number
  readonly color: string
}

/** What stands between two horizontal cuts of a page; a page never ends within a strip. */
export type Strip = {
  /** The space above, which is dropped at the top of a page. */
  readonly gap: number
  readonly height: number
  readonly lines: readonly PlacedLine[]
  readonly rules: readonly Rule[]
  /** Whether the next strip belongs on the same page. */
  readonly isKept: boolean
  /** The header that is repeated above the strip when a page begins with it. */
  readonly header?: readonly Strip[]
}

/** A place between two vertical cuts of a page. */
export type Frame = { readonly x: number; readonly width: number }

/** What decides how the texts of a document are set. */
export type Setting = { readonly locale: string; readonly isRtl: boolean; readonly accent: string }

/** The setting of a document in a language. */
export const buildSetting = ({ locale, accent }: { readonly locale: string; readonly accent: string }): Setting => ({
  locale,
  isRtl: isRightToLeftLanguage(locale),
  accent,
})

/** A frame divided in two: the first part is so wide, and stands at the side at which the language begins. */
export const divided = ({ isRtl }: Setting, { x, width }: Frame, first: number, gutter: number): [Frame, Frame] => {
  const rest = width - first - gutter
  if (isRtl)
    return [
      { x: x + rest + gutter, width: first },
      { x, width: rest },
    ]
  return [
    { x, width: first },
    { x: x + first + gutter, width: rest },
  ]
}

/** The style of a text in a document. */
export const buildStyle = ({ locale, isRtl }: Setting, isBold = false): TextStyle => ({
  weight: isBold ? 700 : 400,
  locale,
  isRtlAround: isRtl,
})

/** The lines of a text in a frame, at its start or end; the baseline of each is for a strip of its own. */
export const placeText = (
  setting: Setting,
  text: string,
  frame: Frame,
  { size, color, isBold }: Look,
  align: 'start' | 'end' = 'start',
): PlacedLine[] => {
  const isRight = (align === 'end') !== setting.isRtl
  const paragraphs = text.split(/\r\n|[\n\r\u2028\u2029]/)
  return paragraphs
    .flatMap(paragraph => listLines(paragraph, buildStyle(setting, isBold), frame.width / size))
    .map(line => {
      const width = widthOfRuns(line.runs) * size
      return { line, x: isRight ? frame.x + frame.width - width : frame.x, baseline: size, width, size, color }
    })
}

/** The space of a row of lines. */
export type Spacing = { readonly gap: number; readonly above: number; readonly below: number }

/** The strips of texts that stand side by side, line by line; they are kept together. */
export const stripsOfRow = (texts: readonly (readonly PlacedLine[])[], { gap, above, below }: Spacing): Strip[] => {
  const count = Math.max(1, ...texts.map(lines => lines.length))
  return Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1
    const top = index === 0 ? above : 0
    const lines = texts.flatMap(all => all[index] ?? [])
    const height = Math.max(0, ...lines.map(({ size }) => size * LEADING)) + top + (isLast ? below : 0)
    return {
      gap: index === 0 ? gap : 0,
      height,
      lines: lines.map(one => ({ ...one, baseline: one.baseline + top })),
      rules: [],
      isKept: !isLast,
    }
  })
}

/** The same strips, of which the last one is also kept with what follows. */
export const keptWithNext = (strips: readonly Strip[]): Strip[] => strips.map(strip => ({ ...strip, isKept: true }))

/** How high strips are together, without the space above the first one. */
export const computeHeight = (strips: readonly Strip[]): number =>
  strips.reduce((sum, { gap, height }, index) => sum + height + (index === 0 ? 0 : gap), 0)
