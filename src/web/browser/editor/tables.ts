import type { Node } from 'prosemirror-model'
import { Plugin, type Transaction } from 'prosemirror-state'
import { tableEditing } from 'prosemirror-tables'
import { schema } from './schema.ts'

const { nodes } = schema

// The first row is the head, and a column has the alignment of its head: Markdown knows nothing else.
const mendTable = (tr: Transaction, table: Node, at: number): void => {
  const head = table.child(0)
  table.forEach((row, rowAt, index) => {
    row.forEach((cell, cellAt, column) => {
      const type = index === 0 ? nodes.table_header : nodes.table_cell
      const align = head.maybeChild(column)?.attrs.align ?? null
      const { colspan, rowspan } = cell.attrs
      if (cell.type === type && cell.attrs.align === align && colspan === 1 && rowspan === 1) return
      tr.setNodeMarkup(at + 1 + rowAt + 1 + cellAt, type, { align })
    })
  })
}

/** Keeps tables as Markdown can say them, also when a row is deleted or a table is pasted. */
export const tablePlugins = (): Plugin[] => [
  new Plugin({
    appendTransaction(transactions, _, state) {
      if (!transactions.some(({ docChanged }) => docChanged)) return null
      const { tr } = state
      state.doc.descendants((node, at) => {
        if (node.type === nodes.table) mendTable(tr, node, at)
        return !node.isTextblock
      })
      return tr.docChanged ? tr : null
    },
  }),
  tableEditing(),
]
