import { newFormToken } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { markdown } from '#src/web/markdown.ts'
import { hidden, mainButton, type Notice } from '#src/web/page/index.ts'
import { completeField, fieldsHtml } from '#src/web/questions/index.ts'
import { type FormContext, toRowId } from './parts.ts'

const { common: text } = texts.forms

/** What a form of the page shows again; with `formToken` it stays the same submission. */
type Shown = {
  readonly typed: Pairs
  readonly errors: ReadonlyMap<string, string>
  readonly notice?: Notice | undefined
  /** Whether the person was shown how their numbers are read. */
  readonly isSure?: boolean
  readonly status?: number | undefined
  readonly formToken?: string
}

/** The name of the field that people do not see; no browser fills in a field of this name. */
export const TRAP = 'second_thought'

// Hidden by its position and not by its type, so that programs fill it in; neither screen readers nor the keyboard reach it.
const renderTrap = ({ t }: FormContext): Html =>
  html`<div class="unseen" aria-hidden="true"><label for="${TRAP}">${t(text.trap)}</label><input id="${TRAP}" name="${TRAP}" type="text" value="" tabindex="-1" autocomplete="off"></div>`

const renderText = (source: string): Html | false =>
  source.trim() !== '' && html`<div class="prose" dir="auto">${markdown(2, source)}</div>\n`

/** The page on which a form is answered. The tokens come before the files. */
export const showAnswering = async (
  { typed, errors, notice, isSure = false, status, formToken }: Shown,
  context: FormContext,
): Promise<Reply> => {
  const { view, t, frame, token, request, parts, language } = context
  const { title, intro, slug, version, submit_label: label } = view
  const own = formToken ?? (await newFormToken(request, parts, toRowId(view)))
  const fields = view.fields.map(completeField)
  const campaign = formField(typed, 'campaign')
  return frame({
    title,
    notice,
    ...(status === undefined ? {} : { status }),
    body: html`${renderText(intro)}<form method="post" action="/forms/${slug}" enctype="multipart/form-data">
${hidden({ token: token(), form_token: own, version, campaign })}${isSure && hidden({ sure: 1 })}${fieldsHtml({ fields, language, typed, errors })}
${renderTrap(context)}
${mainButton(label === '' ? t(texts.words.send) : label)}
</form>`,
  })
}

const showMessage = ({ view, t, frame }: FormContext, words: Html, status = 200): Reply =>
  frame({
    title: view.title,
    status,
    body: html`${words}
<p class="quiet"><a href="/">${t(texts.words.toHomePage)}</a></p>`,
  })

/** The page of a form that takes no answers now. */
export const showState = (context: FormContext, status?: number): Reply =>
  showMessage(context, html`<p>${context.t(text.states[context.view.state])}</p>`, status)

/** The page after a form was sent. */
export const showDone = (context: FormContext): Reply =>
  showMessage(
    context,
    html`<div role="status">${renderText(context.view.done_text) || html`<p>${context.t(text.done)}</p>`}</div>`,
  )

/** The page of a form for people who are signed in. */
export const showSignIn = (context: FormContext): Reply => {
  const { view, t } = context
  const query = String(new URLSearchParams({ return_to: `/forms/${view.slug}` }))
  return showMessage(
    context,
    html`<p>${t(text.needsSignIn)}</p>
<p class="actions"><a class="button main" href="/account/sign-in?${query}">${t(texts.words.signIn)}</a></p>`,
  )
}
