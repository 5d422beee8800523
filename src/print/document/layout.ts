import { type Document, documentLimits } from '#src/contract/print.ts'
import { LEADING } from '../pdf.ts'
import { blockStrips } from './blocks.ts'
import { COLORS } from './looks.ts'
import { paginate } from './pages.ts'
import {
  buildSetting,
  divided,
  type Frame,
  type PlacedLine,
  placeText,
  type Rule,
  type Setting,
  type Strip,
} from './strips.ts'
import { formatPage } from './words.ts'

/** A4 in points, and the part of it that has text. */
export const PAGE = { width: 595.28, height: 841.89, top: 54, bottom: 40, left: 54, right: 54 } as const

/** The largest size of the image above the text. */
export const IMAGE = { width: 180, height: 52 } as const

/** A page of a document: its lines and rules with their distances from the upper edge of the paper. */
export type Page = { readonly lines: readonly PlacedLine[]; readonly rules: readonly Rule[] }

const FRAME: Frame = { x: PAGE.left, width: PAGE.width - PAGE.left - PAGE.right }
const FOOT = { size: 8, color: COLORS.quiet } as const
const NUMBER_WIDTH = 130
const FOOT_GAP = 18

const BELOW_IMAGE: Strip = { gap: 0, height: IMAGE.height + 6, lines: [], rules: [], isKept: true }

const lowered = ({ lines, rules }: Page, by: number): Page => ({
  lines: lines.map(line => ({ ...line, baseline: line.baseline + by })),
  rules: rules.map(rule => ({ ...rule, y: rule.y + by })),
})

const stacked = (lines: readonly PlacedLine[]): PlacedLine[] =>
  lines.map((line, index) => ({ ...line, baseline: line.baseline + index * FOOT.size * LEADING }))

const buildFoot = (
  setting: Setting,
  texts: readonly string[],
  [lines, number]: [Frame, Frame],
  label: string,
): Page => ({
  lines: [
    ...stacked(texts.flatMap(text => placeText(setting, text, lines, FOOT))),
    ...stacked(placeText(setting, label, number, FOOT, 'end')),
  ],
  rules: [],
})

const AFTER_TABLE = 18

const apart = ([first, ...rest]: readonly Strip[]): Strip[] =>
  first === undefined ? [] : [{ ...first, gap: Math.max(first.gap, AFTER_TABLE) }, ...rest]

/** The pages of a document; undefined when there are more than are printed. */
export const layOut = (document: Document): Page[] | undefined => {
  const setting = buildSetting(document)
  const frames = divided(setting, FRAME, FRAME.width - NUMBER_WIDTH - 12, 12)
  const foot = document.foot.map(text => text.replace(/\s+/gu, ' '))
  const footLines = foot.flatMap(text => placeText(setting, text, frames[0], FOOT)).length
  const footTop = PAGE.height - PAGE.bottom - Math.max(1, footLines) * FOOT.size * LEADING
  const height = footTop - FOOT_GAP - PAGE.top
  const text = document.blocks.flatMap((block, index) => {
    const strips = blockStrips(setting, block, FRAME, height)
    return document.blocks[index - 1]?.type === 'table' ? apart(strips) : strips
  })
  const pages = paginate(document.image === undefined ? text : [BELOW_IMAGE, ...text], height)
  if (pages.length > documentLimits.pages) return undefined
  return pages.map((strips, index) => {
    const label = formatPage(document.locale, index + 1, pages.length)
    const below = lowered(buildFoot(setting, foot, frames, label), footTop)
    const placed = strips.map(({ strip, y }) => lowered(strip, PAGE.top + y))
    return {
      lines: [...placed.flatMap(({ lines }) => lines), ...below.lines],
      rules: placed.flatMap(({ rules }) => rules),
    }
  })
}
