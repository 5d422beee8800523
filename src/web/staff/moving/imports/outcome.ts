import { ImportRowPage } from '#src/areas/moving/index.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Pairs } from '#src/kit/form.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, factList } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { csvLinks } from '../../csv.ts'
import { renderPart } from '../../pages/list-page.ts'
import { importPath, kinds } from './kinds.ts'
import { type ImportShown, nameColumn, type RowShown } from './shown.ts'

const { outcome: text, codes } = texts.staff.imports

const sentences: Readonly<Record<string, Phrase>> = codes

type Finding = ImportShown['findings'][number]

// The most findings of which rows are shown, and the rows of each.
const FINDINGS_SHOWN = 20
const ROWS_SHOWN = '10'

const fieldIn = ({ pointer }: Pick<Finding, 'pointer'>): string => pointer.slice(1).replace(/_id$/, '')

/** What a finding means and what to do about it. */
const sentenceFor = (finding: Finding): Phrase =>
  [`${finding.code} ${fieldIn(finding)}`, finding.code, fieldIn(finding)].flatMap(key => sentences[key] ?? [])[0] ??
  codes.other

const queryFor = ({ code, pointer, kind }: Finding): Pairs => [
  [kind === 'reason' ? 'reason' : kind, code],
  ...(kind === 'reason' ? [] : [['pointer', pointer] as const]),
  ['limit', ROWS_SHOWN],
]

const readRows = async (item: ImportShown, finding: Finding, { call }: StaffContext): Promise<readonly RowShown[]> =>
  (
    await call({
      operation: kinds[item.kind].rows,
      params: { import_id: item.id },
      query: queryFor(finding),
      returns: ImportRowPage,
    })
  ).data

// The cell of the file that became a field.
const cellOf = (item: ImportShown, { values }: RowShown, field: string, context: StaffContext): string => {
  const mapped = item.mapping.find(one => one.field === field)
  const column = item.format?.columns.find(({ index }) => index === mapped?.column)
  return column === undefined ? '' : (values?.[nameColumn(column, context)] ?? values?.[column.heading] ?? '')
}

const namePerson = (item: ImportShown, row: RowShown, context: StaffContext): string =>
  ['email', 'name', 'first_name', 'external_id']
    .map(field => cellOf(item, row, field, context))
    .find(cell => cell !== '') ?? '–'

const buildColumns = (item: ImportShown, finding: Finding, context: StaffContext): Column<RowShown>[] => {
  const field = fieldIn(finding)
  const hasCell = field !== '' && field !== 'email' && item.mapping.some(one => one.field === field)
  return [
    { name: text.line, kind: 'lead', cell: ({ number }) => formatNumber(number, context.language) },
    {
      name: text.person,
      kind: 'main',
      cell: row => {
        const name = html`<bdi>${namePerson(item, row, context)}</bdi>`
        return row.member_id === null || !context.isStaff
          ? name
          : html`<a href="/staff/people/${row.member_id}">${name}</a>`
      },
    },
    ...(hasCell
      ? [
          {
            name: text.value,
            isNamed: true,
            cell: (row: RowShown) => html`<bdi>${cellOf(item, row, field, context)}</bdi>`,
          },
        ]
      : []),
  ]
}

const renderFinding = async (item: ImportShown, finding: Finding, context: StaffContext): Promise<Html> => {
  const { t } = context
  const rows = await readRows(item, finding, context)
  const id = `${finding.kind}-${finding.code}-${fieldIn(finding)}`.replace(/[^a-z0-9]+/gi, '-').replace(/-$/, '')
  const more = finding.rows - rows.length
  return html`${renderPart(context, {
    id,
    title: t(sentenceFor(finding)),
    link: html`<span class="count">${formatNumber(finding.rows, context.language)}</span>`,
    columns: buildColumns(item, finding, context),
    rows,
    below: more > 0 && t(texts.words.andMore, { n: more }),
  })}`
}

const groups = [
  ['error', text.errors],
  ['notice', text.notices],
  ['reason', text.reasons],
] as const

/** What is wrong or to be known of the rows, grouped by what it is, with the first rows of each. */
export const renderFindings = async (item: ImportShown, context: StaffContext): Promise<Html> => {
  const { t } = context
  const shown = item.findings.slice(0, FINDINGS_SHOWN)
  const parts = await Promise.all(shown.map(finding => renderFinding(item, finding, context)))
  return html`${groups.map(([kind, title]) => {
    const own = parts.filter((_, at) => shown[at]?.kind === kind)
    return own.length > 0 && html`<h2>${t(title)}</h2>\n${own}`
  })}`
}

/** How many rows have each result. */
export const renderCounts = ({ kind, counts }: ImportShown, { t, language }: StaffContext): Html => {
  const count = (n: number): string => formatNumber(n, language)
  const { created, updated, unchanged, failed, skipped } = counts

  const facts: readonly (readonly [Phrase, number])[] = [
    [kind === 'people' ? text.created : text.createdLearning, created],
    [text.updated, updated],
    [text.unchanged, unchanged],
    [text.skipped, skipped],
    [text.failed, failed],
  ]
  return factList(facts.filter(([, n], at) => n > 0 || at === 0).map(([name, n]) => [t(name), count(n)]))
}

/** Links to the report: the columns of the file, with the result of each row and why. */
export const renderReport = ({ kind, id }: ImportShown, context: StaffContext): Html =>
  csvLinks(`${importPath(kind, id)}/csv`, { ...context, label: text.report })
