import { randomUUID } from 'node:crypto'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused, notFound } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import {
  doneIn,
  doneOf,
  form,
  formKeyIn,
  formOf,
  framed,
  hidden,
  page,
  redirect,
  refusalFor,
  select,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { downloadLinks, schoolOf } from '../../csv.ts'
import { field, folded } from '../../pages/fields.ts'
import { staffLink } from '../../pages/link.ts'
import { refusedIn } from '../../pages/refused.ts'
import type { StaffSection } from '../../section.ts'
import { categoryRefusals, categoriesText as text } from './text.ts'
import { canMove, categoryChoices, listTree, movedBy, type PlacedCategory } from './tree.ts'

const PATH = '/staff/categories'

type ListView = {
  readonly context: StaffContext
  readonly tree: readonly PlacedCategory[]
  readonly refused: { readonly refusal: Refusal; readonly form: Pairs } | undefined
}

const moving = (
  category: PlacedCategory,
  by: -1 | 1,
  { context: { language, token }, tree }: ListView,
): Html | false => {
  const act = by === -1 ? 'up' : 'down'
  const label = fill(text[act], language)
  const inside = html`${hidden({ act, category: category.id })}<button class="small" type="submit" aria-label="${label}: ${category.name}">${by === -1 ? '↑' : '↓'}</button>`
  return canMove(tree, category, by) && formOf(PATH, token, inside)
}

const item = (category: PlacedCategory, view: ListView): Html =>
  html`<li class="act level-${category.level}"><a href="${PATH}/${category.id}"><bdi>${category.name}</bdi></a><span class="acts">${moving(category, -1, view)}${moving(category, 1, view)}</span></li>
`

const adding = ({ context, tree, refused }: ListView): Html => {
  const { t, token } = context
  const typed = (name: string): string => (refused === undefined ? '' : formField(refused.form, name))
  const choices = [{ value: '', label: t(text.top) }, ...categoryChoices(tree)]
  const inside = html`${hidden({ act: 'add', form_key: typed('form_key') || randomUUID() })}
${field({ name: 'name', label: t(text.name), value: typed('name'), attributes: html`type="text" maxlength="120" autocomplete="off" required` })}
${select('parent_id', t(text.parent), typed('parent_id'), choices)}
<div class="buttons"><button type="submit">${t(text.create)}</button></div>`
  return folded(t(text.add), formOf(PATH, token, inside), refused !== undefined || tree.length === 0)
}

const pageOf = async (context: StaffContext, refused?: ListView['refused']): Promise<Reply> => {
  const tree = await listTree(context)
  const view = { context, tree, refused }
  const { t, language, request } = context
  const notice =
    refused === undefined
      ? { notice: doneIn(text.done, doneOf(request), language) }
      : refusedIn(refused.refusal, language, categoryRefusals)
  return framed({
    school: request.school,
    language,
    title: t(text.title),
    ...notice,
    body: html`<p>${t(text.intro)}</p>
${tree.length === 0 ? html`<p>${t(text.none)}</p>` : html`<ul class="list tree">\n${tree.map(category => item(category, view))}</ul>`}
${tree.length > 0 && downloadLinks('listCategories', schoolOf(context))}
${adding(view)}
${staffLink(language)}`,
  })
}

const add = async (context: StaffContext, form: Pairs): Promise<void> => {
  const parent = formField(form, 'parent_id')
  const body = { name: formField(form, 'name').trim(), ...(parent === '' ? {} : { parent_id: parent }) }
  await context.call({ operation: 'createCategory', body, ...formKeyIn(form) })
}

const move = async (context: StaffContext, form: Pairs, by: -1 | 1): Promise<void> => {
  const tree = await listTree(context)
  const category = tree.find(({ id }) => id === formField(form, 'category'))
  if (category === undefined) throw new Refusal(notFound, 'There is no such category.')
  const body = { parent_id: category.parent_id, category_ids: movedBy(tree, category, by) }
  await context.call({ operation: 'reorderCategories', body })
}

const acts: Readonly<Record<string, (context: StaffContext, form: Pairs) => Promise<void>>> = {
  add,
  up: (context, form) => move(context, form, -1),
  down: (context, form) => move(context, form, 1),
}

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  const work = Object.hasOwn(acts, act) ? acts[act] : undefined
  if (work === undefined) throw new Refusal(formRefused, 'The form has no valid action.')
  const refusal = await refusalFor(work(context, form))
  if (refusal !== undefined) return pageOf(context, { refusal, form })
  return redirect(`${PATH}?done=${act === 'add' ? 'created' : 'moved'}`)
}

/** GET and POST /staff/categories: the tree of categories. */
export const categoryList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.about }],
  pages: [page(`GET ${PATH}`, staff, context => pageOf(context)), form(`POST ${PATH}`, staff, submit)],
}
