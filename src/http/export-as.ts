import type { Caller } from '#src/contract/caller.ts'
import type { AnyOperation } from '#src/contract/operation.ts'
import { isRouted } from '#src/contract/operation.ts'
import type { ExportAsPerson, ExportCall, SignedInPerson } from '#src/contract/page-call.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type AnyCells, cellsOfItems, isOfPeople, listColumns } from './csv.ts'
import { isPage } from './fields.ts'
import { createHandlerRun } from './handler-run.ts'
import {
  buildDeps,
  buildOperationCall,
  createCallers,
  type PageCallDeps,
  type Parts,
  type Performer,
  read,
  refuseViewed,
} from './perform-as.ts'
import { type CsvRows, csvReply, declaredRows, listName } from './read.ts'
import { requireProof } from './who.ts'

const refuseVisitor = async (): Promise<never> => {
  throw new Error('nobody writes here')
}

type ListPage = { readonly data: readonly unknown[]; readonly next_cursor?: string }

// Reads the pages of a list that declares no columns, as the person reads it; the first one before anything is sent.
const readPages = async (deps: PageCallDeps, performer: Performer, operation: AnyOperation, call: ExportCall) => {
  const hasPages = Object.hasOwn(operation.query?.properties ?? {}, 'cursor')
  const readPage = (more: Pairs): Promise<ListPage> =>
    read(deps, performer, operation, { ...call, query: [...(call.query ?? []), ...more] }) as Promise<ListPage>
  const most: Pairs = hasPages ? [['limit', '100']] : []
  const first = await readPage(most)
  return (async function* () {
    let page = first
    yield page.data
    while (page.next_cursor !== undefined) {
      page = await readPage([...most, ['cursor', page.next_cursor]])
      yield page.data
    }
  })()
}

const cellsOfPage = (operation: AnyOperation): AnyCells => {
  if (!isPage(operation)) throw noSuchList()
  return cellsOfItems(operation)
}

// A file with people is given out after a recent proof, which then counts for longer.
const proveForPeople = async (person: SignedInPerson, caller: Caller): Promise<void> => {
  requireProof('recent', caller)
  await person.extendProof()
}

const noSuchList = (): Refusal => new Refusal(notFound, 'There is no such list.')

// The address of a download has the parameters of the path among the others.
const withParams = ({ params: declared }: AnyOperation, call: ExportCall): ExportCall => {
  const given = call.query ?? []
  const isParam = (name: string): boolean => Object.hasOwn(declared?.properties ?? {}, name)
  const params = { ...Object.fromEntries(given.filter(([name]) => isParam(name))), ...call.params }
  return { ...call, params, query: given.filter(([name]) => !isParam(name)) }
}

/** Exports lists for people on the pages of the school. */
export const createExportAsPerson = (parts: Parts): ExportAsPerson => {
  const deps = buildDeps(parts)
  const buildCaller = createCallers(parts)
  return async (person, call) => {
    const { school, requestId, network, member } = person
    const caller = buildCaller(member, person.hasRecentProof)
    const performer = { school, requestId, network, caller, lockCaller: refuseVisitor }
    const operation = deps.operations.get(call.operation)
    if (operation === undefined || operation.mode !== 'read') throw noSuchList()
    if (person.isViewed === true) refuseViewed(operation)
    const listed = withParams(operation, call)
    const operationCall = buildOperationCall(deps, performer, operation, listed, caller)
    const columns = isRouted(operation) && operation.csv ? listColumns(operation) : Object.keys(cellsOfPage(operation))
    if (isOfPeople(operation, columns)) await proveForPeople(person, caller)
    const rows: CsvRows =
      isRouted(operation) && operation.csv !== undefined
        ? await declaredRows(deps.database, { operation, school }, createHandlerRun(operationCall))
        : {
            cells: cellsOfPage(operation),
            columns,
            name: listName(operation),
            readRows: () => readPages(deps, performer, operation, listed),
          }
    return csvReply(deps.database, { operation, school, requestId }, caller, { rows, dialect: call.dialect })
  }
}
