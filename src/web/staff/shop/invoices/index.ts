import type { Static } from 'typebox'
import { bytesOfFile } from '#src/areas/files/index.ts'
import { InvoiceFiles, InvoiceMonth, InvoicePage } from '#src/areas/shop/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { recordChange } from '#src/db/audit.ts'
import { writeZip } from '#src/kit/archive/zip.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatDate, formatMonth, formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { fromId } from '#src/kit/ids.ts'
import { daysAfter } from '#src/kit/local-time.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, form, hidden, page, renderName, requireRecentProof } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { showList } from '../../pages/list-page.ts'
import type { StaffSection } from '../../section.ts'

const { invoices: text, heads } = texts.staff.lists

const PATH = '/staff/invoices'
// Documents are a page or a few; a larger file is none of ours.
const MAX_BYTES = 20_000_000

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/

const findMonthBefore = (month: string): string => daysAfter(`${month}-01`, -1).slice(0, 7)
const findMonthAfter = (month: string): string => daysAfter(`${month}-28`, 4).slice(0, 7)

const buildList = (month: string) =>
  createList({
    path: PATH,
    operation: 'listInvoices',
    returns: InvoicePage,
    query: [
      ['issued_on[gte]', `${month}-01`],
      ['issued_on[lt]', `${findMonthAfter(month)}-01`],
    ],
    sort: '-created_at',
    filters: { month: undefined, number: 'search', kind: text.kinds },
    asQuery: { month: () => [] },
    texts: {
      filters: { month: text.month, number: text.number, kind: heads.kind },
      all: texts.words.invoices,
      none: text.none,
      empty: text.empty,
    },
  })

type InvoiceShown = Encoded<Static<typeof InvoicePage>>['data'][number]

const buildColumns = (context: StaffContext): Column<InvoiceShown>[] => {
  const { t, money, language } = context
  // What a credit note corrects is taken off.
  const amount = ({ kind, currency }: InvoiceShown, value: number): string =>
    money(kind === 'credit_note' ? 0 - value : value, currency)
  return [
    {
      name: text.number,
      kind: 'main',
      cell: ({ number, kind, file, buyer }) => {
        const about = [kind === 'credit_note' && t(text.kinds.credit_note), buyer?.company ?? buyer?.name]
          .filter(part => part)
          .join(' · ')
        return file === null
          ? html`<bdi>${number}</bdi>${about !== '' && html`<small class="sub"><bdi>${about}</bdi></small>`}`
          : renderName(file.url, number, about)
      },
    },
    {
      name: texts.words.order,
      cell: ({ order_number: number }) => html`<a href="/staff/orders/${number}"><bdi>${number}</bdi></a>`,
    },
    {
      name: texts.words.status,
      kind: 'low',
      cell: ({ print_state: state }) => statusPill(t(text.states[state]), state),
    },
    {
      name: texts.words.date,
      kind: 'date',
      cell: ({ issued_on: day }) => html`<time datetime="${day}">${formatDate(day, language, 'short')}</time>`,
    },
    { name: text.net, kind: 'num c-low', cell: one => amount(one, one.net_total) },
    { name: texts.words.tax, kind: 'num c-low', cell: one => amount(one, one.tax_total) },
    { name: texts.words.total, kind: 'num c-lead', cell: one => amount(one, one.total) },
  ]
}

// The report of the taxes for the same days.
const buildTaxAddress = (month: string): string => {
  const last = daysAfter(`${findMonthAfter(month)}-01`, -1)
  return `/staff/analytics/reports/tax?${new URLSearchParams({ from: `${month}-01`, to: last })}`
}

type MonthShown = Encoded<Static<typeof InvoiceMonth>>

const renderSums = ({ month, sums, missing_count: missing }: MonthShown, context: StaffContext): Html => {
  const { t, money, language } = context
  const link = (to: string): Html =>
    html`<a class="button small" href="${PATH}?month=${to}">${formatMonth(to, language)}</a>`
  const stat = (name: string, value: string, about: string | false = false): Html =>
    html`<div class="stat"><span class="quiet">${name}</span><b>${value}</b>${about !== false && html`<small>${about}</small>`}</div>\n`
  return html`<section class="card" aria-labelledby="month">
<header><h2 id="month">${formatMonth(month, language)}</h2><span class="row">${link(findMonthBefore(month))}${link(findMonthAfter(month))}<a class="button small" href="${buildTaxAddress(month)}">${t(text.tax)}</a></span></header>
${sums.map(
  ({ currency, invoice_count: n, credit_note_count: credits, ...sum }) => html`<div class="stats">
${stat(t(texts.words.total), money(sum.total, currency))}${stat(t(text.net), money(sum.net_total, currency))}${stat(t(texts.words.tax), money(sum.tax_total, currency))}${stat(t(texts.words.invoices), formatNumber(n, language), credits > 0 && t(text.credits, { n: credits }))}</div>
`,
)}${missing > 0 && html`<p class="quiet">${t(text.missing, { n: missing })}</p>`}</section>
`
}

const show = async (context: StaffContext): Promise<Reply> => {
  const { t, call, query, form: readForm } = context
  const typed = query.get('month') ?? ''
  // The present month, unless the address names one.
  const sums = await call({
    operation: 'getInvoiceMonth',
    query: MONTH.test(typed) ? [['month', typed]] : [],
    returns: InvoiceMonth,
  })
  const list = buildList(sums.month)
  const shown = await list.read(context)
  const listed = showList(context, list, shown, { columns: buildColumns(context), rows: shown.page.data })
  return context.frame({
    title: t(texts.words.invoices),
    ...listed,
    actions:
      sums.printed_count > 0
        ? readForm(
            html`${hidden({ month: sums.month })}<button class="main" type="submit">${t(text.files)}</button>`,
            PATH,
          )
        : undefined,
    body: html`${renderSums(sums, context)}${listed.body}`,
  })
}

// One file after the other is read, so that a month of many takes no more memory than one of few.
async function* readFiles(
  { request, parts, school }: StaffContext,
  files: Encoded<Static<typeof InvoiceFiles>>['files'],
) {
  const place = { database: request.database, school, files: parts.files }
  for (const { number, file_id: id } of files) {
    const bytes = await bytesOfFile(place, fromId('fil', id) ?? id, MAX_BYTES)
    if (bytes !== undefined) yield { name: `${number.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.pdf`, bytes }
  }
}

const sendFiles = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const { request, session, school } = context
  // As a file of people (decision 281), and the audit log records who took it.
  requireRecentProof(session)
  const month = formField(typed, 'month')
  const call = { operation: 'listInvoiceFiles', query: [['month', month]] as const, returns: InvoiceFiles }
  const { files } = await context.call(call)
  await request.database.transaction(school.id, (db, now) => {
    const by = { requestId: request.requestId, memberId: session.member.id, clientId: undefined }
    const source = { schoolId: school.id, now, operation: call.operation, ...by }
    return recordChange(db, source, { ids: [], fields: ['files'] })
  })
  return {
    status: 200,
    headers: {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="invoices-${month}.zip"`,
      'cache-control': 'no-store',
    },
    body: writeZip(readFiles(context, files)),
  }
}

/** GET and POST /staff/invoices: the invoices and credit notes of a month with their sums, and their files as one archive. */
export const invoices: StaffSection = {
  pages: [page(`GET ${PATH}`, staff, show), form(`POST ${PATH}`, staff, sendFiles)],
}
