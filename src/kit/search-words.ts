import { fold } from './text.ts'

// Scripts without spaces between words.
const CONTINUOUS = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu
const WORD = /[\p{L}\p{N}]+/gu

/** How many words of a body are indexed, and how many letters of one in a script without spaces. */
const [MAX_WORDS, MAX_LETTERS] = [2000, 8]

// Of `abc` also `bc` and `c`, so that a search for the beginning of a word finds it anywhere.
const suffixesOf = (run: string): string[] => {
  const letters = Array.from(run)
  return letters.map((_, index) => letters.slice(index, index + MAX_LETTERS).join(''))
}

const partsOf = (run: string): string[] => {
  const letters = Array.from(run)
  const count = Math.ceil(letters.length / MAX_LETTERS)
  return Array.from({ length: count }, (_, index) =>
    letters.slice(index * MAX_LETTERS, (index + 1) * MAX_LETTERS).join(''),
  )
}

// Addresses of links are no words for people.
const withoutAddresses = (text: string): string => text.replace(/\]\([^()\s]{1,2000}/g, '] ')

const words = (text: string, divide: (run: string) => string[], most: number): string => {
  const found = new Set<string>()
  for (const [word] of fold(text).matchAll(WORD)) {
    const runs = word.match(CONTINUOUS)?.flatMap(divide) ?? []
    for (const piece of [...word.replace(CONTINUOUS, ' ').split(' '), ...runs]) {
      if (found.size >= most) return [...found].join(' ')
      if (piece !== '') found.add(piece)
    }
  }
  return [...found].join(' ')
}

/** The words of a text by which it is found, folded, each once, at most 2,000. */
export const bodyWords = (text: string): string => words(withoutAddresses(text), suffixesOf, MAX_WORDS)

/** The words of a search as `bodyWords` has them; at most ten count. */
export const searchedWords = (text: string): string => words(text, partsOf, 10)
