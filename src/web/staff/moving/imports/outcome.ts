import type { Phrase } from '#src/contract/language.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, factList } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { csvLinks } from '../../csv.ts'
import { renderPart } from '../../pages/list-page.ts'
import { importPath } from './kinds.ts'
import type { Findings, ImportShown, NewRows } from './shown.ts'

const { outcome: text, codes } = texts.staff.imports

const sentences: Readonly<Record<string, Phrase>> = codes

type Finding = Findings[number]
type FoundRow = Finding['first'][number]
type NewRow = NewRows[number]

const fieldIn = ({ pointer }: Pick<Finding, 'pointer'>): string => pointer.slice(1).replace(/_id$/, '')

/** What a finding means and what to do about it. */
const sentenceFor = (finding: Finding): Phrase =>
  [`${finding.code} ${fieldIn(finding)}`, finding.code, fieldIn(finding)].flatMap(key => sentences[key] ?? [])[0] ??
  codes.other

// The cell of the file that became a field.
const findCell = (item: ImportShown, { cells }: FoundRow, field: string): string => {
  const mapped = item.mapping.find(one => one.field === field)
  return (mapped && cells?.[mapped.column]) ?? ''
}

// The list of rows names cells by their headings.
const findValue = ({ format, mapping }: ImportShown, { values }: NewRow, field: string): string => {
  const mapped = mapping.find(one => one.field === field)
  const column = format?.columns.find(({ index }) => index === mapped?.column)
  return (column && values?.[column.heading || `column ${column.index + 1}`]) ?? ''
}

const namePerson = (item: ImportShown, row: FoundRow): string =>
  ['email', 'name', 'first_name', 'external_id'].map(field => findCell(item, row, field)).find(cell => cell !== '') ??
  '–'

const buildColumns = (item: ImportShown, finding: Finding, context: StaffContext): Column<FoundRow>[] => {
  const { t, language, isStaff } = context
  const field = fieldIn(finding)
  const hasCell = field !== '' && field !== 'email' && item.mapping.some(one => one.field === field)
  return [
    {
      name: text.line,
      kind: 'lead',
      cell: ({ number, duplicate_of: same }) =>
        html`${t(text.row, { n: formatNumber(number, language) })}${same !== null && html`<small class="sub">${t(text.sameAs, { n: formatNumber(same, language) })}</small>`}`,
    },
    {
      name: text.person,
      kind: 'main',
      cell: row => {
        const name = html`<bdi>${namePerson(item, row)}</bdi>`
        return row.member_id === null || item.status === 'checked' || !isStaff
          ? name
          : html`<a href="/staff/people/${row.member_id}">${name}</a>`
      },
    },
    ...(hasCell
      ? [
          {
            name: text.value,
            isNamed: true,
            cell: (row: FoundRow) => html`<bdi>${findCell(item, row, field)}</bdi>`,
          },
        ]
      : []),
  ]
}

const renderFinding = (item: ImportShown, finding: Finding, context: StaffContext): Html => {
  const { t, language } = context
  const { kind, code, first, rows } = finding
  const more = rows - first.length
  return renderPart(context, {
    isWithin: true,
    id: `${kind}-${code}-${fieldIn(finding)}`.replace(/[^a-z0-9]+/gi, '-').replace(/-$/, ''),
    title: t(sentenceFor(finding)),
    link: html`<span class="count">${formatNumber(rows, language)}</span>`,
    columns: buildColumns(item, finding, context),
    rows: first,
    below: more > 0 && t(texts.words.andMore, { n: more }),
  })
}

const groups = [
  ['error', text.errors],
  ['notice', text.notices],
  ['reason', text.reasons],
] as const

/** What is wrong or to be known of the rows, grouped by what it is, with the first rows of each. */
export const renderFindings = (item: ImportShown, findings: Findings, context: StaffContext): Html =>
  html`${groups.map(([kind, title]) => {
    const own = findings.filter(one => one.kind === kind)
    return (
      own.length > 0 && html`<h2>${context.t(title)}</h2>\n${own.map(finding => renderFinding(item, finding, context))}`
    )
  })}`

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
  const shown = facts.filter(([, n], at) => n > 0 || at === 0)
  return html`<div class="counts">${factList(shown.map(([name, n]) => [t(name), count(n)]))}</div>`
}

const linkNew = (item: ImportShown, { member_id: member, enrollment_id: enrollment }: NewRow): string | undefined => {
  if (item.status === 'checked') return undefined
  if (item.kind === 'people') return member === null ? undefined : `/staff/people/${member}`
  return enrollment === null ? undefined : `/staff/students/${enrollment}`
}

const renderNewName = (item: ImportShown, row: NewRow): Html => {
  const [email, ...names] = ['email', 'name', 'first_name', 'last_name'].map(field => findValue(item, row, field))
  const name = names.filter(part => part !== '').join(' ')
  const [shown, below] = name === '' ? [email, ''] : [name, email]
  const href = linkNew(item, row)
  return html`${href === undefined ? html`<bdi>${shown}</bdi>` : html`<a href="${href}"><bdi>${shown}</bdi></a>`}${below && html`<small class="sub"><bdi>${below}</bdi></small>`}`
}

/** The first rows that are new, or would be, as long as the import still has their values. */
export const renderNew = (item: ImportShown, rows: NewRows, context: StaffContext): Html | false => {
  const { t, language } = context
  const more = item.counts.created - rows.length
  const hasCourse = item.mapping.some(({ field }) => field === 'course')
  const columns: readonly Column<NewRow>[] = [
    { name: text.line, kind: 'lead', cell: ({ number }) => t(text.row, { n: formatNumber(number, language) }) },
    { name: text.person, kind: 'main', cell: row => renderNewName(item, row) },
    ...(hasCourse
      ? [{ name: texts.words.course, cell: (row: NewRow) => html`<bdi>${findValue(item, row, 'course')}</bdi>` }]
      : []),
  ]
  const shown = rows.filter(({ values }) => values !== null)
  return (
    shown.length > 0 &&
    renderPart(context, {
      id: 'new',
      title: t(item.kind === 'people' ? text.created : text.createdLearning),
      link: html`<span class="count">${formatNumber(item.counts.created, language)}</span>`,
      columns,
      rows: shown,
      below: more > 0 && t(texts.words.andMore, { n: more }),
    })
  )
}

/** Who started an import, and when. */
export const renderStarter = ({ started_by: starter, started_at: at }: ImportShown, { t, day }: StaffContext): Html =>
  html`<div class="counts">${factList([
    [t(text.startedBy), starter?.name],
    [t(text.startedAt), at === null ? undefined : day(at)],
  ])}</div>\n`

/** Links to the report: the columns of the file, with the result of each row and why. */
export const renderReport = ({ kind, id }: ImportShown, context: StaffContext): Html =>
  csvLinks(`${importPath(kind, id)}/csv`, { ...context, label: text.report })
