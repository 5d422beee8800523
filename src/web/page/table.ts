import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import type { PageContext } from './context.ts'

/** How a column is laid out: what a row is called, the one value beside it on a phone, a figure, a date, or what a phone leaves out. */
type ColumnKind = 'main' | 'lead' | 'num' | 'date' | 'low' | 'num c-lead' | 'num c-low' | 'date c-low' | 'date c-lead'

/** A column of a table. */
export type Column<Row> = {
  readonly name: Phrase
  readonly kind?: ColumnKind
  /** The key by which the operation sorts the list, in this order first. */
  readonly sort?: string
  /** Said before the value on a phone, where the heads of the columns are not shown. */
  readonly isNamed?: boolean
  cell(row: Row): Html | string | false
}

/** A table: what it is about, its columns and its rows. */
type Table<Row> = {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** How the rows are sorted now, and the address of the table in another order. */
  readonly sorted?: { readonly by: string; buildAddress(sort: string): string } | undefined
  /** The box that chooses a row for what is done with several; its form has the id `bulk`. */
  readonly tick?: ((row: Row) => { readonly value: string; readonly label: string }) | undefined
}

const reverse = (sort: string): string => (sort.startsWith('-') ? sort.slice(1) : `-${sort}`)

const renderHead = <Row>({ name, kind, sort }: Column<Row>, { t }: PageContext, { sorted }: Table<Row>): Html => {
  const label = t(name)
  if (sort === undefined || sorted === undefined)
    return html`<th role="columnheader" scope="col"${kind !== undefined && html` class="c-${kind}"`}>${label}</th>`
  const isSorted = sorted.by === sort || sorted.by === reverse(sort)
  const order = sorted.by.startsWith('-') ? 'descending' : 'ascending'
  const next = sorted.by === sort ? reverse(sort) : sort
  return html`<th role="columnheader" scope="col"${kind !== undefined && html` class="c-${kind}"`}${isSorted && html` aria-sort="${order}"`}><a href="${sorted.buildAddress(next)}">${label}<span aria-hidden="true">${isSorted ? (order === 'ascending' ? '↑' : '↓') : '↕'}</span></a></th>`
}

const renderRow = <Row>(row: Row, { t }: PageContext, { columns, tick }: Table<Row>): Html => {
  const box = tick?.(row)
  const cells = columns.map(({ name, kind, isNamed = false, cell }) => {
    const value = cell(row)
    return html`<td role="cell"${kind !== undefined && html` class="c-${kind}"`}${isNamed && html` data-label="${t(name)}"`}>${value}</td>`
  })
  return html`<tr role="row">${box !== undefined && html`<td role="cell" class="c-tick"><label><input type="checkbox" name="id" value="${box.value}" form="bulk" aria-label="${box.label}"></label></td>`}${cells}</tr>
`
}

/** A table whose rows are cards where it is narrow; its roles are said, since such a layout takes them away. */
export const renderTable = <Row>(context: PageContext, table: Table<Row>): Html =>
  html`<div class="table-box"><table class="table as-cards" role="table"><caption class="unseen">${table.caption}</caption>
<thead role="rowgroup"><tr role="row">${table.tick !== undefined && html`<td role="cell" class="c-tick"></td>`}${table.columns.map(column => renderHead(column, context, table))}</tr></thead>
<tbody role="rowgroup">
${table.rows.map(row => renderRow(row, context, table))}</tbody></table></div>`
