const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The unsigned big-endian number that these bytes spell. */
const toBigInt = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)

/**
 * Crockford's base32 in lower case of these bytes as one number: its last `length` characters, with zeros before a shorter one.
 */
export const base32 = (bytes: Uint8Array, length: number): string => {
  const room = length * 5 - bytes.length * 8
  let text = '0'.repeat(Math.max(0, Math.floor(room / 5)))
  let bits = room < 0 ? room % 8 : room % 5
  let value = 0
  for (const byte of bytes.subarray(Math.max(0, Math.floor(-room / 8)))) {
    bits += 8
    value = ((value << 8) | byte) & ((1 << bits) - 1)
    while (bits >= 5) {
      bits -= 5
      text += BASE32[value >> bits]
      value &= (1 << bits) - 1
    }
  }
  return text
}

const PAIRS = Array.from({ length: 1024 }, (_, pair) => `${BASE32[pair >> 5]}${BASE32[pair & 31]}`)

const DIGITS = Array.from({ length: 103 }, (_, code) => (code < 58 ? code - 48 : code - 87))

/** The 128 bits of a UUID in lower case as `base32` writes them, in 26 characters, without bytes in between. */
export const base32OfUuid = (uuid: string): string => {
  const digitAt = (at: number): number => DIGITS[uuid.charCodeAt(at)] ?? 0
  // 26 characters have two bits more than a UUID.
  let text = PAIRS[(digitAt(0) << 4) | digitAt(1)] ?? ''
  for (let at = 2; at < 36; ) {
    let value = 0
    for (let count = 0; count < 5; at++)
      if (at !== 8 && at !== 13 && at !== 18 && at !== 23) {
        value = (value << 4) | digitAt(at)
        count++
      }
    text += `${PAIRS[value >> 10]}${PAIRS[value & 1023]}`
  }
  return text
}

/** Base62 (digits, capitals, small letters), padded with zeros to `length` characters. */
export const base62 = (bytes: Uint8Array, length: number): string => {
  let rest = toBigInt(bytes)
  let text = ''
  while (text.length < length) {
    text = (BASE62[Number(rest % 62n)] ?? '') + text
    rest /= 62n
  }
  return text
}

/**
 * Reads what `base32` wrote of `size` bytes; undefined for a character outside the alphabet, another length, or a number that
 * needs more bytes.
 */
export const fromBase32 = (text: string, size: number): Buffer | undefined => {
  const spare = text.length * 5 - size * 8
  if (spare < 0 || spare > 4) return undefined
  const bytes = Buffer.allocUnsafe(size)
  let [value, bits, at] = [0, -spare, 0]
  for (const character of text) {
    const digit = BASE32.indexOf(character)
    if (digit < 0) return undefined
    value = (value << 5) | digit
    bits += 5
    // The bits of the first character that are before the first byte.
    if (at === 0 && bits < 8 && value >> bits !== 0) return undefined
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = value >> bits
      value &= (1 << bits) - 1
    }
  }
  return bytes
}
