import { BinPage } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, form, hidden, page, redirect, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { BIN_PATH, findBinned, renderBinned } from '../../pages/binned.ts'
import { showList } from '../../pages/list-page.ts'
import type { StaffSection } from '../../section.ts'
import { addressWith } from '../../teaching/lists.ts'
import { binItem, type Item, restoreThing, showItem } from './item.ts'

const { list: said, item: itemText, ...text } = texts.staff.bin

const list = createList({
  path: BIN_PATH,
  operation: 'listBin',
  returns: BinPage,
  filters: { kind: text.kinds },
  texts: said,
})

const renderUndo = ({ t, form }: StaffContext, { id, name }: Item) => {
  const button = t(itemText.restore.button)
  return form(
    html`${hidden({ id, back: BIN_PATH })}<button class="small" type="submit" aria-label="${button}: ${name}">${button}</button>`,
  )
}

const listColumns = (context: StaffContext): readonly Column<Item>[] => {
  const { t, day } = context
  return [
    {
      name: texts.words.name,
      kind: 'main',
      cell: ({ id, name }) => html`<a href="${BIN_PATH}/${id}"><bdi>${name}</bdi></a>`,
    },
    { name: said.filters.kind, cell: ({ kind }) => t(text.kinds[kind]) },
    { name: itemText.deletedBy, kind: 'low', cell: ({ deleted_by: by }) => by !== null && html`<bdi>${by.name}</bdi>` },
    { name: itemText.deleted, kind: 'date', cell: ({ deleted_at: at }) => day(at) },
    { name: itemText.until, kind: 'date', isNamed: true, cell: ({ until }) => day(until) },
    { name: itemText.restore.button, cell: item => renderUndo(context, item) },
  ]
}

const showBin = async (context: StaffContext): Promise<Reply> => {
  const { t } = context
  const shown = await list.read(context)
  return context.frame({
    title: t(text.title),
    lead: t(text.intro),
    ...showList(context, list, shown, {
      columns: listColumns(context),
      rows: shown.page.data,
      above: await renderBinned(context),
    }),
  })
}

// The page on which somebody pressed the button; the form of another site has no token.
const readBack = (typed: string): string => (/^\/staff(\/[\w-]+)*$/.test(typed) ? typed : BIN_PATH)

/** The bin: what was deleted in the last 30 days, and where it is restored. */
export const bin: StaffSection = {
  pages: [
    page(`GET ${BIN_PATH}`, courseTeachers, showBin),
    form(`POST ${BIN_PATH}`, courseTeachers, async (context, typed) => {
      const id = formField(typed, 'id')
      const item = await findBinned(context, id)
      // Somebody restored it meanwhile.
      if (item === undefined) return redirect(BIN_PATH)
      return shownAgain(
        async () => {
          await restoreThing(context, item)
          return addressWith(readBack(formField(typed, 'back')), { restored: id })
        },
        refusal => showItem(context, item, { act: 'restore', typed, refusal }),
      )
    }),
    ...binItem,
  ],
}
