import { changedFields } from '#src/kit/patch.ts'
import { buildFactAbout } from './fact.ts'
import type { FactType } from './fact-types.ts'
import type { WriteContext } from './operation.ts'

type Field<Values> = keyof Values & string

/** How one resource is changed. */
type RowChange<Row, Values extends object, View> = {
  /** The id of the resource on the wire. */
  readonly id: string
  /** The type of the fact that is recorded. */
  readonly fact: FactType
  /** The member whom the change is about, as a UUID. */
  readonly memberId?: string
  /** The values after the change; computed once If-Match was checked. */
  values(): Values | Promise<Values>
  /** Refuses values that cannot be stored. */
  check?(values: Values, fields: readonly Field<Values>[]): unknown
  /** Stores the values as the next revision and returns the row. */
  store(values: Values, fields: readonly Field<Values>[]): Promise<Row>
  view(row: Row): View | Promise<View>
}

/**
 * Changes a locked row: checks If-Match, stores what differs, and records the audit entry and the fact. When no field
 * differs, nothing is written and nothing is recorded. Returns the view of the row.
 */
export const changeRow = async <Row extends Values & { readonly revision: number }, Values extends object, View>(
  { requireMatch, changed, record }: Pick<WriteContext, 'requireMatch' | 'changed' | 'record'>,
  row: Row,
  change: RowChange<Row, Values, View>,
): Promise<View> => {
  await requireMatch(row.revision, () => change.view(row))
  const values = await change.values()
  const fields = changedFields<Values>(row, values)
  if (fields.length === 0) return change.view(row)
  await change.check?.(values, fields)
  const stored = await change.store(values, fields)
  const { id, fact, memberId } = change
  changed({
    ids: [id],
    fields,
    revision: stored.revision,
    ...(memberId === undefined ? {} : { memberId }),
  })
  record(buildFactAbout(fact, id, { fields }))
  return change.view(stored)
}
