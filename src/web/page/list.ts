import type { TSchema } from 'typebox'
import type { Phrase } from '#src/contract/language.ts'
import type { AnswerOf } from '#src/contract/page-call.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { PageContext } from './context.ts'
import { type FilterKind, renderFilter } from './filter.ts'
import { type Column, renderTable } from './table.ts'

/** The texts of a list: those of its filters by their names, and what is said of what was found. */
type ListTexts<Filter extends string> = {
  readonly filters: { readonly [Name in Filter]: Phrase }
  readonly all: Phrase
  readonly none: Phrase
  readonly empty: Phrase
}

type Filters<Filter extends string> = { readonly [Name in Filter]?: FilterKind | undefined }

type Context = Pick<PageContext, 'query' | 'viewer'>

/** A page of a list, with the filters that were given. */
export type ListShown<Page> = {
  readonly page: Page
  readonly given: Pairs
  /** The key by which it is sorted. */
  readonly by: string
  readonly cursor: string
}

/** A list as `createList` declares it. */
export type List<Returns extends TSchema> = ReturnType<typeof createList<Returns, string>>

type Declared<Returns extends TSchema, Filter extends string> = {
  readonly path: string
  readonly operation: string
  readonly returns: Returns
  /** The resource that the list is of. */
  readonly params?: Readonly<Record<string, string>>
  /** What the operation gets besides, such as the order. */
  readonly query?: Pairs
  readonly expand?: readonly string[]
  /** Those that are offered; one without a kind is only kept, such as the person whom a link names. */
  readonly filters: Filters<Filter>
  /** What the operation gets for a filter, where it is not a parameter of the same name. */
  readonly asQuery?: { readonly [Name in Filter]?: (value: string, context: Context) => Pairs }
  /** How the list is sorted unless the heading of a column was followed. */
  readonly sort?: string
  /** The parameter that names its page, where another list of the page has the usual one. */
  readonly cursorName?: string
  readonly texts: ListTexts<Filter>
}

/** How a list is shown as a table. */
type Shown<Row> = {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** What is shown in place of the table, where a row is a text that is read. */
  readonly content?: Html | undefined
  /** The heading, where the list is one of several parts of its page. */
  readonly heading?: string | undefined
  /** What is done with the rows that are chosen: a form with the id `bulk`, and what the box of a row is called and sends. */
  readonly bulk?: { readonly bar: Html; tick(row: Row): { readonly value: string; readonly label: string } } | undefined
  /** What is below the table beside its paging, such as the links to it as a file. */
  readonly below?: Html | false | undefined
  /** What an empty list without filters shows around the sentence that says what it is for. */
  readonly empty?: { readonly icon?: Html; readonly action?: Html | false | undefined } | undefined
}

type Listed = {
  readonly data: readonly unknown[]
  readonly next_cursor?: string | undefined
  readonly total?: number | undefined
}

const total = ({ total: count, data }: Listed, { t, language }: PageContext): string =>
  count === undefined
    ? ''
    : t(texts.page.list.shown, { shown: formatNumber(data.length, language), all: formatNumber(count, language) })

