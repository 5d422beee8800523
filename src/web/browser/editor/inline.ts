import { Fragment, type Mark, type Node } from 'prosemirror-model'
import { isBreak, schema } from './schema.ts'

const { nodes, marks } = schema

/** Where a line of text stands, which decides what it may contain. */
export type Line = 'block' | 'heading' | 'cell'

// CommonMark 0.31.2 §6.2: whitespace and punctuation as delimiters see them.
const SPACE = /^[\s\u00a0]$/u
const PUNCTUATION = /^[\p{P}\p{S}]$/u

const DELIMITERS = ['em', 'strong', 'strike'] as const

const isDelimiter = ({ type }: Mark): boolean => DELIMITERS.some(name => marks[name] === type)

const isCode = (node: Node): boolean => node.marks.some(({ type }) => type === marks.code)

// What may not be at the edge of emphasis: a space, or a line end.
const splitEdges = (node: Node): [Node[], Node[], Node[]] => {
  if (isBreak(node)) return [[node], [], []]
  if (!node.isText || isCode(node)) return [[], [node], []]
  const text = node.text ?? ''
  const start = text.length - text.trimStart().length
  const end = Math.max(start, text.trimEnd().length)
  const part = (from: number, to: number): Node[] => (from < to ? [node.cut(from, to)] : [])
  return [part(0, start), part(start, end), part(end, text.length)]
}

const wanted = (node: Node | undefined): readonly Mark[] =>
  (node?.marks ?? []).filter(({ type }) => type !== marks.code)

// How far a mark goes on from a node of a line.
const reach = (line: readonly Node[], at: number, mark: Mark): number => {
  let end = at
  while (mark.isInSet(line[end]?.marks ?? [])) end += 1
  return end
}

type Turn = { readonly closed: readonly Mark[]; readonly opened: readonly Mark[] }

// What ends before a node, and what begins, the longest first; a link is never closed for the end of another mark.
const turn = (open: Mark[], line: readonly Node[], at: number): Turn => {
  const here = wanted(line[at])
  const link = here.find(mark => mark.type === marks.link && !mark.isInSet(open))
  const stays = (mark: Mark): boolean =>
    mark.isInSet([...here]) && (link === undefined || reach(line, at, mark) >= reach(line, at, link))
  const first = open.findIndex(mark => !stays(mark))
  const closed = first < 0 ? [] : open.splice(first).reverse()
  const opened = here
    .filter(mark => !mark.isInSet(open))
    .toSorted((one, other) => reach(line, at, other) - reach(line, at, one) || here.indexOf(one) - here.indexOf(other))
  open.push(...opened)
  return { closed, opened }
}

// Emphasis cannot begin or end with a space, so the space at its edge is put outside.
const putOutside = (node: Node, mark: Mark, edge: 'start' | 'end'): Node[] | undefined => {
  const without = (parts: readonly Node[]): Node[] => parts.map(part => part.mark(mark.removeFromSet(part.marks)))
  const [start, inside, end] = splitEdges(node)
  if (inside.length === 0) return without([node])
  if (edge === 'start') return start.length === 0 ? undefined : [...without(start), ...inside, ...end]
  return end.length === 0 ? undefined : [...start, ...inside, ...without(end)]
}

const loosen = (line: readonly Node[]): Node[] | undefined => {
  const open: Mark[] = []
  for (let at = 0; at <= line.length; at += 1) {
    const { closed, opened } = turn(open, line, at)
    const tries = [
      ...closed.map(mark => [at - 1, mark, 'end'] as const),
      ...opened.map(mark => [at, mark, 'start'] as const),
    ]
    for (const [place, mark, edge] of tries) {
      const parts = isDelimiter(mark) ? putOutside(line[place] as Node, mark, edge) : undefined
      if (parts !== undefined) return line.toSpliced(place, 1, ...parts)
    }
  }
  return undefined
}

const trimText = (node: Node, pattern: RegExp): Node[] => {
  if (!node.isText || isCode(node)) return [node]
  const text = (node.text ?? '').replace(pattern, '')
  return text === '' ? [] : [schema.text(text, node.marks)]
}

