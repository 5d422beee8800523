import { sha256 } from './crypto.ts'

// A cursor is a position and never authority: the tag notices a changed byte or another list, it keeps nobody out.
const tagOf = (list: string, position: string): string =>
  sha256(`${list}\n${position}`).subarray(0, 8).toString('base64url')

/** A cursor behind the last row of a page; `list` names the school, the operation, the filter and the sort. */
export const writeCursor = (list: string, position: readonly string[]): string => {
  const text = Buffer.from(JSON.stringify(position)).toString('base64url')
  return `${text}.${tagOf(list, text)}`
}

/** The position a cursor of this list stands for; undefined when it is of another list or was changed. */
export const readCursor = (list: string, cursor: string): string[] | undefined => {
  const [text = '', tag = '', ...rest] = cursor.split('.')
  if (rest.length > 0 || tag !== tagOf(list, text)) return undefined
  const position = parsed(Buffer.from(text, 'base64url').toString('utf8'))
  const isOne = (value: unknown): value is string => typeof value === 'string'
  return Array.isArray(position) && position.every(isOne) ? position : undefined
}

// Whoever knows the list can write a right tag around anything.
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
