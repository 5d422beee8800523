import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Closed, Id, Nullable, OneOf, Personal } from '#src/kit/shapes.ts'

const rowStatuses = ['created', 'updated', 'unchanged', 'failed', 'skipped', 'undone', 'kept'] as const

const Finding = Closed('ImportFinding', {
  pointer: Type.String({ description: 'The field of the row (RFC 6901); empty for the row as a whole' }),
  code: Type.String(),
  message: Type.String(),
  values: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'What fills in a sentence of your own, such as the line',
    }),
  ),
})

const ImportRowView = Closed('ImportRow', {
  number: Type.Integer({ minimum: 1, description: 'The line of the file that it begins in, or the row of the sheet' }),
  status: OneOf(rowStatuses, 'What became of the row, or would: see the status of the import'),
  member_id: Nullable(Id('mem')),
  enrollment_id: Nullable(Id('enr')),
  values: Nullable(
    Personal(
      Type.Record(Type.String(), Nullable(Type.String()), {
        description:
          'The cells by the headings of their columns; null 30 days after the end, or once the person was erased',
      }),
    ),
  ),
  errors: Type.Array(Finding),
  notices: Type.Array(Finding),
  reason: Nullable(Type.String({ description: 'Why it was not undone' })),
})

/** A page of the rows of an import. */
export const ImportRowPage = PageOf(ImportRowView, 'ImportRowPage')

/** Which rows are listed. */
export const ImportRowsQuery = Type.Object({
  ...PageQuery,
  status: Type.Optional(OneOf(rowStatuses, 'Only rows with this result')),
  notice: Type.Optional(
    Type.String({ minLength: 1, maxLength: 60, description: 'Only rows with a notice of this code' }),
  ),
})
