import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { texts } from '#src/texts/index.ts'
import { fileReasons } from '#src/web/file-reasons.ts'
import { blockForms } from './block-fields.ts'
import type { EditedBlock } from './blocks.rules.ts'
import { choosePhrase } from './errors.ts'

const tooMuch = texts.staff.pagesEditor.blockErrors.tooMuch

// Sentences by the fields of blocks, and by field and code.
const phrases: Readonly<Record<string, Phrase>> = {
  ...texts.staff.pagesEditor.blockErrors.text,

  'file_id unsupported_type': fileReasons.unsupported_type,
  'file_id unsuitable': fileReasons.unsuitable,
  'body unsuitable': fileReasons.unsuitable,
  'html unsuitable': fileReasons.unsuitable,
  'answer unsuitable': fileReasons.unsuitable,
  'body unsupported_type': fileReasons.unsupported_type,
  'html unsupported_type': fileReasons.unsupported_type,
  'answer unsupported_type': fileReasons.unsupported_type,

  'body too_complex': tooMuch,
  'body too_long': tooMuch,
  'html too_complex': tooMuch,
  'html too_long': tooMuch,
  'answer too_complex': tooMuch,
  'answer too_long': tooMuch,
}

const POINTER = /^\/blocks\/(\d+)((?:\/\w+)*)$/

// The limit of reviews is lower than that of the others.
const findLimit = ({ type }: EditedBlock): Phrase | undefined =>
  type === 'reviews' ? texts.staff.pagesEditor.blockErrors.limitOf.enterAWholeNumberFrom : undefined

/** What is wrong with the blocks of a page, by the names of the fields of the editor. */
export const blockErrorsIn = (
  errors: readonly FieldError[],
  blocks: readonly EditedBlock[],
  language: Language,
): Map<string, string> => {
  const found = new Map<string, string>()
  for (const { pointer, code } of errors) {
    const [, index, rest = ''] = POINTER.exec(pointer) ?? []
    const block = index === undefined ? undefined : blocks[Number(index)]
    if (block === undefined) continue
    const parts = rest.split('/').filter(part => part !== '')
    const key = blockForms[block.type].items?.key
    // An item is without the name of its list, and one of several choices without its place.
    const names = parts[0] === key && parts.length > 1 ? parts.slice(1) : parts
    const shown = names[0] === 'ids' ? ['ids'] : names
    const field = shown.findLast(part => !/^\d+$/.test(part)) ?? ''
    const phrase = (field === 'limit' ? findLimit(block) : undefined) ?? choosePhrase(field, code, phrases)
    const name = [`b.${index}`, ...shown].join('.')
    if (!found.has(name)) found.set(name, fill(phrase, language))
  }
  return found
}
