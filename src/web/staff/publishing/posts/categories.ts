import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { type PostCategory, PostCategoryPage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { form, formKeyIn, formOf, hidden, page, revisionIn, shownAgain } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { lineIn } from '../../forms/values.ts'
import { field, folded } from '../../pages/fields.ts'
import type { StaffSection } from '../../section.ts'
import { PATH as POSTS, postsPage } from './frame.ts'
import { postsText } from './text.ts'

const PATH = `${POSTS}/categories` as const

const { category: text } = postsText

/** A category of posts as pages get it. */
export type CategoryShown = Encoded<Static<typeof PostCategory>>

// A school has at most 200.
const MAX_PAGES = 3

/** The categories of posts, in their order. */
export const listCategories = async (context: StaffContext): Promise<CategoryShown[]> => {
  const all: CategoryShown[] = []
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = [['limit', '100'] as const, ...(cursor === undefined ? [] : [['cursor', cursor] as const])]
    const found = await context.call({ operation: 'listPostCategories', query, returns: PostCategoryPage })
    all.push(...found.data)
    cursor = found.next_cursor
    if (cursor === undefined) break
  }
  return all
}

const item = ({ id, name, slug, revision }: CategoryShown, at: number, { t, token }: StaffContext): Html => {
  const label = t(text.up)
  const up = html`${hidden({ act: 'up', category: id })}<button class="small" type="submit" aria-label="${label}: ${name}">↑</button>`
  const rename = html`${hidden({ act: 'rename', category: id, revision })}
${field({ name: 'name', id: `name-${id}`, label: t(text.name), value: name, attributes: html`type="text" maxlength="120" autocomplete="off" required` })}
<div class="buttons"><button type="submit">${t(text.rename)}</button></div>`
  const remove = html`${hidden({ act: 'delete', category: id, revision })}<button class="plain" type="submit" aria-label="${t(text.delete)}: ${name}">${t(text.delete)}</button>`
  return html`<li class="act"><details><summary><bdi>${name}</bdi></summary>
${formOf(PATH, token, rename)}
${formOf(PATH, token, remove)}
<p class="quiet"><a href="/blog/category/${slug}">${t(postsText.onSite)}</a></p></details>${at > 0 && formOf(PATH, token, up)}</li>
`
}

const show = async (
  context: StaffContext,
  again?: { readonly form: Pairs; readonly refusal: Refusal },
): Promise<Reply> => {
  const { t, token } = context
  const categories = await listCategories(context)
  const isAdding = again !== undefined && formField(again.form, 'act') === 'add'
  const typed = (name: string): string => (isAdding ? formField(again.form, name) : '')
  const add = html`${hidden({ act: 'add', form_key: typed('form_key') || randomUUID() })}
${field({ name: 'name', label: t(text.name), value: typed('name'), attributes: html`type="text" maxlength="120" autocomplete="off" required` })}
<div class="buttons"><button type="submit">${t(text.add)}</button></div>`
  return postsPage(context, {
    title: t(text.title),
    isBelow: true,
    refusal: again?.refusal,
    body: html`${
      categories.length === 0
        ? html`<p>${t(text.none)}</p>`
        : html`<ul class="list">\n${categories.map((one, at) => item(one, at, context))}</ul>`
    }
${folded(t(text.add), formOf(PATH, token, add), isAdding || categories.length === 0)}`,
  })
}

const movedUp = (ids: readonly string[], id: string): string[] => {
  const at = ids.indexOf(id)
  return at < 1 ? [...ids] : ids.toSpliced(at, 1).toSpliced(at - 1, 0, id)
}

const act = async (context: StaffContext, form: Pairs): Promise<string> => {
  const params = { category_id: formField(form, 'category') }
  const body = { name: lineIn(form, 'name') }
  switch (formField(form, 'act')) {
    case 'add':
      await context.call({ operation: 'createPostCategory', body, ...formKeyIn(form) })
      break
    case 'rename':
      await context.call({ operation: 'updatePostCategory', params, body, revision: revisionIn(form) })
      break
    case 'delete':
      await context.call({ operation: 'deletePostCategory', params, revision: revisionIn(form) })
      break
    case 'up': {
      const ids = (await listCategories(context)).map(({ id }) => id)
      const ordered = movedUp(ids, params.category_id)
      await context.call({ operation: 'reorderPostCategories', body: { category_ids: ordered } })
      break
    }
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
  return `${PATH}?done=category`
}

/** GET and POST /staff/posts/categories: the categories of posts. */
export const postCategoryList: StaffSection = {
  // The list of posts leads to it.
  entries: [],
  pages: [
    page(`GET ${PATH}`, staff, context => show(context)),
    form(`POST ${PATH}`, staff, (context, form) =>
      shownAgain(
        () => act(context, form),
        refusal => show(context, { form, refusal }),
      ),
    ),
  ],
}
