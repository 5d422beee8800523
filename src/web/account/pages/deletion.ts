import type { Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, formOf, framed, type Notice, timeOf } from '#src/web/page/index.ts'
import { backLink } from './account.ts'
import type { ChangeView } from './change.ts'
import { deletionText as text } from './deletion-text.ts'

/** The page on which a person deletes their account or cancels the deletion. */
export type DeletionView = ChangeView & {
  readonly deletion: { readonly status: 'none' | 'begun' | 'under_way'; readonly due_at: string | null }
  readonly done: string
  readonly refusal?: Refusal
}

const noticeOf = ({ refusal, done, language }: DeletionView): Notice | undefined => {
  if (refusal === undefined) return doneIn(text.done, done, language)
  const phrase = refusal.problem.code === 'last_owner' ? text.lastOwner : text.underWay
  return { kind: 'refused', text: fill(phrase, language) }
}

const button = ({ token, language }: DeletionView, act: 'begin' | 'cancel'): Html =>
  formOf(
    '/account/deletion',
    token,
    html`<div class="buttons"><button type="submit" name="act" value="${act}">${fill(text[act], language)}</button></div>`,
  )

const body = (view: DeletionView): Html => {
  const { language, person, deletion } = view
  if (deletion.status === 'under_way') return html`<p>${fill(text.underWay, language)}</p>`
  const explained = html`<p>${fill(text.what, language)}</p>`
  if (deletion.due_at === null)
    return html`${explained}
<p>${fill(text.when, language)}</p>
${button(view, 'begin')}`
  const time = timeOf(new Date(deletion.due_at), language, person)
  return html`<p><strong>${fill(text.due, language, { time })}</strong></p>
${explained}
${button(view, 'cancel')}`
}

/** The page that explains the deletion of an account, with the button to schedule or cancel it. */
export const deletionPage = (view: DeletionView): Reply =>
  framed({
    school: view.school,
    language: view.language,
    title: fill(text.title, view.language),
    notice: noticeOf(view),
    body: html`${body(view)}
${backLink(view.language)}`,
  })
