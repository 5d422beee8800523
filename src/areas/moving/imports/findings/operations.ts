import type { Static } from 'typebox'
import { isStaff } from '#src/contract/caller.ts'
import { exampleFrom } from '#src/contract/example.ts'
import { type AsCaller, operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'
import { getImport } from '../access.ts'
import type { Kind } from '../import/schema.ts'
import { ImportRef } from '../import/schema.ts'
import { type FoundRow, listFound } from './queries.ts'
import { ImportFindings } from './schema.ts'

const groupRows = (found: readonly FoundRow[], maySee: boolean): Static<typeof ImportFindings>['findings'] =>
  [...Map.groupBy(found, ({ kind, code, pointer }) => JSON.stringify([kind, code, pointer])).values()].flatMap(same => {
    const [one] = same
    if (one === undefined) return []
    const { kind, code, pointer, rows } = one
    const first = same.map(({ number, member_id, is_disclosed, duplicate_of, cells }) => ({
      number,
      member_id: maySee || is_disclosed ? member_id : null,
      duplicate_of,
      cells: cells && [...cells],
    }))
    return [{ kind, code, pointer, rows, first }]
  })

const readFindings = async (context: AsCaller, kind: Kind, id: string): Promise<Static<typeof ImportFindings>> => {
  const { id: importId } = await getImport(context, kind, id)
  return { findings: groupRows(await listFound(context.db, context.school.id, importId), isStaff(context.caller)) }
}

// The operator sees what commands write.
const noConsole = (): Refusal => new Refusal(roleRequired, 'The operator has no console.')

const description =
  'Returns why rows failed, what is to be known of others, and why some were not undone, each with the number of its rows and the first ten.'

const getMemberImportFindings = operation({
  id: 'getMemberImportFindings',
  summary: 'Get what was found of the rows of an import',
  description,
  who: 'staff',
  mode: 'read',
  params: ImportRef,
  returns: ImportFindings,
  example: { params: { import_id: exampleFrom('imp', 'listMemberImports') } },
  async handle(context) {
    const { caller, params } = context
    const { member } = caller
    if (member === undefined) throw noConsole()
    return readFindings({ ...context, caller: { ...caller, member } }, 'people', params.import_id)
  },
})

const getEnrollmentImportFindings = operation({
  id: 'getEnrollmentImportFindings',
  summary: 'Get what was found of the rows of an import of enrollments',
  description,
  who: 'lecturer_of',
  mode: 'read',
  params: ImportRef,
  returns: ImportFindings,
  example: { params: { import_id: exampleFrom('imp', 'listEnrollmentImports') } },
  async handle(context) {
    const { caller, params } = context
    const { member } = caller
    if (member === undefined) throw noConsole()
    return readFindings({ ...context, caller: { ...caller, member } }, 'learning', params.import_id)
  },
})

/** What pages show of the rows of imports; no app can call it. */
export const findingOperations = [getMemberImportFindings, getEnrollmentImportFindings]
