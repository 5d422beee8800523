import { randomUUID } from 'node:crypto'
import { SitePage } from '#src/areas/publishing/index.ts'
import { SellingSettings } from '#src/areas/school/index.ts'
import { isAtLeast } from '#src/contract/caller.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { preconditionFailed, refuseInvalid, roleRequired } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  buildOutcome,
  fieldsFor,
  form,
  formKeyIn,
  hidden,
  line,
  mainButton,
  markdown,
  orNothing,
  page,
  readLine,
  required,
  revisionIn,
  shownAgain,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { statusPill } from '../../console/frame.ts'
import { staffText } from '../../pages/text.ts'
import type { StaffSection } from '../../section.ts'
import { plainEditor, previewButton } from '../../texts/index.ts'

const text = texts.staff.terms
const PATH = '/staff/settings/terms'

type Again = { readonly typed: Pairs; readonly refusal: Refusal }

const fields = fieldsFor<{ title: string; body: string }>()(text.fields, {
  title: required(line({ most: 200 })),
  body: markdown({ most: 50_000, rows: 16, editor: plainEditor('body') }),
})

const readSettings = ({ call }: StaffContext) => call({ operation: 'getSellingSettings', returns: SellingSettings })

const getParams = (id: string) => ({ page_id: id })

const readTerms = async (context: StaffContext) => {
  const { checkout } = await readSettings(context)
  if (checkout.terms_page_id === null) return undefined
  const params = getParams(checkout.terms_page_id)
  return orNothing(context.call({ operation: 'getPage', params, returns: SitePage }))
}

const renderNew = (context: StaffContext, again: Again | undefined): Html => {
  const { t, language, form, viewer } = context
  if (!isAtLeast(viewer.role, 'owner')) return html`<p class="note">${t(texts.staff.settings.common.ownersOnly)}</p>`
  const { typed = fields.pairs({ title: t(text.usual) }, context), refusal } = again ?? {}
  const key = formField(typed, 'form_key') || randomUUID()
  const rows = fields.rows({ language, typed, refusal }, ['title', 'body'])
  return html`<p class="quiet">${t(text.advice)}</p>
${form(html`${hidden({ act: 'write', form_key: key })}${rows}${mainButton(t(text.publish))}${previewButton(t, 'body')}`, undefined, { draft: 'terms' })}
<p><a href="/staff/settings/checkout">${t(text.other)}</a></p>`
}

const renderStored = (
  { t, form }: StaffContext,
  { id, title, status, revision, url }: NonNullable<Awaited<ReturnType<typeof readTerms>>>,
): Html => {
  const isPublished = status === 'published'
  return html`<p><b><bdi>${title}</bdi></b> ${statusPill(t(texts.staff.pagesEditor.editor.statuses[status]), status)}</p>
<p class="quiet">${t(isPublished ? text.accepted : text.unpublished)}</p>
<div class="row">${isPublished ? html`<a class="button" href="${new URL(url).pathname}">${t(texts.words.openPage)}</a>` : form(html`${hidden({ act: 'publish', revision })}${mainButton(t(text.publish))}`)}
<a class="button" href="/staff/pages/${id}">${t(text.edit)}</a></div>
<p><a href="/staff/settings/checkout">${t(text.other)}</a></p>`
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t } = context
  const stored = await readTerms(context)
  return context.frame({
    title: t(texts.staff.standing.terms.title),
    lead: t(text.about),
    ...buildOutcome(context, again?.refusal, {
      done: { published: text.done },
      sets: [fields],
      said: staffText.refusals,
    }),
    body: stored === undefined ? renderNew(context, again) : renderStored(context, stored),
  })
}

// Of two that are sent at once, the later one finds what the other one wrote.
const chooseTerms = async (context: StaffContext, id: string, isAgain = false): Promise<void> => {
  const { legal, tax, checkout, subscriptions, comments, revision } = await readSettings(context)
  if (checkout.terms_page_id === id) return
  const body = { legal, tax, checkout: { ...checkout, terms_page_id: id }, subscriptions, comments }
  try {
    await context.call({ operation: 'setSellingSettings', body, revision })
  } catch (refusal) {
    if (isAgain || !(refusal instanceof Refusal) || refusal.problem !== preconditionFailed) throw refusal
    await chooseTerms(context, id, true)
  }
}

// Each call has a name of its own, so that a form that was refused halfway goes on where it was.
const write = async (context: StaffContext, typed: Pairs): Promise<void> => {
  const { call, viewer } = context
  // Whoever may not choose the terms leaves no page behind.
  if (!isAtLeast(viewer.role, 'owner')) throw new Refusal(roleRequired, 'Only owners choose the terms.')
  const { title, body = '' } = fields.body(typed, context)
  if (body.trim() === '') refuseInvalid([{ pointer: '/body', code: 'required', message: 'is missing' }])
  const { formKey } = formKeyIn(typed)
  const keyFor = (part: string) => (formKey === undefined ? {} : { formKey: `${formKey}-${part}` })
  const content = { title, blocks: [{ type: 'text', body }] }
  const { id, revision } = await call({
    operation: 'createPage',
    body: content,
    ...keyFor('page'),
    returns: SitePage,
  })
  await call({ operation: 'publishPage', params: getParams(id), body: {}, revision, ...keyFor('published') })
  await chooseTerms(context, id)
}

const publish = async (context: StaffContext, typed: Pairs): Promise<void> => {
  const stored = await readTerms(context)
  if (stored === undefined) return
  const params = getParams(stored.id)
  await context.call({ operation: 'publishPage', params, body: {}, revision: revisionIn(typed) })
}

/** GET and POST /staff/settings/terms: the terms that buyers accept, which are written and published here the first time. */
export const terms: StaffSection = {
  pages: [
    page(`GET ${PATH}`, staff, context => show(context)),
    form(`POST ${PATH}`, staff, (context, typed) =>
      shownAgain(
        async () => {
          await (readLine(typed, 'act') === 'publish' ? publish : write)(context, typed)
          return `${PATH}?done=published`
        },
        refusal => show(context, { typed, refusal }),
      ),
    ),
  ],
}
