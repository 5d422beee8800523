import type { Document, DocumentBlock } from '#src/contract/print.ts'

/** A text of a document, and whether it is bold. */
export type Text = readonly [text: string, isBold: boolean]

/** The texts of a block, of those beside each other too. */
export const textsOfBlock = (block: DocumentBlock): Text[] => {
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
