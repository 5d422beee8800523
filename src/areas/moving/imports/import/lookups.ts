import type { Static } from 'typebox'
import type { ReadContext } from '#src/contract/operation.ts'
import { readList } from '#src/db/list.ts'
import { readVisible } from '../access.ts'
import { importList } from './queries.ts'
import type { ImportsQuery, Kind } from './schema.ts'
import { importView } from './views.ts'

/** The context of a list of imports. */
export type ImportsReading = ReadContext & { readonly query: Static<typeof ImportsQuery> }

/** A page of the imports that the caller may see. */
export const listImports = async (context: ImportsReading, kind: Kind) => {
  const visible = await readVisible(context, kind)
  return readList(context, importList(context.school.id, visible, context.query.status), rows =>
    rows.map(row => importView(context, row)),
  )
}
