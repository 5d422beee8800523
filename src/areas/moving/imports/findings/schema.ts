import Type from 'typebox'
import { Closed, Id, Nullable, OneOf } from '#src/kit/shapes.ts'

/** What can be found of a row: why it failed, what is to be known, and why it was not undone. */
const findingKinds = ['error', 'notice', 'reason'] as const

const FoundRow = Closed('ImportFoundRow', {
  number: Type.Integer({ minimum: 1 }),
  member_id: Nullable(Id('mem')),
  duplicate_of: Nullable(Type.Integer({ description: 'The row before it that is about the same person' })),
  cells: Nullable(Type.Array(Nullable(Type.String()), { description: 'By the indices of the columns' })),
})

const Finding = Closed('ImportFindingCount', {
  kind: OneOf(findingKinds, 'Why rows failed, what is to be known of them, or why they were not undone'),
  code: Type.String(),
  pointer: Type.String({ description: 'The field of the rows (RFC 6901); empty for the rows as a whole' }),
  rows: Type.Integer({ minimum: 1, description: 'How many rows have it' }),
  first: Type.Array(FoundRow, { description: 'The first of these rows, at most ten' }),
})

/** What was found of the rows of an import, the most frequent first. */
export const ImportFindings = Closed('ImportFindings', { findings: Type.Array(Finding) })
