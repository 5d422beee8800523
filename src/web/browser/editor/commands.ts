import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import { Fragment, type MarkType, type Node, type NodeType } from 'prosemirror-model'
import { liftListItem, wrapInList } from 'prosemirror-schema-list'
import { type Command, type EditorState, TextSelection } from 'prosemirror-state'
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  selectedRect,
} from 'prosemirror-tables'
import { isList, schema } from './schema.ts'

const { nodes, marks } = schema

/** What a person can do to a text. */
type Action = {
  readonly run: Command
  /** Whether it is done at the selection, such as a mark that is set. */
  readonly isOn?: (state: EditorState) => boolean
}

const findAround = (state: EditorState, fits: (node: Node) => boolean): { node: Node; at: number } | undefined => {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth -= 1)
    if (fits($from.node(depth))) return { node: $from.node(depth), at: $from.before(depth) }
  return undefined
}

const isMarked = (state: EditorState, type: MarkType): boolean => {
  const { from, to, empty, $from } = state.selection
  return empty ? type.isInSet(state.storedMarks ?? $from.marks()) !== undefined : state.doc.rangeHasMark(from, to, type)
}

const mark = (type: MarkType): Action => ({ run: toggleMark(type), isOn: state => isMarked(state, type) })

const isBlock = (state: EditorState, type: NodeType, attributes: Readonly<Record<string, unknown>>): boolean => {
  const { parent } = state.selection.$from
  return parent.type === type && Object.entries(attributes).every(([name, value]) => parent.attrs[name] === value)
}

const block = (type: NodeType, attributes: Readonly<Record<string, unknown>> = {}): Action => ({
  isOn: state => isBlock(state, type, attributes),
  run: (state, dispatch) =>
    isBlock(state, type, attributes) && type !== nodes.paragraph
      ? setBlockType(nodes.paragraph)(state, dispatch)
      : setBlockType(type, attributes)(state, dispatch),
})

// In a list of the other kind, the list changes its kind; in one of the same kind, its items leave it.
const list = (type: NodeType): Action => ({
  isOn: state => findAround(state, isList)?.node.type === type,
  run: (state, dispatch) => {
    const around = findAround(state, isList)
    if (around === undefined) return wrapInList(type)(state, dispatch)
    if (around.node.type === type) return liftListItem(nodes.list_item)(state, dispatch)
    dispatch?.(state.tr.setNodeMarkup(around.at, type, { tight: around.node.attrs.tight }))
    return true
  },
})

const quote: Action = {
  isOn: state => findAround(state, node => node.type === nodes.blockquote) !== undefined,
  run: (state, dispatch) => (quote.isOn?.(state) ? lift(state, dispatch) : wrapIn(nodes.blockquote)(state, dispatch)),
}

// After the block of the selection, or in its place where it is empty, at the top or in the same list item or quote.
const put =
  (make: () => Node, cursor?: (at: number) => number): Command =>
  (state, dispatch) => {
    const { $from } = state.selection
    if (isInTable(state) || $from.depth === 0) return false
    const node = make()
    const index = $from.index($from.depth - 1)
    if (!$from.node($from.depth - 1).canReplaceWith(index, index, node.type)) return false
    const isEmpty = $from.parent.type === nodes.paragraph && $from.parent.content.size === 0
    const [start, end] = isEmpty ? [$from.before(), $from.after()] : [$from.after(), $from.after()]
    const isLast = end === $from.end($from.depth - 1)
    const tr = state.tr.replaceWith(start, end, isLast && node.isLeaf ? [node, nodes.paragraph.create()] : node)
    const at = cursor?.(start) ?? start + node.nodeSize
    dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(at, tr.doc.content.size)))).scrollIntoView())
    return true
  }

const makeTable = (): Node => {
  const row = (type: NodeType): Node => nodes.table_row.create(null, [type.create(), type.create(), type.create()])
  return nodes.table.create(null, [row(nodes.table_header), row(nodes.table_cell), row(nodes.table_cell)])
}

// The alignment of a column is that of all its cells.
const align =
  (side: 'left' | 'center' | 'right' | null): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false
    const { map, left, right, tableStart, table } = selectedRect(state)
    const { tr } = state
    for (let row = 0; row < map.height; row += 1)
      for (let column = left; column < right; column += 1) {
        const at = map.positionAt(row, column, table)
        tr.setNodeMarkup(tableStart + at, null, { ...table.nodeAt(at)?.attrs, align: side })
      }
    dispatch?.(tr)
    return true
  }

const inTable = (run: Command): Action => ({ run: (state, dispatch) => isInTable(state) && run(state, dispatch) })

const hasFold = ({ doc }: EditorState): boolean => {
  let found = false
  doc.forEach(node => {
    found ||= node.type === nodes.fold
  })
  return found
}

const all = {
  paragraph: block(nodes.paragraph),
  heading1: block(nodes.heading, { level: 1 }),
  heading2: block(nodes.heading, { level: 2 }),
  heading3: block(nodes.heading, { level: 3 }),
  heading4: block(nodes.heading, { level: 4 }),
  strong: mark(marks.strong),
  em: mark(marks.em),
  strike: mark(marks.strike),
  code: mark(marks.code),
  bullets: list(nodes.bullet_list),
  numbers: list(nodes.ordered_list),
  quote,
  codeBlock: block(nodes.code_block),
  rule: { run: put(() => nodes.horizontal_rule.create()) },
  table: { run: put(makeTable, at => at + 3) },
  fold: {
    run: (state: EditorState, dispatch: Parameters<Command>[1]) =>
      state.selection.$from.depth === 1 && !hasFold(state) && put(() => nodes.fold.create())(state, dispatch),
  },
  addRow: inTable(addRowAfter),
  addColumn: inTable(addColumnAfter),
  deleteRow: inTable(deleteRow),
  deleteColumn: inTable(deleteColumn),
  deleteTable: inTable(deleteTable),
  alignLeft: inTable(align('left')),
  alignCenter: inTable(align('center')),
  alignRight: inTable(align('right')),
  undo: { run: undo },
  redo: { run: redo },
} as const satisfies Record<string, Action>

/** The name of an action. */
export type ActionName = keyof typeof all

/** What can be done to a text, by the names that toolbar, menus and texts have for it. */
export const actions: Readonly<Record<ActionName, Action>> = all

/** Puts a picture where the selection is: into an empty line, or below the text. */
export const putPicture =
  (attributes: { readonly src: string; readonly alt: string }, at: number): Command =>
  (state, dispatch) => {
    const place = state.doc.resolve(Math.min(at, state.doc.content.size))
    const image = nodes.image.create(attributes)
    const { parent, depth } = place
    const isInside = parent.inlineContent && (parent.content.size === 0 || parent.type !== nodes.paragraph)
    const canHold = parent.type.contentMatch.matchType(nodes.image) !== null
    const tr = state.tr
    if (isInside && canHold) tr.insert(place.pos, image)
    else
      tr.replaceWith(
        depth === 0 ? place.pos : place.after(),
        depth === 0 ? place.pos : place.after(),
        nodes.paragraph.create(null, Fragment.from(image)),
      )
    dispatch?.(tr)
    return true
  }
