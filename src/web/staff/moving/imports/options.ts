import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { box, choice, fieldsFor, selectOneOrNone, words } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import type { ImportShown, ImportView } from './shown.ts'

const text = texts.staff.imports.options

type Options = ImportShown['options']

const fields = fieldsFor<Options>()(text.fields, {
  course_id: selectOneOrNone(),
  existing: choice(['update', 'skip']),
  tags: words({ most: 1100 }),
  send_invitations: box(),
  notify: box(),
  issue_certificates: box(),
  restore_deleted: box(),
  inactive: choice(['report', 'suspend']),
})

type Name = (typeof fields.names)[number]

// What only learning has, and what only a file that says who is inactive.
const namesFor = ({ kind, source, mapping }: ImportShown, isStaff: boolean): Name[] => {
  const hasStatus = kind === 'people' && (source === 'oneroster' || mapping.some(({ field }) => field === 'status'))
  return [
    ...(kind === 'learning' ? (['course_id'] as const) : []),
    ...(isStaff ? (['existing', 'tags', 'restore_deleted'] as const) : []),
    ...(isStaff && hasStatus ? (['inactive'] as const) : []),
    'send_invitations',
    ...(kind === 'learning' ? (['notify', 'issue_certificates'] as const) : []),
  ]
}

/** The options that an import can have, as the rows of a form. */
export const renderOptions = (
  { item, courses }: ImportView,
  { language, isStaff }: StaffContext,
  { typed, refusal }: { readonly typed?: Pairs | undefined; readonly refusal?: Refusal | undefined } = {},
): Html => {
  const reader = { language }
  const choices = { course_id: courses.map(({ id, name }) => ({ value: id, label: name })) }
  const stored = fields.pairs(item.options, reader)
  return html`${fields.rows({ language, typed: typed ?? stored, refusal, choices }, namesFor(item, isStaff))}`
}

/** The options that a form says. */
export const readOptions = (item: ImportShown, typed: Pairs, { language, isStaff }: StaffContext): Partial<Options> =>
  fields.body(typed, { language }, namesFor(item, isStaff))

/** The fields, for the sentence of a refusal about one of them. */
export const optionFields: Pick<typeof fields, 'sentences'> = fields
