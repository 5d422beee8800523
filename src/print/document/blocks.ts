import type { DocumentBlock, DocumentText, PrintedPair } from '#src/contract/print.ts'
import { widthOfRuns } from '../runs.ts'
import { COLORS, textLook } from './looks.ts'
import {
  computeHeight,
  divided,
  type Frame,
  keptWithNext,
  type PlacedLine,
  placeText,
  type Setting,
  type Strip,
  stripsOfRow,
} from './strips.ts'
import { tableStrips } from './table.ts'

const HEADING_SIZES = { 1: 19, 2: 12.5 } as const
const GUTTER = 24
const MAX_LABEL_SHARE = 0.5

// The first and last two lines of a paragraph stay together.
const paragraphStrips = (lines: readonly PlacedLine[], gap: number): Strip[] =>
  lines.map((line, index) => {
    const [strip] = stripsOfRow([[line]], { gap: index === 0 ? gap : 0, above: 0, below: 0 })
    const isKept = index < lines.length - 1 && (index === 0 || index === lines.length - 2)
    return { gap: 0, height: 0, lines: [], rules: [], ...strip, isKept }
  })

const pairStrips = (setting: Setting, pairs: readonly PrintedPair[], frame: Frame): Strip[] => {
  const quiet = { ...textLook(), color: COLORS.quiet }
  const widthOfLabel = ({ label }: PrintedPair): number =>
    Math.max(0, ...placeText(setting, label, frame, quiet).map(({ line }) => widthOfRuns(line.runs) * quiet.size))
  const width = Math.min(frame.width * MAX_LABEL_SHARE, Math.max(0, ...pairs.map(widthOfLabel)) + 1)
  const [labels, values] = divided(setting, frame, width, 12)
  return pairs.flatMap(({ label, value }, index) => {
    const texts = [placeText(setting, label, labels, quiet), placeText(setting, value, values, textLook())]
    return stripsOfRow(texts, { gap: index === 0 ? 6 : 2, above: 0, below: 0 })
  })
}

const textStrips = (setting: Setting, block: DocumentText, frame: Frame): Strip[] => {
  if (block.type === 'pairs') return pairStrips(setting, block.pairs, frame)
  if (block.type === 'text') {
    const { text, isBold, isQuiet } = block
    return paragraphStrips(placeText(setting, text, frame, textLook(isBold, isQuiet)), 6)
  }
  const size = HEADING_SIZES[block.level]
  const look = { size, color: block.level === 1 ? setting.accent : COLORS.ink, isBold: true }
  const lines = placeText(setting, block.text, frame, look)
  return keptWithNext(paragraphStrips(lines, block.level === 1 ? 18 : 14))
}

// Strips of both sides become one, so that no page ends between them; sides that no page can hold follow each other.
const besideStrips = (
  setting: Setting,
  { start, end }: Extract<DocumentBlock, { readonly type: 'beside' }>,
  frame: Frame,
  pageHeight: number,
): Strip[] => {
  const sides = divided(setting, frame, (frame.width - GUTTER) / 2, GUTTER)
  const columns = [start, end].map((blocks, index) =>
    blocks.flatMap(block => textStrips(setting, block, sides[index === 0 ? 0 : 1])),
  )
  const height = Math.max(...columns.map(computeHeight))
  if (height > pageHeight) return [...start, ...end].flatMap(block => textStrips(setting, block, frame))
  const lines = columns.flatMap(strips => {
    let y = 0
    return strips.flatMap((strip, index) => {
      const top = y + (index === 0 ? 0 : strip.gap)
      y = top + strip.height
      return strip.lines.map(line => ({ ...line, baseline: line.baseline + top }))
    })
  })
  return height === 0 ? [] : [{ gap: 16, height, lines, rules: [], isKept: false }]
}

/** The strips of a block in a frame, on pages of a height. */
export const blockStrips = (setting: Setting, block: DocumentBlock, frame: Frame, pageHeight: number): Strip[] => {
  if (block.type === 'beside') return besideStrips(setting, block, frame, pageHeight)
  return block.type === 'table' ? tableStrips(setting, block, frame) : textStrips(setting, block, frame)
}
