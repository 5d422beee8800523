import { idPattern } from '../ids.ts'

/** An element with an address. */
export type Linking = 'a' | 'img'

const fileId = new RegExp(idPattern('fil'))

const PROTOCOLS: Readonly<Record<Linking, readonly string[]>> = {
  a: ['https:', 'http:', 'mailto:', 'tel:'],
  img: ['https:'],
}

/** An absolute address with one of these protocols and without user info, as a browser parses it. */
export const absoluteAddress = (text: string, protocols: readonly string[]): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return protocols.includes(url.protocol) && url.username === '' && url.password === '' ? url.href : undefined
}

/** An address in a text: absolute, or a file of the school by its id. */
export const resolveAddress = (tag: Linking, text: string): string | undefined => {
  if (fileId.test(text)) return text
  return absoluteAddress(text, PROTOCOLS[tag])
}

// RFC 6761 §6.4: never the name of a host.
const NOWHERE = 'https://site.invalid'

/** A path of the school's own site, normalised; undefined for everything that a browser could take for another host. */
export const sitePath = (text: string): string | undefined => {
  if (!text.startsWith('/') || !URL.canParse(text, NOWHERE)) return undefined
  const { origin, pathname, search, hash } = new URL(text, NOWHERE)
  // Dots can leave two slashes at the beginning: /.//host.
  return origin === NOWHERE && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : undefined
}
