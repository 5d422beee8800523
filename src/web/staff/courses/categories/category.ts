import { Category } from '#src/areas/courses/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, framed, mainButton, redirect, select } from '#src/web/page/index.ts'
import { revisionOf } from '../../form-fields.ts'
import { field, folded, hidden, textArea } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import type { StaffSection } from '../../section.ts'
import { perform, refusalFor, staffForm, staffPage, type Visit } from '../../visit.ts'
import { categoryRefusals, categoriesText as text } from './text.ts'
import { type CategoryShown, categoryChoices, listTree, type PlacedCategory } from './tree.ts'

const PATH = '/staff/categories'

type CategoryView = {
  readonly visit: Visit
  readonly category: CategoryShown
  readonly tree: readonly PlacedCategory[]
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly refusal: Refusal; readonly form?: Pairs } | undefined
}

const paramsOf = ({ request }: Visit) => ({ category_id: request.params.id ?? '' })

const typed = ({ category, refused }: CategoryView, name: 'name' | 'slug' | 'description' | 'parent_id'): string =>
  refused?.form === undefined ? (category[name] ?? '') : formField(refused.form, name)

const settings = (view: CategoryView): Html => {
  const { visit, category, tree } = view
  const { language, request, token } = visit
  const others = categoryChoices(tree.filter(({ id }) => id !== category.id))
  const inside = html`${hidden({ act: 'save', revision: category.revision })}
${field({ name: 'name', label: fill(text.name, language), value: typed(view, 'name'), attributes: html`type="text" maxlength="120" autocomplete="off" required` })}
${select('parent_id', fill(text.parent, language), typed(view, 'parent_id'), [{ value: '', label: fill(text.top, language) }, ...others])}
${field({ name: 'slug', label: fill(text.slug, language), value: typed(view, 'slug'), attributes: html`type="text" maxlength="100" autocomplete="off" required`, hint: fill(text.slugHint, language) })}
${textArea({ name: 'description', label: fill(text.description, language), value: typed(view, 'description'), attributes: html`maxlength="1000"` })}
${mainButton(fill(text.save, language))}`
  return formOf(request.path, token, inside)
}

const removal = ({ visit, category }: CategoryView): Html => {
  const { language, request, token } = visit
  const inside = html`${hidden({ act: 'delete', revision: category.revision })}<p class="quiet">${fill(text.removeAbout, language)}</p>
<div class="buttons"><button type="submit">${fill(text.delete, language)}</button></div>`
  return folded(fill(text.remove, language), formOf(request.path, token, inside))
}

const pageOf = async (visit: Visit, refused?: CategoryView['refused']): Promise<Reply> => {
  const call = { operation: 'getCategory', params: paramsOf(visit), returns: Category }
  const [category, tree] = await Promise.all([perform(visit, call), listTree(visit)])
  const view = { visit, category, tree, refused }
  const { language, request } = visit
  return framed({
    school: request.school,
    language,
    title: category.name,
    ...refusedIn(refused?.refusal, language, categoryRefusals),
    body: html`${settings(view)}
${removal(view)}
<p class="quiet"><a href="${PATH}">${fill(text.back, language)}</a></p>`,
  })
}

const save = async (visit: Visit, form: Pairs): Promise<void> => {
  const parent = formField(form, 'parent_id')
  const body = {
    name: formField(form, 'name').trim(),
    slug: formField(form, 'slug').trim(),
    description: formField(form, 'description').replaceAll('\r\n', '\n').trim(),
    parent_id: parent === '' ? null : parent,
  }
  await perform(visit, { operation: 'updateCategory', params: paramsOf(visit), body, revision: revisionOf(form) })
}

const remove = async (visit: Visit, form: Pairs): Promise<void> =>
  perform(visit, { operation: 'deleteCategory', params: paramsOf(visit), revision: revisionOf(form) })

const submit = async (visit: Visit, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  if (act !== 'save' && act !== 'delete') throw new Refusal(formRefused, 'The form has no valid action.')
  const refusal = await refusalFor(act === 'save' ? save(visit, form) : remove(visit, form))
  if (refusal !== undefined) return pageOf(visit, act === 'save' ? { refusal, form } : { refusal })
  return redirect(`${PATH}?done=${act === 'save' ? 'saved' : 'deleted'}`)
}

/** GET and POST /staff/categories/:id: one category. */
export const categoryDetails: StaffSection = {
  // The list of categories leads to each of them.
  entries: [],
  endpoints: parts => [
    staffPage('GET /staff/categories/:id', parts, visit => pageOf(visit)),
    staffForm('POST /staff/categories/:id', parts, submit),
  ],
}
