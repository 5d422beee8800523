import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { markdown } from '#src/web/markdown.ts'
import { framed, mainButton, type Notice } from '#src/web/page/index.ts'
import { completeField, type FieldsView, fieldsHtml } from '#src/web/questions/index.ts'
import type { FormView } from '../reads.ts'
import { formsText as text } from '../text.ts'

/** The page of a form that can be answered. */
export type AnswerView = Omit<FieldsView, 'fields'> & {
  readonly school: School
  readonly form: FormView
  /** The token of the session or the browser. */
  readonly token: string
  /** The token of the submission. */
  readonly formToken: string
  readonly notice?: Notice | undefined
  /** Whether the person was shown how their numbers are read. */
  readonly isSure?: boolean
  readonly status?: number
}

const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">\n`

/** The name of the field that people do not see; no browser fills in a field of this name. */
export const TRAP = 'second_thought'

// Hidden by its position and not by its type, so that programs fill it in; neither screen readers nor the keyboard reach it.
const trapOf = (language: Language): Html =>
  html`<div class="unseen" aria-hidden="true"><label for="${TRAP}">${fill(text.trap, language)}</label><input id="${TRAP}" name="${TRAP}" type="text" value="" tabindex="-1" autocomplete="off"></div>`

const textOf = (source: string): Html | false =>
  source.trim() !== '' && html`<div class="prose" dir="auto">${markdown(2, source)}</div>\n`

const submitLabel = ({ form, language }: AnswerView): string =>
  form.submit_label === '' ? fill(text.submit, language) : form.submit_label

const campaignOf = (typed: Pairs): Html => hidden('campaign', formField(typed, 'campaign'))

/** The page on which a form is answered. The tokens come before the files. */
export const answerPage = (view: AnswerView): Reply => {
  const { school, language, form, token, formToken, notice, status, typed } = view
  const fields = form.fields.map(completeField)
  return framed({
    school,
    language,
    title: form.title,
    notice,
    ...(status === undefined ? {} : { status }),
    body: html`${textOf(form.intro)}<form method="post" action="/forms/${form.slug}" enctype="multipart/form-data">
${hidden('token', token)}${hidden('form_token', formToken)}${hidden('version', String(form.version))}${campaignOf(typed)}${view.isSure === true && hidden('sure', '1')}${fieldsHtml({ ...view, fields })}
${trapOf(language)}
${mainButton(submitLabel(view))}
</form>`,
  })
}

type MessageView = Pick<AnswerView, 'school' | 'language' | 'form'> & { readonly status?: number }

const message = ({ school, language, form, status }: MessageView, words: Html): Reply =>
  framed({
    school,
    language,
    title: form.title,
    ...(status === undefined ? {} : { status }),
    body: html`${words}
<p class="quiet"><a href="/">${fill(text.toHome, language)}</a></p>`,
  })

/** The page of a form that takes no answers now. */
export const stateMessage = (view: MessageView): Reply =>
  message(view, html`<p>${fill(text.states[view.form.state], view.language)}</p>`)

/** The page after a form was sent. */
export const donePage = (view: MessageView): Reply =>
  message(
    view,
    html`<div role="status">${textOf(view.form.done_text) || html`<p>${fill(text.done, view.language)}</p>`}</div>`,
  )

/** The page of a form for people who are signed in. */
export const signInPage = (view: MessageView): Reply => {
  const query = String(new URLSearchParams({ return_to: `/forms/${view.form.slug}` }))
  return message(
    view,
    html`<p>${fill(text.needsSignIn, view.language)}</p>
<p class="actions"><a class="button main" href="/account/sign-in?${query}">${fill(text.signIn, view.language)}</a></p>`,
  )
}
