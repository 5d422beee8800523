import type { Static } from 'typebox'
import type { Import, ImportFindings, ImportRowPage } from '#src/areas/moving/index.ts'
import { CustomFieldPage } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext, TeacherContext } from '../../audience.ts'
import { pill } from '../../console/frame.ts'

/** An import as the API shows it. */
export type ImportShown = Encoded<Static<typeof Import>>

/** What was found of its rows. */
export type Findings = Encoded<Static<typeof ImportFindings>>['findings']

/** The first rows that are new, or would be. */
export type NewRows = Encoded<Static<typeof ImportRowPage>>['data']

/** A custom field of the people of the school. */
type CustomField = Encoded<Static<typeof CustomFieldPage>>['data'][number]

/** An import with what was found of its rows, the first that are new, the custom fields of people, and the courses that somebody may choose. */
export type ImportView = {
  readonly item: ImportShown
  readonly customFields: readonly CustomField[]
  readonly courses: TeacherContext['courses']
  readonly findings: Findings
  readonly created: NewRows
}

const pillKinds = {
  reading: 'info',
  unreadable: 'bad',
  ready: 'warn',
  checking: 'info',
  checked: 'warn',
  running: 'info',
  stopped: 'bad',
  completed: 'good',
  undoing: 'info',
  undone: 'plain',
} as const

/** The status of an import in a few words. */
export const importPill = ({ status }: ImportShown, { t }: StaffContext): Html =>
  pill(t(texts.staff.imports.common.statuses[status]), pillKinds[status])

/** The custom fields to which columns can be mapped, which only staff have. */
export const readCustomFields = async ({ call, isStaff }: StaffContext): Promise<ImportView['customFields']> =>
  isStaff
    ? (await call({ operation: 'listCustomFields', query: [['limit', '100']], returns: CustomFieldPage })).data
    : []

/** What a column is called: its heading, or its number where it has none. */
export const nameColumn = (
  { index, heading }: { readonly index: number; readonly heading: string },
  { t }: StaffContext,
): string => heading || t(texts.staff.imports.columns.unnamed, { n: index + 1 })
