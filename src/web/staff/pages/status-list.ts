import type { TSchema } from 'typebox'
import type { Phrase } from '#src/contract/language.ts'
import type { AnswerOf } from '#src/contract/page-call.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { field, hidden, inputs } from '#src/web/page/index.ts'
import type { StaffContext } from '../audience.ts'
import { downloadLinks } from '../csv.ts'
import { addressWith } from '../teaching/lists.ts'

type Texts = Readonly<
  Record<'create' | 'search' | 'find' | 'all' | 'statusList' | 'none' | 'empty' | 'next' | 'first', Phrase>
>

type Declared<Returns extends TSchema> = {
  readonly path: string
  readonly operation: string
  readonly returns: Returns
  readonly sort: string
  readonly statuses: Readonly<Record<string, Phrase>>
  readonly texts: Texts
}

type Listed = { readonly data: readonly unknown[]; readonly next_cursor?: string | undefined }

/** The list of what the person manages: a search, a link for each status, and its pages. */
export const showStatusList = async <Returns extends TSchema>(
  context: StaffContext,
  { path, operation, returns, sort, statuses, texts }: Declared<Returns>,
  renderRows: (found: AnswerOf<Returns>) => readonly Html[],
): Promise<Html> => {
  const { t } = context
  const part = (name: string): string => (context.query.get(name) ?? '').trim()
  const status = Object.hasOwn(statuses, part('status')) ? part('status') : ''
  const filters = { q: part('q').slice(0, 200), status, cursor: part('cursor') }
  const query: Pairs = [
    ['managed', 'true'],
    ['sort', sort],
    ...Object.entries(filters).filter(([, value]) => value !== ''),
  ]
  const found = await context.call({ operation, query, returns })
  const rows = renderRows(found)
  const { next_cursor: next } = found as Listed
  const tabs = Object.entries({ '': texts.all, ...statuses }).map(
    ([value, name]) =>
      html`<li><a href="${addressWith(path, { ...filters, status: value, cursor: '' })}"${value === status && html` aria-current="page"`}>${t(name)}</a></li>\n`,
  )
  const none = filters.q === '' && status === '' ? texts.empty : texts.none
  return html`<p><a class="button main" href="${path}/new">${t(texts.create)}</a></p>
<form method="get" action="${path}" class="search">
${status !== '' && hidden({ status })}${field({ name: 'q', label: t(texts.search), value: filters.q, attributes: inputs.search })}
<button type="submit">${t(texts.find)}</button>
</form>
<nav class="tabs" aria-label="${t(texts.statusList)}"><ul>
${tabs}</ul></nav>
${rows.length === 0 ? html`<p>${t(none)}</p>` : html`<ul class="list menu">\n${rows}</ul>`}
${context.isStaff && rows.length > 0 && downloadLinks(operation, context, query)}
${next !== undefined && html`<p><a rel="next" href="${addressWith(path, { ...filters, cursor: next })}">${t(texts.next)}</a></p>`}
${filters.cursor !== '' && html`<p><a href="${addressWith(path, { ...filters, cursor: '' })}">${t(texts.first)}</a></p>`}`
}
