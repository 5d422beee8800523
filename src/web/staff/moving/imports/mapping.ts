import { fieldsOfLecturers, importFields } from '#src/areas/moving/index.ts'
import type { Phrase } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatDate } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Choice, type Column, renderTable } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { type ImportShown, type ImportView, nameColumn } from './shown.ts'

const { columns: text, fields: fieldNames, formats: formatNames } = texts.staff.imports

const named: Readonly<Record<string, Phrase>> = fieldNames
const formatsByName: Readonly<Record<string, Phrase>> = formatNames

type FileColumn = NonNullable<ImportShown['format']>['columns'][number]

const IGNORE = 'ignore'
const CONSENT = 'marketing_consent'
// A column that says who gets no news is a choice of its own, since its values are the opposite.
const UNSUBSCRIBED = `${CONSENT}/withdrawn`

const findMapped = ({ mapping }: ImportShown, { index }: FileColumn) => mapping.find(({ column }) => column === index)

const toChoice = (mapped: ReturnType<typeof findMapped>): string => {
  if (mapped === undefined) return IGNORE
  return mapped.field === CONSENT && mapped.format === 'withdrawn' ? UNSUBSCRIBED : mapped.field
}

const listFields = ({ kind }: ImportShown, { isStaff }: StaffContext) =>
  importFields[kind].filter(field => isStaff || fieldsOfLecturers.includes(field))

const listChoices = ({ item, customFields }: ImportView, context: StaffContext): Choice[] => {
  const { t } = context
  return [
    { value: IGNORE, label: t(fieldNames.ignore) },
    ...listFields(item, context)
      .filter(field => field !== IGNORE)
      .flatMap(field => [
        { value: field, label: t(named[field] ?? { en: field }) },
        ...(field === CONSENT ? [{ value: UNSUBSCRIBED, label: t(text.unsubscribed) }] : []),
      ]),
    ...customFields.map(({ key, label }) => ({ value: `custom:${key}`, label: t(text.custom, { name: label }) })),
  ]
}

const fieldName = ({ index }: FileColumn): string => `field-${index}`
const formatName = (column: number): string => `format-${column}`

// What lecturers do not import is guessed all the same.
const guessedIn = (item: ImportShown, column: FileColumn, context: StaffContext): string => {
  const mapped = findMapped(item, column)
  const isOffered = context.isStaff || listFields(item, context).some(field => field === mapped?.field)
  return isOffered ? toChoice(mapped) : IGNORE
}

const chosenIn = (item: ImportShown, column: FileColumn, typed: Pairs, context: StaffContext): string =>
  formField(typed, fieldName(column)) || guessedIn(item, column, context)

// Ways to write the same that a person may have chosen, or a few values may suggest.
const ALTERNATIVES = [
  ['day_month_year', 'month_day_year'],
  ['decimal_point', 'decimal_comma'],
  ['percent', 'fraction'],
] as const

const renderAlternatives = (item: ImportShown, column: FileColumn, typed: Pairs, { t }: StaffContext): Html | false => {
  const format = findMapped(item, column)?.format
  const others = ALTERNATIVES.find(formats => formats.some(one => one === format))
  if (others === undefined) return false
  const name = formatName(column.index)
  const chosen = formField(typed, name) || format
  return html`<select id="${name}" name="${name}" aria-label="${t(text.writtenAs, { column: column.heading })}">
${others.map(value => html`<option value="${value}"${value === chosen && html` selected`}>${t(formatNames[value])}</option>\n`)}</select>`
}

const buildColumns = (view: ImportView, context: StaffContext, typed: Pairs): Column<FileColumn>[] => {
  const { t } = context
  const choices = listChoices(view, context)
  return [
    { name: text.column, kind: 'main', cell: column => html`<bdi>${nameColumn(column, context)}</bdi>` },
    {
      name: text.samples,
      cell: ({ samples }) =>
        html`<span class="quiet samples">${samples.map((sample, at) => html`${at > 0 && ' · '}<bdi>${sample}</bdi>`)}</span>`,
    },
    {
      name: text.becomes,
      cell: column => {
        const chosen = chosenIn(view.item, column, typed, context)
        const written = chosen === guessedIn(view.item, column, context) && chosen !== IGNORE
        return html`<select id="${fieldName(column)}" name="${fieldName(column)}" aria-label="${t(text.fieldOf, { column: nameColumn(column, context) })}">
${choices.map(({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>\n`)}</select>${written && renderAlternatives(view.item, column, typed, context)}`
      },
    },
  ]
}

// A day is written as people read it; another value as it was read.
const showRead = (read: string, { language }: StaffContext): string =>
  /^\d{4}-\d\d-\d\d$/.test(read) ? formatDate(read, language) : read

type Ambiguous = ImportShown['ambiguous'][number]

const renderReadings = (
  { item }: ImportView,
  { column, formats }: Ambiguous,
  context: StaffContext,
  typed: Pairs,
): Html => {
  const { t } = context
  const found = item.format?.columns.find(({ index }) => index === column)
  const name = formatName(column)
  const chosen = formField(typed, name)
  return html`<section class="card" id="${name}"><fieldset><legend>${t(text.writtenAs, { column: found === undefined ? '' : nameColumn(found, context) })}</legend>
<p class="quiet hint">${t(text.writtenHint)}</p>
<div class="choices">
${formats.map(({ format, samples }) => html`<label class="choice"><input type="radio" name="${name}" value="${format}"${format === chosen && html` checked`}><span><b>${t(formatsByName[format] ?? { en: format })}</b><small>${samples.map(({ text: written, read }, at) => html`${at > 0 && html`<br>`}${t(text.reading, { text: written, read: showRead(read, context) })}`)}</small></span></label>\n`)}</div></fieldset></section>
`
}

/** How columns are written that fit more than one reading, which is asked first, and each column with its first values and what it becomes. */
export const renderMapping = (view: ImportView, context: StaffContext, typed: Pairs = []): Html => {
  const { t } = context
  const { item } = view
  const columns = item.format?.columns ?? []
  const known = columns.filter(column => guessedIn(item, column, context) !== IGNORE).length
  return html`${item.ambiguous.map(one => renderReadings(view, one, context, typed))}<section class="card flush" aria-labelledby="columns"><header><h2 id="columns">${t(text.title)}</h2><span class="quiet">${t(item.is_mapping_guessed ? text.guessed : text.chosen, { known, all: columns.length })}</span></header>
${renderTable(context, { caption: t(text.title), columns: buildColumns(view, context, typed), rows: columns })}</section>
`
}

/** The mapping that a form says; a column keeps its format where nobody chose another and its field is the same. */
export const readMapping = (item: ImportShown, typed: Pairs, context: StaffContext) =>
  (item.format?.columns ?? []).map(column => {
    const before = findMapped(item, column)
    const chosen = chosenIn(item, column, typed, context)
    const [field = IGNORE, opposite] = chosen.split('/')
    const isSame = toChoice(before) === chosen
    const written = isSame ? formField(typed, formatName(column.index)) || before?.format : undefined
    const format = field === CONSENT ? (opposite ?? 'granted') : written
    return { column: column.index, field, ...(format && { format }) }
  })
