import { sha256 } from './crypto.ts'

// A cursor is a position and grants no access: the tag only detects a changed cursor or another list.
const computeTag = (list: string, position: string): string =>
  sha256(`${list}\n${position}`).subarray(0, 8).toString('base64url')

/**
 * A cursor after the last row of a page; `list` identifies the school, the operation, the filter and the sort order.
 */
export const writeCursor = (list: string, position: readonly string[]): string => {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url')
  return `${text}.${computeTag(list, text)}`
}

/** The position of a cursor of this list; undefined when it belongs to another list or was changed. */
export const readCursor = (list: string, cursor: string): string[] | undefined => {
  const [text = '', tag = '', ...rest] = cursor.split('.')
  if (rest.length > 0 || tag !== computeTag(list, text)) return undefined
  const position = parsed(Buffer.from(text, 'base64url').toString('utf8'))
  const isOne = (value: unknown): value is string => typeof value === 'string'
  return Array.isArray(position) && position.every(isOne) ? position : undefined
}

// Anyone who knows the list can compute a valid tag for any position.
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
