import type { Document } from '#src/contract/print.ts'
import type { TextStyle } from '../runs.ts'
import { type Text, textsOfBlock } from './block-texts.ts'
import { buildSetting, buildStyle } from './strips.ts'
import { formatPage } from './words.ts'

/** The texts of a document with their styles. */
export const textsOfDocument = (document: Document): [text: string, style: TextStyle][] => {
  const setting = buildSetting(document)
  const foot = [...document.foot, formatPage(document.locale, 1, 1)].map((text): Text => [text, false])
  return [...document.blocks.flatMap(textsOfBlock), ...foot].map(([text, isBold]) => [
    text,
    buildStyle(setting, isBold),
  ])
}
