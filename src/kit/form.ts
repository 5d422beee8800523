/** Decoded pairs of a query or a form, in their order. */
export type Pairs = readonly (readonly [string, string])[]

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

// https://url.spec.whatwg.org/#application/x-www-form-urlencoded, but malformed escapes are an error.
const decode = (text: string): string => {
  if (!/[%+\u0080-\uffff]/.test(text)) return text
  const plain = text.replaceAll('+', ' ')
  if (/%(?![0-9A-Fa-f]{2})/.test(plain)) throw new RangeError('malformed percent-encoding')
  const bytes = plain.replace(/[\u0080-\uffff]/g, character => encodeURIComponent(character.toWellFormed()))
  const raw = bytes.replace(/%([0-9A-Fa-f]{2})/g, (_, pair: string) => String.fromCharCode(Number.parseInt(pair, 16)))
  return utf8.decode(Buffer.from(raw, 'latin1'))
}

/** Reads `a=1&b=2`; throws a RangeError or TypeError when an escape is malformed, not UTF-8 or a NUL. */
export const parsePairs = (text: string): Pairs => {
  if (/%00|\u0000/.test(text)) throw new RangeError('a NUL cannot be stored')
  return text
    .split('&')
    .filter(part => part !== '')
    .map(part => {
      const cut = part.indexOf('=')
      if (cut < 0) return [decode(part), ''] as const
      return [decode(part.slice(0, cut)), decode(part.slice(cut + 1))] as const
    })
}

/** Writes pairs as a form, each space as `+`. */
export const writePairs = (pairs: Pairs): string =>
  new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString()

/** The first value of a field of a form; empty where there is none. */
export const formField = (form: Pairs, name: string): string => form.find(([key]) => key === name)?.[1] ?? ''
