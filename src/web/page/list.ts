import type { TSchema } from 'typebox'
import type { Phrase } from '#src/contract/language.ts'
import type { AnswerOf } from '#src/contract/page-call.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { PageContext } from './context.ts'
import { type FilterKind, renderFilter } from './filter.ts'
import { mainButton, select } from './inputs.ts'
import { type Column, renderTable } from './table.ts'

/** The texts of a list: those of its filters by their names, and what is said of what was found. */
type ListTexts<Filter extends string> = {
  readonly filters: { readonly [Name in Filter]: Phrase }
  readonly all: Phrase
  readonly found: Phrase
  readonly none: Phrase
  readonly empty: Phrase
}

type Filters<Filter extends string> = { readonly [Name in Filter]: FilterKind }

type Context = Pick<PageContext, 'query' | 'viewer'>

/** A page of a list, with the filters that were given. */
type ListShown<Page> = { readonly page: Page; readonly given: Pairs; readonly cursor: string }

type Declared<Returns extends TSchema, Filter extends string> = {
  readonly path: string
  readonly operation: string
  readonly returns: Returns
  /** What the operation gets besides, such as the order. */
  readonly query?: Pairs
  /** The relations that are embedded. */
  readonly expand?: readonly string[]
  readonly filters: Filters<Filter>
  /** What the operation gets for a filter, where it is not a parameter of the same name. */
  readonly asQuery?: { readonly [Name in Filter]?: (value: string, context: Context) => Pairs }
  /** How the list is sorted unless the heading of a column was followed. */
  readonly sort?: string
  readonly texts: ListTexts<Filter>
}

