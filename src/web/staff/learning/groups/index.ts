import { randomUUID } from 'node:crypto'
import { Group, GroupPage } from '#src/areas/learning/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  actForms,
  buildDoneTexts,
  buildOutcome,
  createList,
  folded,
  form,
  formKeyIn,
  hidden,
  listRow,
  type PageContext,
  page,
  shownAgain,
  submitAct,
} from '#src/web/page/index.ts'
import { staff } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { staffLink } from '../../pages/link.ts'
import type { StaffSection } from '../../section.ts'
import { teachingText } from '../../teaching/text.ts'
import { groupActs, groupFields, itemsPart, membersPart, readParams } from './group.ts'

const { acts, common: text, done, groupRefusals, list: listTexts } = texts.staff.groups

const PATH = '/staff/groups'

const list = createList({
  path: PATH,
  operation: 'listGroups',
  returns: GroupPage,
  filters: { q: 'search' },
  texts: listTexts,
})

const buildNotice = (context: PageContext, refused: Pick<Again, 'refusal'> | undefined) =>
  buildOutcome(context, refused?.refusal, {
    sets: [groupFields],
    said: { ...teachingText.refusals, ...groupRefusals },
    done: { ...done, ...buildDoneTexts(acts) },
  })

const showList = async (context: PageContext, refused?: Omit<Again, 'act'>): Promise<Reply> => {
  const { t, language, form: readForm } = context
  const shown = await list.read(context)
  const rows = shown.page.data.map(({ id, name, member_count: n, item_count: items }) =>
    listRow(`${PATH}/${id}`, name, [t(text.members, { n }), t(text.items, { n: items })]),
  )
  const state = { language, typed: refused?.typed ?? [], refusal: refused?.refusal }
  const adding = html`${hidden({ form_key: formField(state.typed, 'form_key') || randomUUID() })}
${groupFields.rows(state, ['name', 'description'])}<div class="buttons"><button type="submit">${t(texts.words.create)}</button></div>`
  return context.frame({
    title: t(texts.words.groups),
    ...buildNotice(context, refused),
    body: html`${list.filterForm(context, shown)}
${list.rows(context, shown, rows)}
${rows.length > 0 && downloadLinks('listGroups', context, shown.given)}
${folded(t(text.add), readForm(adding), refused !== undefined || rows.length === 0)}
${staffLink(language)}`,
  })
}

const showGroup = async (context: PageContext, refused?: Again): Promise<Reply> => {
  const { t, call, language } = context
  const group = await call({ operation: 'getGroup', params: readParams(context), returns: Group })
  const [members, items] = await Promise.all([membersPart(group, context), itemsPart(group, context)])
  return context.frame({
    title: group.name,
    ...buildNotice(context, refused),
    body: html`${group.description !== '' && html`<p class="lines">${group.description}</p>`}
${members}
${items}
<h2>${t(texts.words.settings)}</h2>
${actForms(context, { acts: groupActs, item: group, texts: acts, refused, stored: { save: groupFields.pairs(group, { language }) } })}
<p class="quiet"><a href="${PATH}">${t(text.back)}</a></p>`,
  })
}

/** The pages of groups. */
export const groups: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, context => showList(context)),
    form(`POST ${PATH}`, staff, (context, typed) =>
      shownAgain(
        async () => {
          const body = groupFields.body(typed, context)
          const { id } = await context.call({ operation: 'createGroup', body, ...formKeyIn(typed), returns: Group })
          return `${PATH}/${id}?done=created`
        },
        refusal => showList(context, { typed, refusal }),
      ),
    ),
    page(`GET ${PATH}/:id`, staff, context => showGroup(context)),
    form(`POST ${PATH}/:id`, staff, (context, typed) =>
      submitAct(
        context,
        { acts: groupActs, typed, params: readParams(context) },
        {
          async perform(act, call) {
            await context.call(call)
            return act === 'delete' ? `${PATH}?done=deleted` : `${context.request.path}?done=${act}`
          },
          show: again => showGroup(context, again),
        },
      ),
    ),
  ],
}
