import type { Document } from '#src/contract/print.ts'
import type { TextStyle } from '../runs.ts'
import { type Text, textsOfBlock } from './block-texts.ts'
import { settingOf, styleOf } from './strips.ts'
import { pageOf } from './words.ts'

/** The texts of a document with their styles. */
export const textsOfDocument = (document: Document): [text: string, style: TextStyle][] => {
  const setting = settingOf(document)
  const foot = [...document.foot, pageOf(document.locale, 1, 1)].map((text): Text => [text, false])
  return [...document.blocks.flatMap(textsOfBlock), ...foot].map(([text, isBold]) => [text, styleOf(setting, isBold)])
}
