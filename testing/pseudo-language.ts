// Imported before the application, so that what modules compose when they are read has it too.
import { IntlMessageFormat } from 'intl-messageformat'
import { LANGUAGES } from '#src/kit/locale.ts'
import { type Phrase, texts } from '#src/texts/index.ts'

type Element = ReturnType<IntlMessageFormat['getAst']>[number]
type Part = { [key: string]: Part } | (Phrase & { es?: string })

/** The language whose place the pseudo-language takes in this process. */
export const PSEUDO = 'es'

const ACCENTED: Readonly<Record<string, string>> = {
  a: 'áá',
  e: 'éé',
  i: 'íí',
  o: 'óó',
  u: 'úú',
  A: 'ÁÁ',
  E: 'ÉÉ',
  I: 'ÍÍ',
  O: 'ÓÓ',
  U: 'ÚÚ',
}

const accented = (text: string): string => text.replace(/[aeiou]/gi, letter => ACCENTED[letter] ?? letter)

const buildMessage = (elements: readonly Element[]): string =>
  elements
    .map(element => {
      if ('options' in element) {
        const options = Object.entries(element.options).map(([name, { value }]) => `${name} {${buildMessage(value)}}`)
        return `{${element.value}, ${'pluralType' in element ? 'plural' : 'select'}, ${options.join(' ')}}`
      }
      if (!('value' in element)) return '#'
      return element.type === 0 ? accented(element.value) : `{${element.value}}`
    })
    .join('')

/** A message about 40 % longer, with accents and within brackets; what has no letters of its own stays as it is. */
export const pseudo = (english: string): string => {
  if (!/\p{L}/u.test(english.replace(/\{\w+\}/g, ''))) return english
  return `⟦${buildMessage(new IntlMessageFormat(english, 'en', undefined, { ignoreTag: true }).getAst())}⟧`
}

const replaceIn = (part: Part): void => {
  if (typeof part.en === 'string') Object.assign(part, { [PSEUDO]: pseudo(part.en) })
  else for (const inner of Object.values(part)) replaceIn(inner as Part)
}

replaceIn(texts as unknown as Part)
// Written from right to left, in digits that everybody reads.
Object.assign(LANGUAGES, { [PSEUDO]: 'he-IL' })
