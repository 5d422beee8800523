import { Fragment, type Node } from 'prosemirror-model'
import { MANNERS, writeLine } from './inline.ts'
import { canBeTight, normalizeBlocks } from './normal.ts'
import { type Environment, parseText } from './parse.ts'
import { isList, schema } from './schema.ts'

const { nodes } = schema

/** What a block is written in: the definitions of the text, whether it has a fold, and whether it is at the top. */
type Around = { readonly environment: Environment; readonly fold: boolean }

type Place = Around & {
  readonly isTop: boolean
  /** Whether the list before it has the usual sign, so that this one needs another. */
  readonly isSecond: boolean
}

const children = (node: Node): Node[] => Array.from({ length: node.childCount }, (_, at) => node.child(at))

const isSame = (text: string, expected: readonly Node[], { environment, fold }: Around): boolean => {
  const { references } = environment
  const parsed = parseText(text, { fold }, references === undefined ? {} : { references: { ...references } })
  const found = normalizeBlocks(parsed.blocks.map(({ node }) => node))
  return Fragment.fromArray(found).eq(Fragment.fromArray([...expected]))
}

// Written in the most readable manner in which it is read as what it is.
const chooseLine = (
  content: Fragment,
  around: Around,
  frame: (line: string) => string,
  expected: readonly Node[],
): string => {
  const written = MANNERS.map(manner => () => writeLine(content, manner))
  const fitting = written.find(write => isSame(frame(write()), expected, around))
  return (fitting ?? (written.at(-1) as () => string))()
}

const writeTextblock = (node: Node, place: Place): string => {
  const sign = node.type === nodes.heading ? '#'.repeat(node.attrs.level) : ''
  const frame = (line: string): string => (sign === '' || line === '' ? `${sign}${line}` : `${sign} ${line}`)
  return frame(chooseLine(node.content, place, frame, [node]))
}

const writeCell = (cell: Node, place: Place): string => {
  if (cell.content.size === 0) return ''
  const frame = (line: string): string => `| ${line.replaceAll('|', '\\|')} |\n| --- |`
  const alone = nodes.table.create(null, nodes.table_row.create(null, nodes.table_header.create(null, cell.content)))
  return chooseLine(cell.content, place, frame, [alone]).replaceAll('|', '\\|')
}

const RULES = { left: ':--', center: ':-:', right: '--:' } as const

const writeTable = (table: Node, place: Place): string => {
  const [head = '', ...rows] = children(table).map(
    row =>
      `| ${children(row)
        .map(cell => writeCell(cell, place))
        .join(' | ')} |`,
  )
  const rules = children(table.child(0)).map(({ attrs }) => RULES[attrs.align as keyof typeof RULES] ?? '---')
  return [head, `| ${rules.join(' | ')} |`, ...rows].join('\n')
}

const writeCode = ({ attrs: { info }, textContent }: Node): string => {
  const sign = info.includes('`') ? '~' : '`'
  const longest = Math.max(2, ...Array.from(textContent.matchAll(sign === '~' ? /~+/g : /`+/g), ([run]) => run.length))
  const fence = sign.repeat(longest + 1)
  const ending = textContent === '' || textContent === '\n' ? textContent : `${textContent}\n`
  return `${fence}${info}\n${ending}${fence}`
}

const indent = (text: string, first: string, others: string): string =>
  text
    .split('\n')
    .map((line, at) => {
      const before = at === 0 ? first : others
      return line === '' ? before.trimEnd() : `${before}${line}`
    })
    .join('\n')

const writeItem = (item: Node, marker: string, place: Place, separator: string): string => {
  // Three dashes in a line are a rule, also those of lists that begin with lists.
  const isSecond = marker === '-'
  const inside = writeAll(children(item), { ...place, isTop: false, isSecond }, separator)
  return inside === '' ? marker : indent(inside, `${marker} `, ' '.repeat(marker.length + 1))
}

const writeList = (list: Node, place: Place): string => {
  const { order, tight } = list.attrs
  const marker = (at: number): string => {
    if (list.type === nodes.bullet_list) return place.isSecond ? '+' : '-'
    return `${Math.min(order + at, 999_999_999)}${place.isSecond ? ')' : '.'}`
  }
  const separator = tight && canBeTight(list) ? '\n' : '\n\n'
  return children(list)
    .map((item, at) => writeItem(item, marker(at), place, separator))
    .join(separator)
}

const write = (node: Node, place: Place): string => {
  switch (node.type) {
    case nodes.paragraph:
    case nodes.heading:
      return writeTextblock(node, place)
    case nodes.blockquote:
      return indent(writeAll(children(node), { ...place, isTop: false, isSecond: false }, '\n\n'), '> ', '> ')
    case nodes.code_block:
      return writeCode(node)
    case nodes.horizontal_rule:
      // In an item, dashes after a dash would be one rule.
      return place.isTop ? '---' : '***'
    case nodes.table:
      return writeTable(node, place)
    case nodes.fold:
      return '<!--more-->'
    case nodes.definitions:
      return node.attrs.source
    default:
      return writeList(node, place)
  }
}

/** Whether two blocks are lists that would be one if their signs were the same. */
export const wouldJoin = (before: Node | undefined, node: Node): boolean => isList(node) && before?.type === node.type

const writeAll = (blocks: readonly Node[], place: Place, separator: string): string => {
  let { isSecond } = place
  return blocks
    .map((node, at) => {
      if (at > 0) isSecond = wouldJoin(blocks[at - 1], node) && !isSecond
      return write(node, { ...place, isSecond })
    })
    .join(separator)
}

/** Writes a block of the top that `normalizeBlocks` returned, as Markdown that is read as the same block. */
export const writeBlock = (node: Node, around: Around, isSecond = false): string =>
  write(node, { ...around, isTop: true, isSecond })
