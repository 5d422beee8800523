import { Import, ImportFindings, ImportRowPage } from '#src/areas/moving/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { texts } from '#src/texts/index.ts'
import { doneIn, form, noticeFor, page, readDone, redirect, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { type TeacherContext, teachers } from '../../audience.ts'
import { exportList } from '../../csv.ts'
import { describeFormat, readFormat } from './format.ts'
import { IMPORTS, importPath, kinds, readKind, refusals } from './kinds.ts'
import { readMapping } from './mapping.ts'
import { optionFields, readOptions } from './options.ts'
import { type Findings, type ImportShown, importPill, type NewRows, readCustomFields } from './shown.ts'
import { type Again, isWorking, renderAnother, renderState } from './states.ts'

const text = texts.staff.imports

const PATH = `${IMPORTS}/:kind/:id`

// How long a browser waits until it looks again whether the work is done.
const SECONDS = 2

const readParams = ({ params }: TeacherContext) => ({ import_id: params.id ?? '' })

const readImport = (context: TeacherContext): Promise<ImportShown> =>
  context.call({
    operation: kinds[readKind(context.params.kind)].get,
    params: readParams(context),
    returns: Import,
  })

// While rows are worked at, their number is enough.
const isShownByRow = ({ status }: ImportShown): boolean =>
  ['checked', 'stopped', 'completed', 'undone'].includes(status)

const readFindings = async (item: ImportShown, { call }: TeacherContext): Promise<Findings> => {
  const { kind, id } = item
  return isShownByRow(item)
    ? (await call({ operation: kinds[kind].findings, params: { import_id: id }, returns: ImportFindings })).findings
    : []
}

const readNew = async (item: ImportShown, { call }: TeacherContext): Promise<NewRows> => {
  const { kind, id, counts } = item
  if (!isShownByRow(item) || counts.created === 0) return []
  const query = Object.entries({ status: 'created', limit: '10' })
  return (await call({ operation: kinds[kind].rows, params: { import_id: id }, query, returns: ImportRowPage })).data
}

const show = async (context: TeacherContext, again?: Again): Promise<Reply> => {
  const { t, language, request, courses } = context
  const item = await readImport(context)
  const [customFields, findings, created] = await Promise.all([
    readCustomFields(context),
    readFindings(item, context),
    readNew(item, context),
  ])
  return context.frame({
    title: t(text.create[item.kind]),
    badge: importPill(item, context),
    lead: describeFormat(item, context),
    ...(again?.refusal === undefined
      ? { notice: doneIn(text.common.done, readDone(request), language) }
      : noticeFor(again.refusal, language, { sets: [optionFields], said: refusals })),
    // As <meta http-equiv="refresh">; relative, since on loopback the page is below the path of its session.
    ...(isWorking(item) && again === undefined && { headers: { refresh: `${SECONDS}; url=${item.id}` } }),
    actions: renderAnother(item, context),
    isWide: true,
    hasCards: true,
    body: renderState({ item, customFields, courses, findings, created }, context, again),
  })
}

// What was chosen is stored before it is checked, so that nothing of it is lost where the check is refused.
const store = async (context: TeacherContext, typed: Pairs, body: object): Promise<ImportShown> => {
  const operation = kinds[readKind(context.params.kind)].update
  const params = readParams(context)
  return context.call({ operation, params, body, revision: revisionIn(typed), returns: Import })
}

const check = async (context: TeacherContext, typed: Pairs): Promise<void> => {
  const item = await readImport(context)
  await store(context, typed, {
    mapping: readMapping(item, typed, context),
    options: readOptions(item, typed, context),
  })
  await context.call({ operation: kinds[item.kind].check, params: readParams(context) })
}

const perform = async (context: TeacherContext, typed: Pairs): Promise<string> => {
  const kind = readKind(context.params.kind)
  const own = importPath(kind, context.params.id ?? '')
  const params = readParams(context)
  const act = formField(typed, 'act')
  switch (act) {
    case 'check':
      await check(context, typed)
      return own
    case 'format':
      await store(context, typed, { format: readFormat(await readImport(context), typed) })
      return own
    case 'run':
      await context.call({ operation: kinds[kind].run, params, revision: revisionIn(typed) })
      return own
    case 'undo':
      await context.call({ operation: kinds[kind].undo, params })
      return own
    case 'delete':
      await context.call({ operation: kinds[kind].delete, params })
      return `${IMPORTS}?${new URLSearchParams({ ...(kind === 'learning' && { kind }), done: 'deleted' })}`
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

const submit = (context: TeacherContext, typed: Pairs): Promise<Reply> =>
  shownAgain(
    async () => redirect(await perform(context, typed)),
    refusal => show(context, { typed, refusal }),
  )

/** GET and POST /staff/imports/:kind/:id: an import from its columns to its end, and its report. */
export const oneImport = [
  page(`GET ${PATH}`, teachers, context => show(context)),
  form(`POST ${PATH}`, teachers, submit),
  page(`GET ${PATH}/csv`, teachers, context =>
    exportList(context, {
      operation: kinds[readKind(context.params.kind)].rows,
      params: readParams(context),
      query: [],
    }),
  ),
]
