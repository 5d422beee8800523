import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { phraseOf } from '../forms/errors.ts'
import { blockForms } from './block-fields.ts'
import type { EditedBlock } from './blocks.rules.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const tooMuch = say(
  'This is too long, or has too much formatting to be shown.',
  'Isto é demasiado longo ou tem demasiada formatação para ser mostrado.',
)

// Sentences by the fields of blocks, and by field and code.
const phrases: Readonly<Record<string, Phrase>> = {
  href: say(
    'Choose an address of the site such as /courses, or enter one that begins with https://.',
    'Escolha um endereço do sítio, como /courses, ou escreva um que comece por https://.',
  ),
  url: say(
    'Enter the address of a recording at YouTube, Vimeo, Loom, Spotify or SoundCloud, beginning with https://.',
    'Escreva o endereço de uma gravação no YouTube, Vimeo, Loom, Spotify ou SoundCloud, a começar por https://.',
  ),
  file_id: say('Choose an image.', 'Escolha uma imagem.'),
  'file_id content_type': say(
    'Choose an image: PNG, JPEG, WebP, GIF or AVIF.',
    'Escolha uma imagem: PNG, JPEG, WebP, GIF ou AVIF.',
  ),
  'file_id unknown': say('This file was deleted. Choose another one.', 'Este ficheiro foi apagado. Escolha outro.'),
  price_id: say('Choose a price.', 'Escolha um preço.'),
  category_id: say('Choose a category of the list.', 'Escolha uma categoria da lista.'),
  course_id: say('Choose a course of the list.', 'Escolha um curso da lista.'),
  tag: say('Enter one tag.', 'Escreva uma etiqueta.'),
  limit: say('Enter a whole number from 1 to 24.', 'Escreva um número inteiro de 1 a 24.'),
  ids: say('Choose at most 24.', 'Escolha no máximo 24.'),
  images: say('Choose at least one image.', 'Escolha pelo menos uma imagem.'),
  columns: say('Fill in at least two columns.', 'Preencha pelo menos duas colunas.'),
  items: say('Enter at least one question with its answer.', 'Escreva pelo menos uma pergunta com a resposta.'),
  'body too_complex': tooMuch,
  'body too_long': tooMuch,
  'html too_complex': tooMuch,
  'html too_long': tooMuch,
  'answer too_complex': tooMuch,
  'answer too_long': tooMuch,
}

const POINTER = /^\/blocks\/(\d+)((?:\/\w+)*)$/

// The limit of reviews is lower than that of the others.
const limitOf = ({ type }: EditedBlock): Phrase | undefined =>
  type === 'reviews' ? say('Enter a whole number from 1 to 12.', 'Escreva um número inteiro de 1 a 12.') : undefined

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
    const phrase = (field === 'limit' ? limitOf(block) : undefined) ?? phraseOf(field, code, phrases)
    const name = [`b.${index}`, ...shown].join('.')
    if (!found.has(name)) found.set(name, fill(phrase, language))
  }
  return found
}
