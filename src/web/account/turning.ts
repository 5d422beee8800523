import type { Phrase } from '#src/contract/language.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { PageContext } from '#src/web/page/index.ts'

const MAX_CURSOR = 500

/** Where the page of a list begins, for the query of its operation; empty at the first one. */
export const readCursor = ({ query }: Pick<PageContext, 'query'>): Pairs => {
  const cursor = cleanLine(query.get('cursor') ?? '', MAX_CURSOR)
  return cursor === '' ? [] : [['cursor', cursor]]
}

/** The links of a page of a list to its first page, where they have a text for it, and to the next one. */
export const pageLinks = (
  context: PageContext,
  next: string | undefined,
  { newest, older }: { readonly newest?: Phrase; readonly older: Phrase },
): Html | false => {
  const { t, request } = context
  const first =
    newest !== undefined && readCursor(context).length > 0 && html`<a href="${request.path}">${t(newest)}</a> `
  const query = new URLSearchParams(next === undefined ? [] : [['cursor', next]])
  const following = next !== undefined && html`<a rel="next" href="${request.path}?${String(query)}">${t(older)}</a>`
  return (first !== false || following !== false) && html`<p>${first}${following}</p>`
}
