import { csvDialects } from '#src/contract/csv.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { ExportCall } from '#src/contract/page-call.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { type Pairs, writePairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { numberFormat } from '#src/kit/intl.ts'
import { texts } from '#src/texts/index.ts'
import { atPage, page } from '#src/web/page/index.ts'
import { staff } from './audience.ts'
import type { StaffPagesParts } from './parts.ts'
import type { StaffSection } from './section.ts'

type Dialect = ExportCall['dialect']

const text = texts.staff.csv

/** How spreadsheets in the language of the school read numbers. */
const dialectFor = ({ locale }: Pick<School, 'locale'>): Dialect =>
  numberFormat(locale, {}).format(1.5).includes(',') ? 'spreadsheet_semicolon' : 'spreadsheet'

const dialectIn = (request: EndpointRequest): Dialect => {
  const chosen = new URLSearchParams(request.query).get('dialect')
  return csvDialects.find(dialect => dialect === chosen) ?? dialectFor(request.school)
}

/** A list as CSV, in the dialect that the address names, or the usual one of the school. */
export const exportList = (
  { request, session, parts }: { request: EndpointRequest; session: Session; parts: Pick<StaffPagesParts, 'exportAs'> },
  call: Omit<ExportCall, 'dialect'>,
): Promise<Reply> => parts.exportAs(atPage(request, session), { ...call, dialect: dialectIn(request) })

/** Links to a list as CSV: in the usual dialect of the school, and beside it in the others. */
export const csvLinks = (
  href: string,
  { school, language, label = text.download }: { school: School; language: Language; label?: Phrase },
): Html => {
  const usual = dialectFor(school)
  const others = csvDialects.filter(dialect => dialect !== usual).reverse()
  const buildHref = (dialect: Dialect): string => `${href}${href.includes('?') ? '&' : '?'}dialect=${dialect}`
  return html`<p><a href="${href}">${fill(label, language)}</a> <span class="quiet">(${fill(text[usual], language)}; ${others.map((dialect, at) => html`${at > 0 && ', '}<a href="${buildHref(dialect)}">${fill(text[dialect], language)}</a>`)})</span></p>`
}

// A file has every row.
const NOT_IN_FILE = ['cursor', 'limit', 'include_total']

/** Links to a list as CSV, by the operation that lists it and its filter. */
export const downloadLinks = (
  operation: string,
  at: { readonly school: School; readonly language: Language; readonly label?: Phrase },
  filter: Pairs = [],
): Html => {
  const given = filter.filter(([name, value]) => value !== '' && !NOT_IN_FILE.includes(name))
  return csvLinks(given.length === 0 ? `/staff/csv/${operation}` : `/staff/csv/${operation}?${writePairs(given)}`, at)
}

/** GET /staff/csv/:operation: every list that the console shows, with the filter and the order of its page. */
export const csvDownloads: StaffSection = {
  pages: [
    page('GET /staff/csv/:operation', staff, context => {
      const query = [...new URLSearchParams(context.request.query)].filter(([name]) => name !== 'dialect')
      return exportList(context, { operation: context.request.params.operation ?? '', query })
    }),
  ],
}