// Spaces at the ends of lines are not part of the text, nor is a line end where there is no line after it.
const trimLines = (line: readonly Node[], where: Line): Node[] => {
  const [start, end] = where === 'cell' ? [/^\s+/, /\s+$/] : [/^[ \t\n]+/, /[ \t\n]+$/]
  let kept = [...line]
  for (let before = -1; before !== kept.length; ) {
    before = kept.length
    kept = kept.filter((node, at) => {
      if (!isBreak(node)) return true
      if (at === kept.length - 1) return false
      return node.type === nodes.hard_break || (at > 0 && !isBreak(kept[at - 1]))
    })
    kept = kept.flatMap((node, at) => {
      const first = at === 0 || isBreak(kept[at - 1]) ? trimText(node, start) : [node]
      return at === kept.length - 1 || isBreak(kept[at + 1]) ? first.flatMap(one => trimText(one, end)) : first
    })
  }
  return kept
}

// Only text is code; and CommonMark 0.31.2 §4.7: a link of such code at the beginning of a line would be a definition.
const withoutCode = (node: Node): Node =>
  node.isText && !(node.text?.includes(']:') && marks.link.isInSet(node.marks))
    ? node
    : node.mark(marks.code.removeFromSet(node.marks))

const onOneLine = (node: Node): Node => (isBreak(node) ? schema.text(' ', node.marks) : node)

const merged = (line: readonly Node[]): readonly Node[] => Fragment.fromArray([...line]).content

/** The nodes of a line as they can be written in Markdown, which look the same. */
export const normalizeLine = (content: Fragment, where: Line): Fragment => {
  const nodesHere = content.content.map(withoutCode)
  const line = where === 'block' ? nodesHere : nodesHere.map(onOneLine)
  let loose: readonly Node[] | undefined = trimLines(merged(line), where)
  let normal: readonly Node[] = []
  while (loose !== undefined) {
    normal = merged(loose)
    loose = loosen(normal)
  }
  return Fragment.fromArray([...normal])
}

/** How a line is written: which characters are escaped, and the sign of emphasis. */
type Manner = { readonly escaped: RegExp | undefined; readonly emphasis: '*' | '_' }

