import { BinPage } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { createList, form, hidden, page, redirect, shownAgain } from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { BIN_PATH, findBinned, renderBinned } from '../../pages/binned.ts'
import { staffLink } from '../../pages/link.ts'
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

const renderRow = (context: StaffContext, item: Item) => {
  const { t, day } = context
  const facts = [
    t(text.kinds[item.kind]),
    item.deleted_by === null
      ? t(said.deleted, { day: day(item.deleted_at) })
      : t(said.deletedBy, { day: day(item.deleted_at), name: item.deleted_by.name }),
    t(said.until, { day: day(item.until) }),
  ]
  const button = t(itemText.restore.button)
  const inside = html`${hidden({ id: item.id, back: BIN_PATH })}<button class="small" type="submit" aria-label="${button}: ${item.name}">${button}</button>`
  return html`<li class="act"><span><a href="${BIN_PATH}/${item.id}"><bdi>${item.name}</bdi></a><br><span class="quiet"><bdi>${facts.join(' · ')}</bdi></span></span>${context.form(inside)}</li>
`
}

const showList = async (context: StaffContext): Promise<Reply> => {
  const { t, language } = context
  const shown = await list.read(context)
  return context.frame({
    title: t(text.title),
    body: html`${await renderBinned(context)}
<p class="quiet">${t(text.intro)}</p>
${list.filterForm(context, shown)}
${list.rows(
  context,
  shown,
  shown.page.data.map(item => renderRow(context, item)),
)}
${staffLink(language)}`,
  })
}

// The page on which somebody pressed the button; the form of another site has no token.
const readBack = (typed: string): string => (/^\/staff(\/[\w-]+)*$/.test(typed) ? typed : BIN_PATH)

/** The bin: what was deleted in the last 30 days, and where it is restored. */
export const bin: StaffSection = {
  entries: [{ path: BIN_PATH, name: text.title, about: text.about, least: 'lecturer' }],
  pages: [
    page(`GET ${BIN_PATH}`, courseTeachers, showList),
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
