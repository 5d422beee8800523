import { ImportPage } from '#src/areas/moving/index.ts'
import { formatNumber } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, doneIn, momentColumn, page, readDone, renderName } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { linkTabs } from '../../console/frame.ts'
import { icons } from '../../icons.ts'
import { renderList } from '../../pages/list-page.ts'
import { IMPORTS, importPath, type Kind, kinds } from './kinds.ts'
import { type ImportShown, importPill } from './shown.ts'

const text = texts.staff.imports.common

const createImportList = (kind: Kind) =>
  createList({
    path: IMPORTS,
    operation: kinds[kind].list,
    returns: ImportPage,
    filters: { kind: undefined },
    asQuery: { kind: () => [] },
    texts: { filters: { kind: text.title }, all: text.title, none: text.none, empty: text.empty },
  })

const buildColumns = (context: StaffContext): Column<ImportShown>[] => {
  const { language } = context
  return [
    {
      name: texts.words.file,
      kind: 'main',
      cell: one => renderName(importPath(one.kind, one.id), one.file.name, one.started_by?.name),
    },
    { name: text.status, kind: 'lead', cell: one => importPill(one, context) },
    {
      name: text.rowCount,
      kind: 'num',
      isNamed: true,
      cell: ({ format }) => format !== null && formatNumber(format.rows, language),
    },
    momentColumn(context, { name: texts.staff.lists.heads.created, at: one => one.created_at }),
  ]
}

const renderTabs = ({ t }: StaffContext, kind: Kind): Html =>
  linkTabs(t(text.title), kind === 'people' ? IMPORTS : `${IMPORTS}?kind=learning`, [
    { path: IMPORTS, name: t(text.kinds.people) },
    { path: `${IMPORTS}?kind=learning`, name: t(text.kinds.learning) },
  ])

const renderEmpty = ({ t }: StaffContext, action: Html): Html =>
  html`<section class="card flush" aria-label="${t(text.title)}"><div class="empty">${icons.people}<p>${t(text.empty)}</p>
${action}</div></section>`

/** GET /staff/imports: the imports of people, or those with courses, which lecturers have for their own ones. */
export const importList = page(`GET ${IMPORTS}`, courseTeachers, async context => {
  const { t, language, query, isStaff, request } = context
  const kind: Kind = isStaff && query.get('kind') !== 'learning' ? 'people' : 'learning'
  const list = createImportList(kind)
  const shown = await list.read(context)
  const { data } = shown.page
  const isEmpty = data.length === 0 && shown.cursor === ''
  const action = html`<a class="button main" href="${IMPORTS}/new?kind=${kind}">${t(text.start)}</a>`
  return context.frame({
    title: t(text.title),
    lead: t(text.lead),
    notice: doneIn(text.done, readDone(request), language),
    actions: action,
    isWide: true,
    hasCards: true,
    body: html`${isStaff && renderTabs(context, kind)}${isEmpty ? renderEmpty(context, action) : renderList(context, list, shown, { columns: buildColumns(context), rows: data })}`,
  })
})
