import { fold } from './text.ts'

/** How many words of a body are searched, and how many characters of them are stored. */
const [MAX_WORDS, MAX_CHARACTERS] = [2000, 60_000]

// Addresses of links are no words for people.
const withoutAddresses = (text: string): string => text.replace(/\]\([^()\s]{1,2000}/g, '] ')

/** What a text is found by, folded and each part once; the database divides it into words (`stoa.words_of`). */
export const bodyWords = (text: string): string =>
  [...new Set(fold(withoutAddresses(text)).split(/\s+/))].slice(0, MAX_WORDS).join(' ').slice(0, MAX_CHARACTERS).trim()
