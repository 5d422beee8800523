import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  buildDoneTexts,
  buildState,
  type Column,
  doneIn,
  folded,
  form,
  formKeyIn,
  hidden,
  hiddenFor,
  page,
  type Refused,
  readDone,
  renderName,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { downloadLinks } from '../../csv.ts'
import { renderPart } from '../../pages/list-page.ts'
import { buildNotice, categoryFields } from './category.ts'
import { canMove, listTree, movedBy, type PlacedCategory, parentChoices } from './tree.ts'

const { acts, common: text } = texts.staff.categories
const { heads } = texts.staff.lists

const PATH = '/staff/categories'

const STEPS = { up: { by: -1, sign: '↑' }, down: { by: 1, sign: '↓' } } as const

type Step = keyof typeof STEPS

const renderMoving = (category: PlacedCategory, { t, form }: StaffContext, tree: readonly PlacedCategory[]): Html => {
  const { id, name } = category
  const moving = (act: Step): Html | false => {
    const { by, sign } = STEPS[act]
    const inside = html`${hidden({ act, category: id })}<button class="small" type="submit" aria-label="${t(acts[act].button)}: ${name}">${sign}</button>`
    return canMove(tree, category, by) && form(inside)
  }
  return html`<div class="row">${moving('up')}${moving('down')}</div>`
}

const buildColumns = (context: StaffContext, tree: readonly PlacedCategory[]): Column<PlacedCategory>[] => [
  {
    name: texts.words.name,
    kind: 'main',
    cell: ({ id, name, level, description }) =>
      html`<div class="level-${level}">${renderName(`${PATH}/${id}`, name, description)}</div>`,
  },
  { name: heads.place, kind: 'lead', cell: category => renderMoving(category, context, tree) },
]

const showTree = async (context: StaffContext, refused?: Refused): Promise<Reply> => {
  const { t, language, request, form } = context
  const tree = await listTree(context)
  const state = buildState({ ...context, choices: parentChoices(context, tree) }, refused, 'add')
  const adding = html`${hidden({ act: 'add' })}${hiddenFor(state)}${categoryFields.rows(state, ['name', 'parent_id'])}
<div class="buttons"><button type="submit">${t(acts.add.button)}</button></div>`
  return context.frame({
    title: t(text.title),
    notice: doneIn(buildDoneTexts(acts), readDone(request), language),
    ...buildNotice(context, refused),
    lead: t(text.intro),
    isWide: true,
    hasCards: true,
    body: html`${renderPart(context, {
      id: 'categories',
      isAlone: true,
      title: t(text.title),
      columns: buildColumns(context, tree),
      rows: tree,
      none: t(texts.words.noCategoriesYet),
      below: tree.length > 0 && downloadLinks('listCategories', context),
    })}
${folded(t(acts.add.title), form(adding), refused !== undefined || tree.length === 0)}`,
  })
}

const add = async (context: StaffContext, typed: Pairs): Promise<void> => {
  const { parent_id, ...rest } = categoryFields.body(typed, context, ['name', 'parent_id'])
  const body = parent_id === null ? rest : { ...rest, parent_id }
  await context.call({ operation: 'createCategory', body, ...formKeyIn(typed) })
}

const move = async (context: StaffContext, typed: Pairs, act: Step): Promise<void> => {
  const tree = await listTree(context)
  const category = tree.find(({ id }) => id === formField(typed, 'category'))
  if (category === undefined) throw new Refusal(notFound, 'There is no such category.')
  const body = { parent_id: category.parent_id, category_ids: movedBy(tree, category, STEPS[act].by) }
  await context.call({ operation: 'reorderCategories', body })
}

/** GET and POST /staff/categories: the tree of categories. */
export const categoryList = [
  page(`GET ${PATH}`, staff, context => showTree(context)),
  form(`POST ${PATH}`, staff, (context, typed) => {
    const act = formField(typed, 'act')
    if (act !== 'add' && act !== 'up' && act !== 'down') throw new Refusal(formRefused, 'The form has no valid action.')
    return shownAgain(
      async () => {
        await (act === 'add' ? add(context, typed) : move(context, typed, act))
        return `${PATH}?done=${act}`
      },
      refusal => showTree(context, { act, typed, refusal }),
    )
  }),
]
