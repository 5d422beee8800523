import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { SitePage, SitePageList } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  type Column,
  choice,
  doneIn,
  fieldsFor,
  form,
  hidden,
  line,
  mainButton,
  momentColumn,
  noticeFor,
  page,
  readDone,
  renderName,
  required,
  submitAct,
  unlessEmpty,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { downloadLinks } from '../../csv.ts'
import { renderBinned } from '../../pages/binned.ts'
import { renderPart } from '../../pages/list-page.ts'
import { readOrder, renderPlace } from '../../pages/ordering.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { editPath } from './edit-view.ts'
import { everyOne } from './every-one.ts'
import { editorErrors, editorRefusals, editorText as text } from './text.ts'

const { heads } = texts.staff.lists

const PATH = '/staff/pages'

type PageLine = Encoded<Static<typeof SitePageList>>['data'][number]

const newFields = fieldsFor<{ readonly title: string; readonly kind: PageLine['kind'] | undefined }>()(
  { title: { label: text.fields.title, error: editorErrors.title }, kind: { label: text.kind, choices: text.kinds } },
  { title: required(line({ most: 200 })), kind: unlessEmpty(choice(['content', 'static'])) },
)

const readPages = ({ call }: StaffContext): Promise<PageLine[]> =>
  everyOne(query => call({ operation: 'listPages', query, returns: SitePageList }))

const describe = (page: PageLine, { t, time }: StaffContext): string =>
  [
    page.is_home ? t(text.home) : page.path,
    ...(page.publish_at == null ? [] : [time(page.publish_at)]),
    ...(page.visibility === 'listed' ? [] : [t(text.visibilities[page.visibility])]),
    ...(page.has_changes === true ? [t(text.hasChanges)] : []),
  ].join(' · ')

const buildColumns = (context: StaffContext, pages: readonly PageLine[]): Column<PageLine>[] => {
  const { t } = context
  return [
    {
      name: texts.words.title,
      kind: 'main',
      cell: page =>
        html`<span id="${page.id}">${renderName(editPath(page.id), page.title, describe(page, context))}</span>`,
    },
    { name: texts.words.status, kind: 'lead', cell: ({ status }) => statusPill(t(text.statuses[status]), status) },
    momentColumn(context, { name: heads.changed, kind: 'date c-low', at: ({ updated_at }) => updated_at }),
    {
      name: heads.place,
      cell: page =>
        renderPlace(context, {
          field: 'page',
          id: page.id,
          name: page.title,
          index: pages.indexOf(page),
          count: pages.length,
        }),
    },
  ]
}

const buildNotice = ({ language, request }: StaffContext, refusal: Refusal | undefined) =>
  refusal === undefined
    ? { notice: doneIn(text.done, readDone(request), language) }
    : noticeFor(refusal, language, { sets: [newFields], said: { ...staffText.refusals, ...editorRefusals } })

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language } = context
  const pages = await readPages(context)
  const { typed = [], refusal } = again ?? {}
  const key = formField(typed, 'form_key') || randomUUID()
  const rows = newFields.rows({ language, typed, refusal }, ['title', 'kind'])
  return context.frame({
    title: t(text.title),
    isWide: true,
    ...buildNotice(context, refusal),
    lead: t(text.intro),
    hasCards: true,
    body: html`${await renderBinned(context)}${renderPart(context, {
      id: 'pages',
      isAlone: true,
      title: t(text.title),
      columns: buildColumns(context, pages),
      rows: pages,
      none: t(text.none),
      below: pages.length > 0 && downloadLinks('listPages', context),
    })}
<section class="card" aria-labelledby="new-page"><h2 id="new-page">${t(text.add)}</h2>
${context.form(html`${hidden({ act: 'create', form_key: key })}${rows}${mainButton(t(text.add))}`)}</section>`,
  })
}

const move = async (context: StaffContext, typed: Pairs): Promise<string> => {
  const page_ids = readOrder(
    (await readPages(context)).map(({ id }) => id),
    typed,
    'page',
  )
  // Somebody deleted it meanwhile.
  if (page_ids === undefined) return PATH
  await context.call({ operation: 'reorderPages', body: { page_ids } })
  return `${PATH}?done=moved#${formField(typed, 'page')}`
}

const ordering = { operation: 'reorderPages', isOnce: true, offered: () => false }

const acts = {
  create: { operation: 'createPage', fields: newFields, isOnce: true, offered: () => false },
  up: ordering,
  down: ordering,
  place: ordering,
}

/** GET and POST /staff/pages: all pages in their order, and a form for a new one. */
export const pageList: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, context => show(context)),
    form(`POST ${PATH}`, staff, (context, typed) =>
      submitAct(
        context,
        { acts, typed, params: {} },
        {
          async perform(act, call) {
            if (act !== 'create') return move(context, typed)
            return `${editPath((await context.call({ ...call, returns: SitePage })).id)}?done=created`
          },
          show: again => show(context, again),
        },
      ),
    ),
  ],
}
