import type { Field } from '#src/areas/publishing/forms/index.ts'
import type { Cell } from '#src/contract/operation.ts'
import { toId } from '#src/kit/ids.ts'
import type { StoredAnswer } from './schema.ts'

type Version = { readonly number: number; readonly fields: readonly Field[] }

/** A field as a column: its id, which no version changes, and its label in the newest version that has it. */
type AnswerColumn = { readonly id: string; readonly name: string }

/** A column for each field of any version, in the order in which the versions introduced them. */
export const listColumns = (versions: readonly Version[]): AnswerColumn[] => {
  const labels = new Map<string, string>()
  for (const { fields } of versions) for (const { id, label } of fields) labels.set(id, label)
  return [...labels].map(([id, label]) => ({ id, name: `${label} (${id})` }))
}

/** An answer as one cell: ids of options joined by commas, and a file by its id. */
export const formatCell = ({ type, value }: StoredAnswer): Cell => {
  if (typeof value === 'object') return value.join(', ')
  return type === 'file' ? toId('fil', String(value)) : value
}
