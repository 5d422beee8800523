import { SitePage, SitePageList } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { form, formKeyIn, isShown, page, redirect } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { lineIn } from '../../forms/values.ts'
import type { StaffSection } from '../../section.ts'
import { editPath } from './edit-view.ts'
import { everyOne } from './every-one.ts'
import { listPage, PATH, type PageLine } from './list-page.ts'
import { editorText as text } from './text.ts'

const pagesOf = (context: StaffContext): Promise<PageLine[]> =>
  everyOne(query => context.call({ operation: 'listPages', query, returns: SitePageList }))

const show = async (
  context: StaffContext,
  again?: { readonly form: Pairs; readonly refusal: Refusal },
): Promise<Reply> => listPage(context, await pagesOf(context), again)

const create = async (context: StaffContext, form: Pairs): Promise<string> => {
  const kind = formField(form, 'kind')
  const body = { title: lineIn(form, 'title'), ...(kind === '' ? {} : { kind }) }
  const call = { operation: 'createPage', body, returns: SitePage, ...formKeyIn(form) }
  return `${editPath((await context.call(call)).id)}?done=created`
}

const move = async (context: StaffContext, form: Pairs): Promise<string> => {
  const ids = (await pagesOf(context)).map(({ id }) => id)
  const id = formField(form, 'page')
  const at = ids.indexOf(id)
  // Somebody deleted it meanwhile.
  if (at < 0) return PATH
  const others = ids.filter(one => one !== id)
  const to = Math.max(0, at + (formField(form, 'act') === 'up' ? -1 : 1))
  const body = { page_ids: [...others.slice(0, to), id, ...others.slice(to)] }
  await context.call({ operation: 'reorderPages', body })
  return `${PATH}?done=moved#${id}`
}

const submit = async (context: StaffContext, form: Pairs): Promise<Reply> => {
  const act = formField(form, 'act')
  if (!['create', 'up', 'down'].includes(act)) throw new Refusal(formRefused, 'The form has no valid action.')
  try {
    return redirect(await (act === 'create' ? create(context, form) : move(context, form)))
  } catch (error) {
    if (!isShown(error)) throw error
    return show(context, { form, refusal: error })
  }
}

/** GET and POST /staff/pages: all pages in their order, and a form for a new one. */
export const pageList: StaffSection = {
  entries: [{ path: PATH, name: text.title, about: text.sectionAbout }],
  pages: [page(`GET ${PATH}`, staff, context => show(context)), form(`POST ${PATH}`, staff, submit)],
}
