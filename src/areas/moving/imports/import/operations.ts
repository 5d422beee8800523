import type { Static } from 'typebox'
import { exampleFrom } from '#src/contract/example.ts'
import { type AnyContext, buildRouted, type WriteContext } from '#src/contract/operation.ts'
import { invalidState } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { getImport } from '../access.ts'
import { listImportRows, type RowsReading, readReport, reportCells } from '../rows/lookups.ts'
import { ImportRowPage, ImportRowsQuery } from '../rows/schema.ts'
import { type ImportsReading, importCells, importsStatement, listImports } from './lookups.ts'
import { columnAmbiguous, fileUnreadable, importRunning, mappingIncomplete, notChecked, undoOver } from './rules.ts'
import { Import, ImportChange, ImportPage, ImportRef, ImportsQuery, type Kind, NewImport } from './schema.ts'
import { startRun, startUndo } from './starting.writes.ts'
import { importView } from './views.ts'
import { addImport, changeImport, dropImport, startCheck, type Written } from './writes.ts'

// Only members import.
type Context = AnyContext & WriteContext

const families = {
  people: {
    id: 'Member',
    path: '/members/imports',
    called: 'members',
    who: 'staff',
    section: 'members',
    create: 'Takes an uploaded file of people, CSV, XLSX or OneRoster.',
    creates: '',
    lists: '',
    checks: '',
    undoes: '',
  },
  learning: {
    id: 'Enrollment',
    path: '/enrollments/imports',
    called: 'enrollments',
    who: 'lecturer_of',
    section: 'students',
    create: 'Takes an uploaded file of people with the courses that they may use and what they completed in them.',
    creates: ' Lecturers import into the courses that they teach, with the limits of POST /enrollments/batches.',
    lists: '; lecturers see those that they started',
    checks: ' For lecturers it only says which rows are valid.',
    undoes: ' enrollments are revoked and completions removed,',
  },
} as const

const finish = async (context: Context, write: Promise<Written>) => {
  const { row, fields = [], fact } = await write
  if (fact !== undefined) {
    context.changed({ ids: [toId('imp', row.id)], fields, revision: row.revision })
    context.record(fact)
  }
  return importView(context, row)
}

const readId = ({ params }: AnyContext): string => String(params.import_id)

/** The imports of a kind, in the order of the documentation. */
export const importOperations = (kind: Kind) => {
  const { id, path, called, who, section, create, creates, lists, checks, undoes } = families[kind]
  const reading = { who, scope: `${section}:read`, mode: 'read' } as const
  const writing = { who, scope: `${section}:write`, mode: 'write', returns: Import } as const
  const inStatus = (status: string) => ({
    params: ImportRef,
    example: { params: { import_id: exampleFrom('imp', `list${id}Imports`, { having: { status } }) } },
  })
  const ready = inStatus('ready')

  return [
    buildRouted({
      ...writing,
      id: `create${id}Import`,
      route: `POST ${path}`,
      summary: `Import ${called}`,
      description: `${create} It is read, and its columns are guessed; then change what was guessed wrong, check the import, and run it.${creates}`,
      body: NewImport,
      status: 201,
      example: { body: { upload_id: exampleFrom('upl', 'listUploads', { having: { purpose: 'import' } }) } },
      handle(context: Context) {
        const { upload_id: uploadId } = context.body as Static<typeof NewImport>
        return finish(context, addImport(context, kind, uploadId))
      },
    }),
    buildRouted({
      ...reading,
      id: `list${id}Imports`,
      route: `GET ${path}`,
      summary: `List imports of ${called}`,
      description: `Lists the imports of ${called}, the newest first${lists}.`,
      query: ImportsQuery,
      returns: ImportPage,
      csv: { cells: importCells, statement: importsStatement(kind) },
      handle: (context: AnyContext & ImportsReading) => listImports(context, kind),
    }),
    buildRouted({
      ...reading,
      ...inStatus('checked'),
      id: `get${id}Import`,
      route: `GET ${path}/:import_id`,
      summary: `Get an import of ${called}`,
      description:
        'Returns an import with its columns, what was guessed of them, and how far it is. Read it until its status is no longer `reading`, `checking`, `running` or `undoing`.',
      returns: Import,
      handle: async (context: Context) => importView(context, await getImport(context, kind, readId(context))),
    }),
    buildRouted({
      ...writing,
      ...ready,
      id: `update${id}Import`,
      route: `PATCH ${path}/:import_id`,
      summary: `Change an import of ${called}`,
      description:
        'Changes what the columns are (`mapping` replaces the whole mapping), what the import does, or how the file is read, which reads it again. Afterwards the import has to be checked again.',
      ifMatch: 'required',
      body: ImportChange,
      fails: [invalidState],
      example: { ...ready.example, body: { options: { existing: 'skip' } } },
      handle: (context: Context) =>
        finish(context, changeImport(context, kind, readId(context), context.body as Static<typeof ImportChange>)),
    }),
    buildRouted({
      ...writing,
      ...ready,
      id: `check${id}Import`,
      route: `PUT ${path}/:import_id/check`,
      summary: `Check an import of ${called}`,
      description: `Does everything that the run would do and takes it back, so that each row has the result that it would get. It is done by the worker.${checks}`,
      status: 202,
      fails: [invalidState, fileUnreadable, mappingIncomplete, columnAmbiguous],
      handle: (context: Context) => finish(context, startCheck(context, kind, readId(context))),
    }),
    buildRouted({
      ...writing,
      ...inStatus('checked'),
      id: `run${id}Import`,
      route: `PUT ${path}/:import_id/run`,
      summary: `Run an import of ${called}`,
      description:
        'Imports the rows of a checked file, as the person who sent this request: their role is checked for every piece of 200 rows. An import that was stopped goes on where it stopped.',
      confirm: 'person',
      ifMatch: 'required',
      fails: [invalidState, notChecked, importRunning],
      handle: (context: Context) => finish(context, startRun(context, kind, readId(context))),
    }),
    buildRouted({
      ...writing,
      ...inStatus('completed'),
      id: `undo${id}Import`,
      route: `PUT ${path}/:import_id/undo`,
      summary: `Undo an import of ${called}`,
      description: `Takes back what an import did, for 30 days: fields get their earlier values unless they were changed since,${undoes} and people who are new are erased unless they signed in or something refers to them. What stays has the status \`kept\` and a reason. Invitations that were not sent yet are not sent.`,
      confirm: 'person',
      fails: [invalidState, undoOver, importRunning],
      handle: (context: Context) => finish(context, startUndo(context, kind, readId(context))),
    }),
    buildRouted({
      ...reading,
      ...inStatus('completed'),
      id: `list${id}ImportRows`,
      route: `GET ${path}/:import_id/rows`,
      summary: 'List the rows of an import',
      description:
        'Lists the rows that were checked, imported or undone, in the order of the file. As CSV it is the report: the columns of the file, and then the result of each row, and why. Values of rows are deleted 30 days after the end.',
      query: ImportRowsQuery,
      returns: ImportRowPage,
      csv: { cells: reportCells, ...readReport(kind) },
      handle: (context: AnyContext & RowsReading) => listImportRows(context, kind),
    }),
    buildRouted({
      ...writing,
      ...ready,
      id: `delete${id}Import`,
      route: `DELETE ${path}/:import_id`,
      summary: `Delete an import of ${called}`,
      description: 'Deletes an import that was never run, with its file.',
      ifMatch: 'honoured',
      returns: undefined,
      fails: [invalidState],
      handle: (context: Context) => finish(context, dropImport(context, kind, readId(context))),
    }),
  ]
}
