import Type, { type Static, type TInteger, type TProperties, type TSchema } from 'typebox'
import { Closed, OneOf } from '#src/kit/shapes.ts'
import { cleanValue, compileCheck, fieldErrors } from './check.ts'
import { decode } from './codec.ts'
import type { FieldError } from './problem.ts'

/** How many rows a batch can have. */
export const MAX_ROWS = 1000

/** The statuses of the rows of an import, which creates what is new and updates what exists. */
export const importStatuses = ['created', 'updated', 'unchanged', 'failed'] as const

/** The rows of a batch in its body, where any object is a row; `decodeRows` checks each by the schema of a row. */
export const BatchRows = (row: TSchema & { readonly title?: string }) =>
  Type.Array(Type.Record(Type.String({ maxLength: 64 }), Type.Unknown()), {
    minItems: 1,
    maxItems: MAX_ROWS,
    description: `Each as ${row.title}; a row that fails does not affect the others`,
  })

const RowErrors = Type.Unsafe<readonly FieldError[]>(
  Type.Array(
    Closed('BatchRowError', {
      pointer: Type.String({ description: 'Where in the row (RFC 6901); empty for the row as a whole' }),
      code: Type.String(),
      message: Type.String(),
    }),
  ),
)

const buildCounts = <Status extends string>(statuses: readonly Status[]) =>
  Object.fromEntries(statuses.map(status => [status, Type.Integer({ minimum: 0 })])) as Record<Status, TInteger>

/** The response to a batch without rows: how many resources have each status. */
export const BatchCounts = <Status extends string>(title: string, statuses: readonly Status[]) =>
  Type.Object(buildCounts(statuses), { additionalProperties: false, title })

/** The response to a batch of rows: how many have each status, and the result of each row with its status and ids. */
export const BatchResponse = <const Statuses extends readonly string[], Ids extends TProperties>(
  name: string,
  { statuses, ids }: { readonly statuses: Statuses; readonly ids: Ids },
) => {
  const result = Closed(`${name}Result`, {
    pointer: Type.String({ description: 'Where the row is in the body (RFC 6901), such as /rows/0' }),
    status: OneOf(statuses, 'The result of the row'),
    ...ids,
    errors: Type.Optional(RowErrors),
  })
  return Closed(`${name}Response`, { ...buildCounts<Statuses[number]>(statuses), results: Type.Array(result) })
}

/** A row that fails, and why. */
export type FailedRow = { readonly status: 'failed'; readonly errors: readonly FieldError[] }

/** A row that fails for one reason; the pointer is that of a field in the row. */
export const failed = (pointer: string, code: string, message: string): FailedRow => ({
  status: 'failed',
  errors: [{ pointer, code, message }],
})

/** Whether a row failed; no schema of a row has a field `errors`. */
export const isFailed = (row: object): row is FailedRow => 'errors' in row

/** The rows of a batch as handlers get them; a row that does not fit its schema fails with up to 20 errors. */
export const decodeRows = <Row extends TSchema>(schema: Row, rows: readonly unknown[]): (Static<Row> | FailedRow)[] =>
  rows
    .map(row => cleanValue(schema, row))
    .map(row =>
      compileCheck(schema).Check(row)
        ? (decode(schema, row) as Static<Row>)
        : { status: 'failed', errors: fieldErrors(schema, row) },
    )

/** Whether a row has a status, as a type guard. */
export const hasStatus =
  <Status extends string>(status: Status) =>
  <Row extends { readonly status: string }>(row: Row): row is Extract<Row, { readonly status: Status }> =>
    row.status === status

/** The pointer (RFC 6901) of a row in the list of a body. */
export const rowPointer = (list: string, index: number): string => `/${list}/${index}`

/** The result of a row as it is sent: its status, its ids, and the errors of a row that failed. */
export const rowResult = <Status extends string, Ids extends object>(
  pointer: string,
  { status, errors }: { readonly status: Status; readonly errors?: readonly FieldError[] },
  ids: Ids,
) => ({ pointer, status, ...ids, ...(errors === undefined ? {} : { errors }) })

/** The response to a batch: how many rows have each status, and the results in the order of the rows. */
export const batchResponse = <Status extends string, Result extends { readonly status: Status }>(
  statuses: readonly Status[],
  results: readonly Result[],
) => {
  const count = (status: Status): number => results.filter(result => result.status === status).length
  const counts = Object.fromEntries(statuses.map(status => [status, count(status)])) as Record<Status, number>
  return { ...counts, results: [...results] }
}
