import type { TSchema } from 'typebox'
import { type Html, html } from '#src/kit/html.ts'
import { type Column, type List, type ListShown, type PageContext, renderTable } from '#src/web/page/index.ts'
import type { StaffContext } from '../audience.ts'
import { entries, findPlace } from '../console/entries.ts'
import type { ConsoleView } from '../console/frame.ts'
import { downloadLinks } from '../csv.ts'
import { icons } from '../icons.ts'

type Listed = {
  readonly data: readonly unknown[]
  readonly next_cursor?: string | undefined
  readonly total?: number | undefined
}

type Bulk<Row> = {
  readonly bar: Html
  tick(row: Row): { readonly value: string; readonly label: string }
}

/** How a page shows a list. */
type Listing<Row> = {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** The main action, which an empty list offers too. */
  readonly action?: Html | false
  /** What else can be done, before the main action. */
  readonly more?: Html | false
  /** What is said above the list. */
  readonly above?: Html | false
  readonly content?: Html | undefined
  readonly heading?: string | undefined
  /** What is done with the rows that are chosen. */
  readonly bulk?: Bulk<Row> | undefined
}

/** A list as a table below its filters, with the links to it as a file for those who may have one. */
export const renderList = <Row>(
  context: StaffContext,
  list: List<TSchema>,
  shown: ListShown<Listed>,
  { columns, rows, action, content, heading, bulk }: Omit<Listing<Row>, 'more' | 'above'>,
): Html => {
  const query = [...Object.entries(list.params), ...list.queryFor(context)]
  const icon = findPlace(entries, context.request.path)?.entry.icon
  return list.table(context, shown, {
    columns,
    rows,
    content,
    heading,
    bulk,
    below: context.isStaff && rows.length > 0 && downloadLinks(list.operation, context, query),
    empty: { ...(icon !== undefined && { icon: icons[icon] }), action },
  })
}

/** A page whose content is a list. */
export const showList = <Row>(
  context: StaffContext,
  list: List<TSchema>,
  shown: ListShown<Listed>,
  listing: Listing<Row>,
): Pick<ConsoleView, 'actions' | 'isWide' | 'hasCards' | 'body' | 'scripts'> => ({
  ...((listing.action || listing.more) && { actions: html`${listing.more}${listing.action}` }),
  isWide: true,
  hasCards: true,
  ...(listing.bulk && { scripts: ['list'] }),
  body: html`${listing.above}${renderList(context, list, shown, listing)}`,
})

/** Some rows as a table below a heading, where they are one of several parts of a page. */
export const renderPart = <Row>(
  context: PageContext,
  {
    id,
    title,
    isAlone = false,
    isWithin = false,
    link,
    columns,
    rows,
    none = '',
    below,
  }: {
    readonly id: string
    readonly title: string
    /** Whether it is what the page is about, whose title says what it is. */
    readonly isAlone?: boolean
    /** Whether it is below a heading of several such parts. */
    readonly isWithin?: boolean
    /** Where the heading leads. */
    readonly link?: Html | false
    readonly columns: readonly Column<Row>[]
    readonly rows: readonly Row[]
    /** What is said where there is none. */
    readonly none?: string
    readonly below?: Html | string | false
  },
): Html => html`<section class="card flush" ${isAlone ? html`aria-label="${title}"` : html`aria-labelledby="${id}"`}>
${!isAlone && html`<header>${isWithin ? html`<h3 id="${id}">${title}</h3>` : html`<h2 id="${id}">${title}</h2>`}${link}</header>`}
${rows.length === 0 ? html`<p class="empty">${none}</p>` : renderTable(context, { caption: title, columns, rows })}${below !== undefined && below !== false && html`\n<footer class="quiet">${below}</footer>`}
</section>
`
