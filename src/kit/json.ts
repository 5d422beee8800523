/** What was wrong with a JSON text; the message can be shown. */
export class JsonRefused extends Error {}

const DEPTH = 32
const MEMBERS = 20_000
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decode = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new JsonRefused('The body is not valid UTF-8.')
  }
}

const endOfString = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

const isKey = (text: string, end: number): boolean => {
  let at = end + 1
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at++
  return text[at] === ':'
}

const parseKey = (raw: string): string => {
  try {
    return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
  } catch {
    throw new JsonRefused('The body is not valid JSON.')
  }
}

// JSON.parse keeps the last of two equal keys and recurses; both must be known before it runs (RFC 8259 §4).
const scan = (text: string): void => {
  const open: (Set<string> | undefined)[] = []
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') {
      if (open.push(character === '{' ? new Set() : undefined) > DEPTH)
        throw new JsonRefused(`The body is nested deeper than ${DEPTH} levels.`)
    } else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const end = endOfString(text, at)
      const keys = open.at(-1)
      if (keys !== undefined && isKey(text, end)) {
        const key = parseKey(text.slice(at, end + 1))
        if (++members > MEMBERS) throw new JsonRefused(`The body has more than ${MEMBERS} fields.`)
        if (keys.has(key)) throw new JsonRefused('The body names a field twice.')
        if (key === '__proto__') throw new JsonRefused('The body has a field called __proto__.')
        keys.add(key)
      }
      at = end
    }
  }
}

/** Parses JSON strictly: UTF-8 without BOM, at most 32 levels, no member twice; throws JsonRefused otherwise. */
export const parseJson = (bytes: Uint8Array): unknown => {
  const text = decode(bytes)
  if (text.startsWith('\ufeff')) throw new JsonRefused('The body begins with a byte order mark.')
  if (text.trim() === '') throw new JsonRefused('The body is empty.')
  scan(text)
  try {
    return JSON.parse(text)
  } catch {
    throw new JsonRefused('The body is not valid JSON.')
  }
}

/** The canonical text of a JSON value of objects, arrays, strings, integers and booleans (RFC 8785). */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  members.sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
}
