import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { type PostCategory, PostCategoryPage } from '#src/areas/publishing/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  field,
  fieldsFor,
  folded,
  form,
  hidden,
  line,
  page,
  revisionIn,
  submitAct,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import type { StaffSection } from '../../section.ts'
import { everyOne } from '../pages/every-one.ts'
import { PATH as POSTS, postsPage } from './frame.ts'

const PATH = `${POSTS}/categories` as const

const { category: text, onSite } = texts.staff.posts.common

/** A category of posts as pages get it. */
type CategoryShown = Encoded<Static<typeof PostCategory>>

/** The categories of posts, in their order. */
export const readCategories = ({ call }: StaffContext): Promise<CategoryShown[]> =>
  everyOne(query => call({ operation: 'listPostCategories', query, returns: PostCategoryPage }))

const item = ({ id, name, slug, revision }: CategoryShown, at: number, { t, form }: StaffContext): Html => {
  const label = t(texts.words.moveUp)
  const up = html`${hidden({ act: 'up', category: id })}<button class="small" type="submit" aria-label="${label}: ${name}">↑</button>`
  const rename = html`${hidden({ act: 'rename', category: id, revision })}
${field({ name: 'name', id: `name-${id}`, label: t(texts.words.name), value: name, attributes: html`type="text" maxlength="120" autocomplete="off" required` })}
<div class="buttons"><button type="submit">${t(texts.words.rename)}</button></div>`
  const remove = html`${hidden({ act: 'delete', category: id, revision })}<button class="plain" type="submit" aria-label="${t(texts.words.delete)}: ${name}">${t(texts.words.delete)}</button>`
  return html`<li class="act"><details><summary><bdi>${name}</bdi></summary>
${form(rename)}
${form(remove)}
<p class="quiet"><a href="/blog/category/${slug}">${t(onSite)}</a></p></details>${at > 0 && form(up)}</li>
`
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, form } = context
  const categories = await readCategories(context)
  const isAdding = again?.act === 'add'
  const typed = (name: string): string => (isAdding ? formField(again.typed, name) : '')
  const add = html`${hidden({ act: 'add', form_key: typed('form_key') || randomUUID() })}
${field({ name: 'name', label: t(texts.words.name), value: typed('name'), attributes: html`type="text" maxlength="120" autocomplete="off" required` })}
<div class="buttons"><button type="submit">${t(texts.words.addCategory)}</button></div>`
  return postsPage(context, {
    title: t(text.title),
    again,
    fields: nameField,
    body: html`${
      categories.length === 0
        ? html`<p>${t(texts.words.noCategoriesYet)}</p>`
        : html`<ul class="list">\n${categories.map((one, at) => item(one, at, context))}</ul>`
    }
${folded(t(texts.words.addCategory), form(add), isAdding || categories.length === 0)}`,
  })
}

const movedUp = (ids: readonly string[], id: string): string[] => {
  const at = ids.indexOf(id)
  return at < 1 ? [...ids] : ids.toSpliced(at, 1).toSpliced(at - 1, 0, id)
}

const nameField = fieldsFor<CategoryShown>()({ name: { label: texts.words.name } }, { name: line({ most: 120 }) })
const named = { params: { category_id: 'category' }, offered: () => false }

const categoryActs = {
  add: { operation: 'createPostCategory', fields: nameField, isOnce: true, offered: () => false },
  rename: { operation: 'updatePostCategory', fields: nameField, ...named },
  delete: { operation: 'deletePostCategory', ...named },
  up: { operation: 'reorderPostCategories', ...named },
}

const submit = (context: StaffContext, typed: Pairs): Promise<Reply> =>
  submitAct(
    context,
    { acts: categoryActs, typed, params: {} },
    {
      async perform(act, asked) {
        if (act === 'up') {
          const ids = (await readCategories(context)).map(({ id }) => id)
          const ordered = movedUp(ids, formField(typed, 'category'))
          await context.call({ operation: asked.operation, body: { category_ids: ordered } })
        } else await context.call(act === 'add' ? asked : { ...asked, revision: revisionIn(typed) })
        return `${PATH}?done=category`
      },
      show: again => show(context, again),
    },
  )

/** GET and POST /staff/posts/categories: the categories of posts. */
export const postCategoryList: StaffSection = {
  // The list of posts leads to it.
  pages: [page(`GET ${PATH}`, staff, context => show(context)), form(`POST ${PATH}`, staff, submit)],
}
