/** The kinds of tokens in TypeScript: the checkers read code, comments and SQL separately. */
type Kind = 'code' | 'comment' | 'string' | 'template' | 'regex'

/** A part of a source text that is of one kind, and its offset. */
export type Token = { kind: Kind; text: string; at: number }

const INTERESTING = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|[`{}/]/g
const TEMPLATE_PIECE = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{|$)/y
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y
const VALUE_BEFORE = /[\w$)\]}'"`]\s*$/
const OPERATOR_WORD = /(?:^|[^\w$.])(?:return|typeof|case|in|of|void|delete|throw|new|do|else|yield|await)\s*$/

/** Splits a source text into tokens, in order and without gaps. */
export const tokens = (text: string): Token[] => {
  const found: Token[] = []
  const openBraces: number[] = []
  let end = 0
  const push = (kind: Kind, from: number, to: number) => {
    if (from > end) found.push({ kind: 'code', text: text.slice(end, from), at: end })
    if (to > from) found.push({ kind, text: text.slice(from, to), at: from })
    end = to
  }
  const template = (from: number) => {
    const to = computeEnd(TEMPLATE_PIECE, text, from + 1)
    push('template', from, to)
    if (text.endsWith('${', to)) openBraces.push(0)
  }
  for (let hit = next(text, 0); hit; hit = next(text, Math.max(end, hit.index + 1))) {
    const sign = hit[0]
    const depth = openBraces.at(-1)
    if (sign === '`') template(hit.index)
    else if (sign === '{' && depth !== undefined) openBraces[openBraces.length - 1] = depth + 1
    else if (sign === '}' && depth === 0) {
      openBraces.pop()
      template(hit.index)
    } else if (sign === '}' && depth !== undefined) openBraces[openBraces.length - 1] = depth - 1
    else if (sign === '/' && startsRegex(text.slice(end, hit.index), found.at(-1)))
      push('regex', hit.index, computeEnd(REGEX, text, hit.index))
    else if (sign.length > 1) push(isComment(sign) ? 'comment' : 'string', hit.index, hit.index + sign.length)
  }
  push('code', text.length, text.length)
  return found
}

/** The text with every other kind of token blanked; offsets and lines stay the same, and a literal becomes a row of quotes. */
export const only = (kinds: Kind[], all: Token[]): string =>
  all.map(({ kind, text }) => (kinds.includes(kind) ? text : blank(text, chooseFill(kind)))).join('')

/** A text of the same length and lines, filled with one character. */
export const blank = (text: string, fill = ' '): string => text.replace(/[^\n]/g, fill)

/** The line of an offset, counted from 1. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

const chooseFill = (kind: Kind) => (kind === 'code' || kind === 'comment' ? ' ' : '"')

const next = (text: string, from: number) => {
  INTERESTING.lastIndex = from
  return INTERESTING.exec(text)
}

const computeEnd = (pattern: RegExp, text: string, from: number) => {
  pattern.lastIndex = from
  return from + (pattern.exec(text)?.[0].length ?? 0)
}

const isComment = (sign: string) => sign.startsWith('//') || sign.startsWith('/*')

// A slash after a value divides; after an operator, or a keyword that expects a value, it starts a regular expression.
const startsRegex = (since: string, last: Token | undefined) => {
  if (since.trim() !== '') return !VALUE_BEFORE.test(since) || OPERATOR_WORD.test(since)
  return last === undefined || last.kind === 'comment' || last.text.endsWith('${')
}
