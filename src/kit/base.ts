const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const write = (value: bigint, alphabet: string, length: number): string => {
  const base = BigInt(alphabet.length)
  let rest = value
  let text = ''
  while (text.length < length) {
    text = (alphabet[Number(rest % base)] ?? '') + text
    rest /= base
  }
  return text
}

/** The unsigned big-endian number that these bytes spell. */
const toBigInt = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)

/** Crockford's base32 in lower case, padded with zeros to `length` characters. */
export const base32 = (bytes: Uint8Array, length: number): string => write(toBigInt(bytes), BASE32, length)

/** Base62 (digits, capitals, small letters), padded with zeros to `length` characters. */
export const base62 = (bytes: Uint8Array, length: number): string => write(toBigInt(bytes), BASE62, length)

/** Reads what `base32` wrote; undefined for a character outside the alphabet or a number past `bits`. */
export const fromBase32 = (text: string, bits: number): bigint | undefined => {
  let value = 0n
  for (const character of text) {
    const digit = BASE32.indexOf(character)
    if (digit < 0) return undefined
    value = value * 32n + BigInt(digit)
  }
  return value >> BigInt(bits) === 0n ? value : undefined
}
