import { Fragment, type Node } from 'prosemirror-model'
import { type Line, normalizeLine } from './inline.ts'
import { isList, schema } from './schema.ts'

const { nodes } = schema

const findLine = (node: Node): Line => {
  if (node.type === nodes.table_cell || node.type === nodes.table_header) return 'cell'
  return node.type === nodes.heading ? 'heading' : 'block'
}

const listChildren = (node: Node): Node[] => Array.from({ length: node.childCount }, (_, at) => node.child(at))

const isEmptyParagraph = (node: Node): boolean => node.type === nodes.paragraph && node.content.size === 0

// An empty item of a list, or a number other than one, cannot end a paragraph.
const endsParagraph = (node: Node): boolean => {
  if ([nodes.blockquote, nodes.code_block, nodes.horizontal_rule, nodes.heading].includes(node.type)) return true
  const first = node.firstChild?.firstChild
  if (!isList(node) || first == null || isEmptyParagraph(first)) return false
  return node.type === nodes.bullet_list || node.attrs.order === 1
}

// Whether a block can follow another one without an empty line between them.
const follows = (before: Node, node: Node): boolean => {
  if (before.type === nodes.paragraph) return endsParagraph(node)
  return before.type === nodes.heading || before.type === nodes.horizontal_rule || before.type === nodes.code_block
}

/** Whether nothing of a list needs an empty line before it. */
export const canBeTight = (list: Node): boolean =>
  listChildren(list).every(item =>
    listChildren(item).every((node, at) => at === 0 || follows(item.child(at - 1), node)),
  )

// CommonMark 0.31.2 §5.3: a list is loose if an empty line divides its items, or the blocks of one of them. It is seen at paragraphs.
const isTight = (list: Node): boolean => {
  const items = listChildren(list)
  const gaps = items.length - 1 + items.reduce((sum, item) => sum + item.childCount - 1, 0)
  const hasParagraph = items.some(item =>
    listChildren(item).some(node => node.type === nodes.paragraph && !isEmptyParagraph(node)),
  )
  return gaps === 0 || !hasParagraph || (list.attrs.tight && canBeTight(list))
}

const normalizeList = (list: Node): Node => {
  const normal = list.copy(Fragment.fromArray(listChildren(list).map(normalize)))
  return list.type.create({ ...list.attrs, tight: isTight(normal) }, normal.content)
}

// The alignment of a column is that of its head; a row has as many cells as the head, which is the first row.
const normalizeTable = (table: Node): Node => {
  const head = table.child(0)
  const width = Math.max(...listChildren(table).map(row => row.childCount))
  const align = Array.from({ length: width }, (_, at) => head.maybeChild(at)?.attrs.align ?? null)
  const row = (one: Node, at: number): Node =>
    nodes.table_row.create(
      null,
      align.map((side, column) => {
        const type = at === 0 ? nodes.table_header : nodes.table_cell
        return type.create({ align: side }, normalizeLine(one.maybeChild(column)?.content ?? Fragment.empty, 'cell'))
      }),
    )
  return table.type.create(null, listChildren(table).map(row))
}

/**
 * A block as Markdown can say it: without what cannot be written and nobody sees, such as empty paragraphs and spaces at the
 * ends of lines.
 */
const normalize = (node: Node): Node => {
  if (node.type === nodes.table) return normalizeTable(node)
  if (isList(node)) return normalizeList(node)
  if (node.isTextblock && node.type !== nodes.code_block) return node.copy(normalizeLine(node.content, findLine(node)))
  if (node.inlineContent || node.isLeaf) return node
  const children = listChildren(node).map(normalize)
  const kept = children.filter(child => !isEmptyParagraph(child))
  return node.copy(Fragment.fromArray(kept.length === 0 ? [nodes.paragraph.create()] : kept))
}

/** The blocks of a document as Markdown can say them. */
export const normalizeBlocks = (blocks: readonly Node[]): Node[] =>
  blocks.map(normalize).filter(node => !isEmptyParagraph(node))
