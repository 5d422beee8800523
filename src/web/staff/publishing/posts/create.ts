import { randomUUID } from 'node:crypto'
import { Post } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { form, formKeyIn, formOf, hidden, page, shownAgain } from '#src/web/page/index.ts'
import { type StaffContext, teachers } from '../../audience.ts'
import { errorsIn, noticeFor } from '../../forms/errors.ts'
import { line } from '../../forms/fields.ts'
import { lineIn } from '../../forms/values.ts'
import type { StaffSection } from '../../section.ts'
import { PATH, pathOf, postsPage } from './frame.ts'
import { postRefusals, postsText as text } from './text.ts'

const showForm = (context: StaffContext, typed: Pairs = [], refusal?: Refusal): Promise<Reply> => {
  const { t, language, token } = context
  const errors = errorsIn(refusal, language)
  const state = { typed, errors }
  const key = formField(typed, 'form_key') || randomUUID()
  const inside = html`${hidden({ form_key: key })}${line(state, { name: 'title', label: t(text.name), attributes: html`type="text" maxlength="200" required` })}
<div class="buttons row"><button class="main" type="submit">${t(text.create)}</button></div>`
  return postsPage(context, {
    title: t(text.create),
    isBelow: true,
    refusal,
    notice: noticeFor(refusal, language, { errors, fields: ['title'], refusals: postRefusals }),
    body: html`<p>${t(text.createAbout)}</p>\n${formOf(`${PATH}/new`, token, inside)}`,
  })
}

const submit = (context: StaffContext, form: Pairs): Promise<Reply> => {
  const create = async () => {
    const body = { title: lineIn(form, 'title') }
    const post = await context.call({ operation: 'createPost', body, ...formKeyIn(form), returns: Post })
    return `${pathOf(post)}?done=created`
  }
  return shownAgain(create, refusal => showForm(context, form, refusal))
}

/** GET and POST /staff/posts/new. */
export const postCreation: StaffSection = {
  // The list leads to it.
  entries: [],
  pages: [page(`GET ${PATH}/new`, teachers, context => showForm(context)), form(`POST ${PATH}/new`, teachers, submit)],
}
