import type { Document, DocumentBlock } from '#src/contract/print.ts'
import type { TextStyle } from '../runs.ts'
import { settingOf, styleOf } from './strips.ts'
import { pageOf } from './words.ts'

type Text = readonly [text: string, isBold: boolean]

const textsOfBlock = (block: DocumentBlock): Text[] => {
  switch (block.type) {
    case 'heading':
      return [[block.text, true]]
    case 'text':
      return [[block.text, block.isBold ?? false]]
    case 'pairs':
      return block.pairs.flatMap(({ label, value }): Text[] => [
        [label, false],
        [value, false],
      ])
    case 'beside':
      return [...block.start, ...block.end].flatMap(textsOfBlock)
    case 'table':
      return [
        ...block.columns.map(({ title }): Text => [title, true]),
        ...block.rows.flat().map((cell): Text => [cell, false]),
        ...block.totals.flatMap(({ label, value, isBold = false }): Text[] => [
          [label, isBold],
          [value, isBold],
        ]),
      ]
  }
}

/** How many characters the blocks of a document have. */
export const lengthOfBlocks = ({ blocks }: Document): number =>
  blocks.reduce((sum, block) => sum + textsOfBlock(block).reduce((length, [text]) => length + text.length, 0), 0)

/** The texts of a document with their styles. */
export const textsOfDocument = (document: Document): [text: string, style: TextStyle][] => {
  const setting = settingOf(document)
  const foot = [...document.foot, pageOf(document.locale, 1, 1)].map((text): Text => [text, false])
  return [...document.blocks.flatMap(textsOfBlock), ...foot].map(([text, isBold]) => [text, styleOf(setting, isBold)])
}
