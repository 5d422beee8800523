import { Category } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import {
  form,
  formOf,
  framed,
  hidden,
  mainButton,
  page,
  redirect,
  refusalFor,
  revisionIn,
  select,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { field, folded, textArea } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import type { StaffSection } from '../../section.ts'
import { categoryRefusals, categoriesText as text } from './text.ts'
import { type CategoryShown, categoryChoices, listTree, type PlacedCategory } from './tree.ts'

const PATH = '/staff/categories'

type CategoryView = {
  readonly context: StaffContext
  readonly category: CategoryShown
  readonly tree: readonly PlacedCategory[]
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly refusal: Refusal; readonly form?: Pairs } | undefined
}

const paramsOf = ({ request }: StaffContext) => ({ category_id: request.params.id ?? '' })

const typed = ({ category, refused }: CategoryView, name: 'name' | 'slug' | 'description' | 'parent_id'): string =>
  refused?.form === undefined ? (category[name] ?? '') : formField(refused.form, name)

const settings = (view: CategoryView): Html => {
  const { context, category, tree } = view
  const { t, request, token } = context
  const others = categoryChoices(tree.filter(({ id }) => id !== category.id))
  const inside = html`${hidden({ act: 'save', revision: category.revision })}
${field({ name: 'name', label: t(text.name), value: typed(view, 'name'), attributes: html`type="text" maxlength="120" autocomplete="off" required` })}
${select('parent_id', t(text.parent), typed(view, 'parent_id'), [{ value: '', label: t(text.top) }, ...others])}
${field({ name: 'slug', label: t(text.slug), value: typed(view, 'slug'), attributes: html`type="text" maxlength="100" autocomplete="off" required`, hint: t(text.slugHint) })}
${textArea({ name: 'description', label: t(text.description), value: typed(view, 'description'), attributes: html`maxlength="1000"` })}
${mainButton(t(text.save))}`
  return formOf(request.path, token, inside)
}

const removal = ({ context, category }: CategoryView): Html => {
  const { t, request, token } = context
  const inside = html`${hidden({ act: 'delete', revision: category.revision })}<p class="quiet">${t(text.removeAbout)}</p>
<div class="buttons"><button type="submit">${t(text.delete)}</button></div>`
  return folded(t(text.remove), formOf(request.path, token, inside))
}

const pageOf = async (context: StaffContext, refused?: CategoryView['refused']): Promise<Reply> => {
  const call = { operation: 'getCategory', params: paramsOf(context), returns: Category }
  const [category, tree] = await Promise.all([context.call(call), listTree(context)])
  const view = { context, category, tree, refused }
  const { t, language, request } = context
  return framed({
    school: request.school,
    language,
    title: category.name,
    ...refusedIn(refused?.refusal, language, categoryRefusals),
    body: html`${settings(view)}
${removal(view)}
<p class="quiet"><a href="${PATH}">${t(text.back)}</a></p>`,
  })
}

const save = async (context: StaffContext, form: Pairs): Promise<void> => {
  const parent = formField(form, 'parent_id')
  const body = {
    name: formField(form, 'name').trim(),
    slug: formField(form, 'slug').trim(),
    description: formField(form, 'description').replaceAll('\r\n', '\n').trim(),
    parent_id: parent === '' ? null : parent,
  }
  await context.call({ operation: 'updateCategory', params: paramsOf(context), body, revision: revisionIn(form) })
}

const remove = async (context: StaffContext, form: Pairs): Promise<void> =>
  context.call({ operation: 'deleteCategory', params: paramsOf(context), revision: revisionIn(form) })

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  if (act !== 'save' && act !== 'delete') throw new Refusal(formRefused, 'The form has no valid action.')
  const refusal = await refusalFor(act === 'save' ? save(context, form) : remove(context, form))
  if (refusal !== undefined) return pageOf(context, act === 'save' ? { refusal, form } : { refusal })
  return redirect(`${PATH}?done=${act === 'save' ? 'saved' : 'deleted'}`)
}

/** GET and POST /staff/categories/:id: one category. */
export const categoryDetails: StaffSection = {
  // The list of categories leads to each of them.
  entries: [],
  pages: [
    page('GET /staff/categories/:id', staff, context => pageOf(context)),
    form('POST /staff/categories/:id', staff, submit),
  ],
}
