/** What a stretch of TypeScript is: the checkers judge code, text and SQL apart from each other. */
export type Kind = 'code' | 'comment' | 'string' | 'template' | 'regex'

/** A stretch of one kind, and the offset at which it begins. */
export type Token = { kind: Kind; text: string; at: number }

const INTERESTING = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|[`{}/]/g
const TEMPLATE_PIECE = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{|$)/y
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y
const VALUE_BEFORE = /[\w$)\]}'"`]\s*$/
const OPERATOR_WORD = /(?:^|[^\w$.])(?:return|typeof|case|in|of|void|delete|throw|new|do|else|yield|await)\s*$/

/** Cuts a source text into its stretches, in order and without gaps. */
export const tokens = (text: string): Token[] => {
  const found: Token[] = []
  const openBraces: number[] = []
  let done = 0
  const push = (kind: Kind, from: number, to: number) => {
    if (from > done) found.push({ kind: 'code', text: text.slice(done, from), at: done })
    if (to > from) found.push({ kind, text: text.slice(from, to), at: from })
    done = to
  }
  const template = (from: number) => {
    const to = endOf(TEMPLATE_PIECE, text, from + 1)
    push('template', from, to)
    if (text.endsWith('${', to)) openBraces.push(0)
  }
  for (let hit = next(text, 0); hit; hit = next(text, Math.max(done, hit.index + 1))) {
    const mark = hit[0]
    const depth = openBraces.at(-1)
    if (mark === '`') template(hit.index)
    else if (mark === '{' && depth !== undefined) openBraces[openBraces.length - 1] = depth + 1
    else if (mark === '}' && depth === 0) {
      openBraces.pop()
      template(hit.index)
    } else if (mark === '}' && depth !== undefined) openBraces[openBraces.length - 1] = depth - 1
    else if (mark === '/' && startsRegex(text.slice(done, hit.index), found.at(-1)))
      push('regex', hit.index, endOf(REGEX, text, hit.index))
    else if (mark.length > 1) push(isComment(mark) ? 'comment' : 'string', hit.index, hit.index + mark.length)
  }
  push('code', text.length, text.length)
  return found
}

/** The text with only some kinds legible; offsets and lines stay true, and a literal becomes a row of quotes. */
export const only = (kinds: Kind[], all: Token[]): string =>
  all.map(({ kind, text }) => (kinds.includes(kind) ? text : blank(text, fillOf(kind)))).join('')

/** A text of the same length and lines that says nothing. */
export const blank = (text: string, fill = ' '): string => text.replace(/[^\n]/g, fill)

/** The line, counted from 1, on which an offset stands. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

const fillOf = (kind: Kind) => (kind === 'code' || kind === 'comment' ? ' ' : '"')

const next = (text: string, from: number) => {
  INTERESTING.lastIndex = from
  return INTERESTING.exec(text)
}

const endOf = (pattern: RegExp, text: string, from: number) => {
  pattern.lastIndex = from
  return from + (pattern.exec(text)?.[0].length ?? 0)
}

const isComment = (mark: string) => mark.startsWith('//') || mark.startsWith('/*')

// A slash after a value divides; after an operator, or a word that awaits a value, it opens a regular expression.
const startsRegex = (since: string, last: Token | undefined) => {
  if (since.trim() !== '') return !VALUE_BEFORE.test(since) || OPERATOR_WORD.test(since)
  return last === undefined || last.kind === 'comment' || last.text.endsWith('${')
}