/** How a list is shown as a table. */
type Shown<Row> = {
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  /** What is done with the rows that are chosen: a form with the id `bulk`, and what the box of a row is called and sends. */
  readonly bulk?: { readonly bar: Html; tick(row: Row): { readonly value: string; readonly label: string } } | undefined
  /** What is below the table beside its paging, such as the links to it as a file. */
  readonly below?: Html | false | undefined
  /** What is shown in place of an empty list that has no filter. */
  readonly empty?: Html | undefined
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
  const { path, operation, returns, query = [], expand, filters, sort = '', texts: said } = declared
  const asQuery: Declared<Returns, Filter>['asQuery'] = declared.asQuery
  const names = Object.keys(filters) as Filter[]
  const givenIn = ({ query: typed }: Pick<PageContext, 'query'>): Pairs =>
    names.map(name => [name, (typed.get(name) ?? '').trim()] as const).filter(([, value]) => value !== '')
  const sortIn = ({ query: typed }: Pick<PageContext, 'query'>): string => typed.get('sort') || sort
  const translate = (given: Pairs, context: Context): Pairs =>
    given.flatMap(([name, value]) => asQuery?.[name as Filter]?.(value, context) ?? [[name, value] as const])
  const buildAddress = (given: Pairs, more: Pairs = [], below = ''): string => {
    const parameters = new URLSearchParams([...given, ...more].map(([name, value]): [string, string] => [name, value]))
    return parameters.size === 0 ? `${path}${below}` : `${path}${below}?${parameters}`
  }
  return {
    /** The query of the operation for the filters of a page. */
    queryFor: (context: Context): Pairs => {
      const sorted = sortIn(context)
      return [...query, ...translate(givenIn(context), context), ...(sorted === '' ? [] : [['sort', sorted] as const])]
    },
    async read(context: PageContext): Promise<ListShown<AnswerOf<Returns>>> {
      const given = givenIn(context)
      const cursor = context.query.get('cursor') ?? ''
      const position: Pairs = cursor === '' ? [] : [['cursor', cursor]]
      const page = await context.call({
        operation,
        query: [...this.queryFor(context), ...position, ['include_total', 'true']],
        ...(expand && { expand }),
        returns,
      })
      return { page, given, cursor }
    },
    /** The form of the filters. */
    filterForm({ t }: PageContext, { given }: Pick<ListShown<unknown>, 'given'>): Html {
      const control = (name: Filter): Html => {
        const filter: Filters<Filter>[Filter] = filters[name]
        const [label, value] = [t(said.filters[name]), formField(given, name)]
        if (filter === 'search')
          return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="search" maxlength="200" value="${value}">`
        const named: Readonly<Record<string, Phrase>> = filter === 'day' ? {} : filter
        const choices = Object.entries({ '': texts.words.any, ...named }).map(([one, phrase]) => ({
          value: one,
          label: t(phrase),
        }))
        return select(name, label, value, choices)
      }
      // One field for words has its button beside it.
      if (names.every(name => filters[name] === 'search') && names.length === 1)
        return html`<form method="get" action="${path}" class="search">
${names.map(name => html`${control(name)}\n`)}<button type="submit">${t(texts.words.find)}</button>
</form>`
      return html`<form method="get" action="${path}">
${names.map(name => html`${control(name)}\n`)}${mainButton(t(texts.words.find))}
</form>`
    },
    /** The list under its heading, or what is said where it is empty, and the links to its next and first page. */
    rows({ t }: PageContext, { page, given, cursor }: ListShown<Listed>, rows: readonly Html[]): Html {
      const isSearch = given.length > 0
      const next = page.next_cursor
      return html`<h2>${t(isSearch ? said.found : said.all)}</h2>
${rows.length === 0 ? html`<p>${t(isSearch ? said.none : said.empty)}</p>` : html`<ul class="list menu">\n${rows}</ul>`}
${next !== undefined && html`<p><a rel="next" href="${buildAddress(given, [['cursor', next]])}">${t(texts.words.nextPage)}</a></p>`}
${cursor !== '' && html`<p><a href="${buildAddress(given)}">${t(texts.words.firstPage)}</a></p>`}`
    },
    /** The list as a table below its filters, with its paging. */
    table<Row>(context: PageContext, { page, given, cursor }: ListShown<Listed>, shown: Shown<Row>): Html {
      const { t } = context
      const { columns, rows, bulk, below, empty } = shown
      const by = sortIn(context)
      const kept: Pairs = by === sort ? given : [...given, ['sort', by]]
      const without = (name: string): Pairs => kept.filter(([one]) => one !== name)
      const next = page.next_cursor
      const table = renderTable(context, {
        caption: t(said.all),
        columns,
        rows,
        tick: bulk?.tick,
        sorted: { by, buildAddress: one => buildAddress([...given, ['sort', one]]) },
      })
      const nothing =
        given.length === 0 && empty !== undefined ? empty : html`<p>${t(given.length > 0 ? said.none : said.empty)}</p>`
      return html`<section class="card flush" aria-label="${t(said.all)}">
${names.length > 0 && html`<div class="filters">\n${names.map(name => renderFilter(context, { name, label: said.filters[name], kind: filters[name] }, { value: formField(given, name), others: without(name), path, buildAddress }))}</div>\n`}${rows.length === 0 ? html`<div class="empty">${nothing}${given.length > 0 && html`\n<a class="button" href="${path}">${t(texts.page.list.clear)}</a>`}</div>` : html`${bulk?.bar}${table}`}
<div class="pages"><span>${total(page, context)}</span>${below}<span class="row">${cursor !== '' && html`<a class="button small" href="${buildAddress(kept)}">${t(texts.words.firstPage)}</a>`}${next !== undefined && html`<a class="button small" rel="next" href="${buildAddress(kept, [['cursor', next]])}">${t(texts.words.nextPage)}</a>`}</span></div>
</section>`
    },
    /** The address of the list as CSV. */
    csvPath: ({ given }: Pick<ListShown<unknown>, 'given'>): string => buildAddress(given, [], '/csv'),
  }
}

/** A field for words, with its button beside it; the words are in the query of the page. */
export const searchForm = ({ t, request, query }: PageContext, name: string, label: Phrase): Html =>
  html`<form method="get" action="${request.path}" class="search">
<label for="${name}">${t(label)}</label>
<input id="${name}" name="${name}" type="search" maxlength="200" value="${(query.get(name) ?? '').trim()}">
<button type="submit">${t(texts.words.find)}</button>
</form>`

/** A row of a list: a link, and facts about what it leads to. */
export const listRow = (href: string, name: string, facts: readonly string[]): Html =>
  html`<li><a href="${href}"><bdi>${name}</bdi></a><span class="quiet">${facts.join(' · ')}</span></li>
`

/** Facts about a resource, without those that have no value. */
export const factList = (facts: readonly (readonly [label: string, value: string | undefined])[]): Html =>
  html`<dl class="facts">
${facts.map(([label, value]) => value !== undefined && html`<div><dt>${label}</dt><dd><bdi>${value}</bdi></dd></div>\n`)}</dl>`
