import { exampleFrom } from '#src/contract/example.ts'
import { declareFor, type WriteContext } from '#src/contract/operation.ts'
import { invalidState } from '#src/contract/problems.ts'
import { toId } from '#src/kit/ids.ts'
import { getImport } from '../access.ts'
import { listImportRows, readReport, reportCells } from '../rows/lookups.ts'
import { ImportRowPage, ImportRowsQuery } from '../rows/schema.ts'
import { listImports } from './lookups.ts'
import { columnAmbiguous, fileUnreadable, importRunning, mappingIncomplete, notChecked, undoOver } from './rules.ts'
import { Import, ImportChange, ImportPage, ImportRef, ImportsQuery, NewImport } from './schema.ts'
import { startRun, startUndo } from './starting.writes.ts'
import { importView } from './views.ts'
import { addImport, changeImport, dropImport, startCheck, type Written } from './writes.ts'

const KIND = 'learning'

const inStatus = (status: string) => ({
  params: { import_id: exampleFrom('imp', 'listEnrollmentImports', { having: { status } }) },
})

const finish = async (context: WriteContext, write: Promise<Written>) => {
  const { row, fields = [], fact } = await write
  if (fact !== undefined) {
    context.changed({ ids: [toId('imp', row.id)], fields, revision: row.revision })
    context.record(fact)
  }
  return importView(context, row)
}

const createEnrollmentImport = declareFor('lecturer_of', 'students', {
  id: 'createEnrollmentImport',
  route: 'POST /enrollments/imports',
  summary: 'Import enrollments',
  description:
    'Takes an uploaded file of people with the courses that they may use and what they completed in them. It is read, and its columns are guessed; then change what was guessed wrong, check the import, and run it. Lecturers import into the courses that they teach, with the limits of POST /enrollments/batches.',
  body: NewImport,
  returns: Import,
  status: 201,
  example: { body: { upload_id: exampleFrom('upl', 'listUploads', { having: { purpose: 'import' } }) } },
  handle: context => finish(context, addImport(context, KIND, context.body.upload_id)),
})

const listEnrollmentImports = declareFor('lecturer_of', 'students', {
  id: 'listEnrollmentImports',
  route: 'GET /enrollments/imports',
  summary: 'List imports of enrollments',
  description: 'Lists the imports of enrollments, the newest first; lecturers see those that they started.',
  query: ImportsQuery,
  returns: ImportPage,
  handle: context => listImports(context, KIND),
})

const getEnrollmentImport = declareFor('lecturer_of', 'students', {
  id: 'getEnrollmentImport',
  route: 'GET /enrollments/imports/:import_id',
  summary: 'Get an import of enrollments',
  description:
    'Returns an import with its columns, what was guessed of them, and how far it is. Read it until its status is no longer `reading`, `checking`, `running` or `undoing`.',
  params: ImportRef,
  returns: Import,
  example: inStatus('checked'),
  handle: async context => importView(context, await getImport(context, KIND, context.params.import_id)),
})

const updateEnrollmentImport = declareFor('lecturer_of', 'students', {
  id: 'updateEnrollmentImport',
  route: 'PATCH /enrollments/imports/:import_id',
  summary: 'Change an import of enrollments',
  description:
    'Changes what the columns are (`mapping` replaces the whole mapping), what the import does, or how the file is read, which reads it again. Afterwards the import has to be checked again.',
  ifMatch: 'required',
  params: ImportRef,
  body: ImportChange,
  returns: Import,
  fails: [invalidState],
  example: { ...inStatus('ready'), body: { options: { existing: 'skip' } } },
  handle: context => finish(context, changeImport(context, KIND, context.params.import_id, context.body)),
})

const checkEnrollmentImport = declareFor('lecturer_of', 'students', {
  id: 'checkEnrollmentImport',
  route: 'PUT /enrollments/imports/:import_id/check',
  summary: 'Check an import of enrollments',
  description:
    'Does everything that the run would do and takes it back, so that each row has the result that it would get. It is done by the worker. For lecturers it only says which rows are valid.',
  params: ImportRef,
  returns: Import,
  status: 202,
  fails: [invalidState, fileUnreadable, mappingIncomplete, columnAmbiguous],
  example: inStatus('ready'),
  handle: context => finish(context, startCheck(context, KIND, context.params.import_id)),
})

const runEnrollmentImport = declareFor('lecturer_of', 'students', {
  id: 'runEnrollmentImport',
  route: 'PUT /enrollments/imports/:import_id/run',
  summary: 'Run an import of enrollments',
  description:
    'Imports the rows of a checked file, as the person who sent this request: their role is checked for every piece of 200 rows. An import that was stopped goes on where it stopped.',
  confirm: 'person',
  ifMatch: 'required',
  params: ImportRef,
  returns: Import,
  status: 202,
  fails: [invalidState, notChecked, importRunning],
  example: inStatus('checked'),
  handle: context => finish(context, startRun(context, KIND, context.params.import_id)),
})

const undoEnrollmentImport = declareFor('lecturer_of', 'students', {
  id: 'undoEnrollmentImport',
  route: 'PUT /enrollments/imports/:import_id/undo',
  summary: 'Undo an import of enrollments',
  description:
    'Takes back what an import did, for 30 days: fields get their earlier values unless they were changed since, enrollments are revoked and completions removed, and people who are new are erased unless they signed in or something refers to them. What stays has the status `kept` and a reason. Invitations that were not sent yet are not sent.',
  confirm: 'person',
  params: ImportRef,
  returns: Import,
  status: 202,
  fails: [invalidState, undoOver, importRunning],
  example: inStatus('completed'),
  handle: context => finish(context, startUndo(context, KIND, context.params.import_id)),
})

const listEnrollmentImportRows = declareFor('lecturer_of', 'students', {
  id: 'listEnrollmentImportRows',
  route: 'GET /enrollments/imports/:import_id/rows',
  summary: 'List the rows of an import',
  description:
    'Lists the rows that were checked, imported or undone, in the order of the file. As CSV it is the report: the columns of the file, and then the result of each row, and why. Values of rows are deleted 30 days after the end.',
  params: ImportRef,
  query: ImportRowsQuery,
  returns: ImportRowPage,
  csv: { cells: reportCells, ...readReport(KIND) },
  example: inStatus('completed'),
  handle: context => listImportRows(context, KIND),
})

const deleteEnrollmentImport = declareFor('lecturer_of', 'students', {
  id: 'deleteEnrollmentImport',
  route: 'DELETE /enrollments/imports/:import_id',
  summary: 'Delete an import of enrollments',
  description: 'Deletes an import that was never run, with its file.',
  ifMatch: 'honoured',
  params: ImportRef,
  returns: undefined,
  fails: [invalidState],
  example: inStatus('ready'),
  handle: context => finish(context, dropImport(context, KIND, context.params.import_id)),
})

/** The imports of enrollments, in the order of the documentation. */
export const enrollmentImportOperations = [
  createEnrollmentImport,
  listEnrollmentImports,
  getEnrollmentImport,
  updateEnrollmentImport,
  checkEnrollmentImport,
  runEnrollmentImport,
  undoEnrollmentImport,
  listEnrollmentImportRows,
  deleteEnrollmentImport,
]
