import type { DocumentColumn, DocumentTable } from '#src/contract/print.ts'
import { COLORS, SMALL, textLook } from './looks.ts'
import {
  divided,
  type Frame,
  keptWithNext,
  placeText,
  type Setting,
  type Spacing,
  type Strip,
  stripsOfRow,
} from './strips.ts'

const GUTTER = 10
// Narrower columns would break every word.
const SMALLEST_SHARE = 0.06
const TOTALS_SHARE = 0.52

// The first column stands at the side at which the language begins.
const computeFrames = ({ isRtl }: Setting, columns: readonly DocumentColumn[], { x, width }: Frame): Frame[] => {
  const sum = columns.reduce((total, column) => total + column.width, 0)
  const shares = columns.map(column => Math.max(column.width / sum, SMALLEST_SHARE))
  const unit = (width - GUTTER * (columns.length - 1)) / shares.reduce((total, share) => total + share, 0)
  let at = 0
  return shares.map(share => {
    const cell = share * unit
    const left = isRtl ? width - at - cell : at
    at += cell + GUTTER
    return { x: x + left, width: cell }
  })
}

const ruledBelow = (strips: readonly Strip[], { x, width }: Frame, thickness: number, color: string): Strip[] =>
  strips.map((strip, index) =>
    index === strips.length - 1
      ? { ...strip, rules: [...strip.rules, { x, y: strip.height, width, thickness, color }] }
      : strip,
  )

const ruledAbove = ([first, ...rest]: readonly Strip[], { x, width }: Frame): Strip[] =>
  first === undefined ? [] : [{ ...first, rules: [{ x, y: 0, width, thickness: 0.8, color: COLORS.ink }] }, ...rest]

const HEADER: Spacing = { gap: 16, above: 0, below: 4 }
const ROW: Spacing = { gap: 0, above: 5, below: 5 }

const headerStrips = (setting: Setting, columns: readonly DocumentColumn[], frames: readonly Frame[], frame: Frame) => {
  const look = { size: SMALL, color: COLORS.quiet, isBold: true }
  const texts = columns.map(({ title, align }, index) => placeText(setting, title, frames[index] ?? frame, look, align))
  return keptWithNext(ruledBelow(stripsOfRow(texts, HEADER), frame, 0.8, COLORS.ink))
}

const totalStrips = (setting: Setting, { totals }: DocumentTable, frame: Frame): Strip[] => {
  const width = frame.width * TOTALS_SHARE
  const [, part] = divided(setting, frame, frame.width - width, 0)
  const [labels, values] = divided(setting, part, width * 0.55, GUTTER)
  return totals.flatMap(({ label, value, isBold = false }, index) => {
    const look = { ...textLook(isBold), ...(isBold ? { size: 11 } : {}) }
    const texts = [placeText(setting, label, labels, look), placeText(setting, value, values, look, 'end')]
    const gap = index === 0 ? 6 : 0
    const strips = stripsOfRow(texts, isBold ? { gap: gap + 2, above: 5, below: 2 } : { gap, above: 2, below: 1 })
    return keptWithNext(isBold ? ruledAbove(strips, part) : strips)
  })
}

/** The strips of a table: its header is kept with the first row, its totals with the last one. */
export const tableStrips = (setting: Setting, table: DocumentTable, frame: Frame): Strip[] => {
  const { columns, rows } = table
  const frames = computeFrames(setting, columns, frame)
  const header = headerStrips(setting, columns, frames, frame)
  const body = rows.flatMap((cells, index) => {
    const texts = columns.map(({ align }, column) =>
      placeText(setting, cells[column] ?? '', frames[column] ?? frame, textLook(), align),
    )
    const strips = ruledBelow(stripsOfRow(texts, ROW), frame, 0.4, COLORS.rule)
    const isLast = index === rows.length - 1 && table.totals.length > 0
    return (isLast ? keptWithNext(strips) : strips).map(strip => ({ ...strip, header }))
  })
  const totals = totalStrips(setting, table, frame).map(strip => ({ ...strip, header }))
  return [...header, ...body, ...totals.slice(0, -1), ...totals.slice(-1).map(strip => ({ ...strip, isKept: false }))]
}