/** Declares a list of the console: its operation, filters, paging and texts. */
export const createList = <Returns extends TSchema, Filter extends string>(declared: Declared<Returns, Filter>) => {
  const { path, operation, returns, params = {}, query = [], expand, filters, sort = '', texts: said } = declared
  const { cursorName = 'cursor' } = declared
  const asQuery: Declared<Returns, Filter>['asQuery'] = declared.asQuery
  const names = Object.keys(filters) as Filter[]
  const givenIn = ({ query: typed }: Pick<PageContext, 'query'>): Pairs =>
    names.map(name => [name, (typed.get(name) ?? '').trim()] as const).filter(([, value]) => value !== '')
  const sortIn = ({ query: typed }: Pick<PageContext, 'query'>): string => typed.get('sort') || sort
  const translate = (given: Pairs, context: Context): Pairs =>
    given.flatMap(([name, value]) => asQuery?.[name as Filter]?.(value, context) ?? [[name, value] as const])
  const buildAddress = (given: Pairs, more: Pairs = []): string => {
    const parameters = new URLSearchParams([...given, ...more].map(([name, value]): [string, string] => [name, value]))
    return parameters.size === 0 ? path : `${path}?${parameters}`
  }
  const keep = (given: Pairs, by: string): Pairs => (by === sort ? given : [...given, ['sort', by]])
  return {
    operation,
    params,
    /** The query of the operation for the filters of a page. */
    queryFor: (context: Context): Pairs => {
      const sorted = sortIn(context)
      return [...query, ...translate(givenIn(context), context), ...(sorted === '' ? [] : [['sort', sorted] as const])]
    },
    async read(context: PageContext): Promise<ListShown<AnswerOf<Returns>>> {
      const cursor = context.query.get(cursorName) ?? ''
      const position: Pairs = cursor === '' ? [] : [['cursor', cursor]]
      const page = await context.call({
        operation,
        params,
        query: [...this.queryFor(context), ...position, ['include_total', 'true']],
        ...(expand && { expand }),
        returns,
      })
      return { page, given: givenIn(context), by: sortIn(context), cursor }
    },
    /** The list as a table below its filters, with its paging. */
    table<Row>(context: PageContext, { page, given, by, cursor }: ListShown<Listed>, shown: Shown<Row>): Html {
      const { t } = context
      const { columns, rows, content, heading, bulk, below, empty } = shown
      const kept = keep(given, by)
      const controls = names.flatMap(name => {
        const kind: FilterKind | undefined = filters[name]
        const [value, others] = [formField(given, name), kept.filter(([one]) => one !== name)]
        return kind === undefined
          ? []
          : [renderFilter(context, { name, label: said.filters[name], kind }, { value, others, path, buildAddress })]
      })
      const next = page.next_cursor
      // In a large school a page may be empty before the list ends.
      const nothing =
        next !== undefined
          ? html`<p>${t(texts.staff.none.goOn)}</p>`
          : given.length > 0
            ? html`<p>${t(said.none)}</p>\n<a class="button" href="${path}">${t(texts.page.list.clear)}</a>`
            : html`${empty?.icon}<p>${t(said.empty)}</p>\n${empty?.action}`
      const renderRows = (): Html =>
        content ??
        renderTable(context, {
          caption: heading ?? t(said.all),
          columns,
          rows,
          tick: bulk?.tick,
          sorted: { by, buildAddress: one => buildAddress(keep(given, one)) },
        })
      // Nothing leads from an empty list to another page of it, and nothing has to be filtered.
      const hasFilters = controls.length > 0 && (rows.length > 0 || given.length > 0)
      return html`<section class="card flush" aria-label="${heading ?? t(said.all)}">
${heading !== undefined && html`<header><h2>${heading}</h2></header>\n`}${hasFilters && html`<div class="filters">\n${controls}</div>\n`}${rows.length === 0 ? html`<div class="empty">${nothing}</div>` : html`${bulk?.bar}${renderRows()}`}
${(rows.length > 0 || cursor !== '' || next !== undefined) && html`<div class="pages"><span>${total(page, context)}</span>${below}<span class="row">${cursor !== '' && html`<a class="button small" href="${buildAddress(kept)}">${t(texts.words.firstPage)}</a>`}${next !== undefined && html`<a class="button small" rel="next" href="${buildAddress(kept, [[cursorName, next]])}">${t(texts.words.nextPage)}</a>`}</span></div>\n`}</section>
`
    },
  }
}

/** A field for words, with its button beside it; the words are in the query of the page. */
export const searchForm = ({ t, request, query }: PageContext, name: string, label: Phrase): Html =>
  html`<form method="get" action="${request.path}" class="search">
<label for="${name}">${t(label)}</label>
<input id="${name}" name="${name}" type="search" maxlength="200" value="${(query.get(name) ?? '').trim()}">
<button type="submit">${t(texts.words.find)}</button>
</form>`

/** Facts about a resource, without those that have no value. */
export const factList = (facts: readonly (readonly [label: string, value: string | Html | undefined])[]): Html =>
  html`<dl class="facts">
${facts.map(([label, value]) => value !== undefined && html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>\n`)}</dl>`
