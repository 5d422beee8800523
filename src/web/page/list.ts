import type { TSchema } from 'typebox'
import type { Phrase } from '#src/contract/language.ts'
import type { AnswerOf } from '#src/contract/page-call.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { PageContext } from './context.ts'
import { mainButton, select } from './inputs.ts'

/** The texts of a list: those of its filters by their names, and what is said of what was found. */
type ListTexts<Filter extends string> = {
  readonly filters: { readonly [Name in Filter]: Phrase }
  readonly all: Phrase
  readonly found: Phrase
  readonly none: Phrase
  readonly empty: Phrase
}

/** How a list is filtered: by words, or by one of these values; an empty one says what is shown without. */
type Filters<Filter extends string> = { readonly [Name in Filter]: 'search' | Readonly<Record<string, Phrase>> }

/** A page of a list, with the filters that were given. */
type ListShown<Page> = { readonly page: Page; readonly given: Pairs; readonly cursor: string }

type Declared<Returns extends TSchema, Filter extends string> = {
  readonly path: string
  readonly operation: string
  readonly returns: Returns
  /** What the operation gets besides, such as the order. */
  readonly query?: Pairs
  readonly filters: Filters<Filter>
  readonly texts: ListTexts<Filter>
}

type Listed = { readonly data: readonly unknown[]; readonly next_cursor?: string | undefined }

/** Declares a list of the console: its operation, filters, paging and texts. */
export const createList = <Returns extends TSchema, Filter extends string>(declared: Declared<Returns, Filter>) => {
  const { path, operation, returns, query = [], filters, texts: said } = declared
  const names = Object.keys(filters) as Filter[]
  const givenIn = ({ query: typed }: Pick<PageContext, 'query'>): Pairs =>
    names.map(name => [name, (typed.get(name) ?? '').trim()] as const).filter(([, value]) => value !== '')
  const buildAddress = (given: Pairs, more: Pairs = [], below = ''): string => {
    const parameters = new URLSearchParams([...given, ...more].map(([name, value]): [string, string] => [name, value]))
    return parameters.size === 0 ? `${path}${below}` : `${path}${below}?${parameters}`
  }
  return {
    /** The query of the operation for the filters of a page. */
    queryFor: (context: Pick<PageContext, 'query'>): Pairs => [...query, ...givenIn(context)],
    async read(context: PageContext): Promise<ListShown<AnswerOf<Returns>>> {
      const given = givenIn(context)
      const cursor = context.query.get('cursor') ?? ''
      const position: Pairs = cursor === '' ? [] : [['cursor', cursor]]
      const page = await context.call({ operation, query: [...query, ...given, ...position], returns })
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
        const named: Readonly<Record<string, Phrase>> = filter
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