/** From the most readable to what holds everywhere. */
export const MANNERS: readonly Manner[] = [
  { escaped: undefined, emphasis: '*' },
  { escaped: /[\\`*_[\]<&~]|!(?=\[)|^(?:[#>=|:+-]|\d+(?=[.)]))/gm, emphasis: '*' },
  { escaped: /[!-/:-@[-`{-~]/g, emphasis: '*' },
  { escaped: /[!-/:-@[-`{-~]/g, emphasis: '_' },
]

type Piece =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'raw'; readonly text: string }
  | { readonly kind: 'open' | 'close'; readonly text: string }

const escapeText = (text: string, { escaped }: Manner): string =>
  escaped === undefined
    ? text
    : text.replace(escaped, found => (/^\d/.test(found) ? found : `\\${found}`)).replace(/^(\d+)([.)])/gm, '$1\\$2')

const writeCode = (text: string): string => {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const lengths = new Set(Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const length = Array.from({ length: longest + 1 }, (_, at) => at + 1).find(one => !lengths.has(one)) ?? 1
  const fence = '`'.repeat(length)
  const isPadded = /^`|`$/.test(text) || (/^ .* $/s.test(text) && /[^ ]/.test(text))
  return isPadded ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}

const writeTitle = (title: string): string =>
  title === '' ? '' : ` "${title.replace(/[\\"&]/g, '\\$&').replace(/\n{2,}/g, '\n')}"`

const writeAddress = (address: string): string =>
  address === '' || /[\s()<>\\`]|&#?\w+;/.test(address) ? `<${address.replace(/[\\<>&]/g, '\\$&')}>` : address

const writeImage = ({ attrs: { src, alt, title } }: Node): string =>
  `![${String(alt).replace(/[!-/:-@[-`{-~]/g, '\\$&')}](${writeAddress(src)}${writeTitle(title)})`

const isAutomatic = (node: Node, { attrs: { href, title } }: Mark): boolean =>
  title === '' &&
  node.marks.every(({ type }) => type === marks.link) &&
  (node.text === href || `mailto:${node.text}` === href) &&
  /^(?:https?|mailto):[^\s<>]*$|^mailto:[\w.+-]+@[\w.-]+$/.test(href)

const SIGNS = { strong: '**', strike: '~~' } as const

const sign = ({ type }: Mark, { emphasis }: Manner): string =>
  type === marks.em ? emphasis : SIGNS[type.name as keyof typeof SIGNS]

const opening = (mark: Mark, manner: Manner): Piece =>
  mark.type === marks.link ? { kind: 'raw', text: '[' } : { kind: 'open', text: sign(mark, manner) }

const closing = (mark: Mark, manner: Manner): Piece =>
  mark.type === marks.link
    ? { kind: 'raw', text: `](${writeAddress(mark.attrs.href)}${writeTitle(mark.attrs.title)})` }
    : { kind: 'close', text: sign(mark, manner) }

const writeNode = (node: Node, manner: Manner): Piece => {
  if (node.type === nodes.hard_break) return { kind: 'raw', text: '\\\n' }
  if (node.type === nodes.soft_break) return { kind: 'raw', text: '\n' }
  if (node.type === nodes.image) return { kind: 'raw', text: writeImage(node) }
  if (isCode(node)) return { kind: 'raw', text: writeCode(node.text ?? '') }
  return { kind: 'text', text: escapeText(node.text ?? '', manner) }
}

const listPieces = (line: readonly Node[], manner: Manner): Piece[] => {
  const pieces: Piece[] = []
  const open: Mark[] = []
  line.forEach((node, at) => {
    const link = node.marks.find(({ type }) => type === marks.link)
    if (link && node.isText && open.length === 0 && isAutomatic(node, link) && reach(line, at, link) === at + 1) {
      pieces.push({ kind: 'raw', text: `<${node.text}>` })
      return
    }
    const { closed, opened } = turn(open, line, at)
    pieces.push(...closed.map(mark => closing(mark, manner)), ...opened.map(mark => opening(mark, manner)))
    pieces.push(writeNode(node, manner))
  })
  return [...pieces, ...open.reverse().map(mark => closing(mark, manner))]
}

const classify = (char: string | undefined): 'space' | 'punctuation' | 'letter' => {
  if (char === undefined || SPACE.test(char)) return 'space'
  return PUNCTUATION.test(char) ? 'punctuation' : 'letter'
}

// CommonMark 0.31.2 §6.2: a run that touches a letter on one side and punctuation on the other goes in one direction only. The letter
// becomes an entity, which begins and ends with punctuation.
const mendRun = (pieces: readonly Piece[], at: number): boolean => {
  const { kind, text } = pieces[at] as Piece
  if (kind !== 'open' && kind !== 'close') return false
  const isOpen = kind === 'open'
  const outer = pieces[isOpen ? at - 1 : at + 1]
  const inner = Array.from(pieces[isOpen ? at + 1 : at - 1]?.text ?? '').at(isOpen ? 0 : -1)
  if (outer?.kind !== 'text') return false
  const outside = Array.from(outer.text)
  const [letter] = isOpen ? outside.splice(-1) : outside.splice(0, 1)
  if (letter === undefined || classify(letter) !== 'letter') return false
  if (classify(inner) !== 'punctuation' && text !== '_') return false
  const entity = `&#${letter.codePointAt(0)};`
  outer.text = isOpen ? `${outside.join('')}${entity}` : `${entity}${outside.join('')}`
  return true
}

/** Writes a line that `normalizeLine` returned, in a manner. */
export const writeLine = (content: Fragment, manner: Manner): string => {
  const pieces = listPieces(content.content, manner)
  // The entity for one run may be the punctuation for the run before it.
  while (pieces.map((_, at) => mendRun(pieces, at)).includes(true)) {}
  return pieces.map(({ text }) => text).join('')
}
