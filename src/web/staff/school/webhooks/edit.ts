import { MAX_WEBHOOKS, WebhookPage, WebhookSecret } from '#src/areas/apps/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  form,
  formKeyIn,
  hiddenFor,
  mainButton,
  noticeFor,
  page,
  renderConflict,
  revisionIn,
  shownAgain,
  TAKE_THEIRS,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { staffText } from '../../pages/text.ts'
import { secretPage } from './secret.ts'
import { nameWebhook, readParams, readWebhook, WEBHOOKS, webhookFields } from './shown.ts'

const { common, edit: text } = texts.staff.webhooks

const NEW = `${WEBHOOKS}/new`
const EDIT = `${WEBHOOKS}/:id/edit`
const FORM = 'webhook'

const blank = { url: '', description: null, types: [], ordered: false }

const buildNotice = (again: Partial<Again>, { language }: StaffContext) =>
  noticeFor(again.refusal, language, {
    sets: [webhookFields],
    said: { ...staffText.refusals, ...text.refusals },
  })

// Whoever has no place for another webhook learns it before the form is filled in.
const isFull = async ({ call }: StaffContext): Promise<boolean> => {
  const query = [
    ['limit', '1'],
    ['include_total', 'true'],
  ] as const
  const { total = 0 } = await call({ operation: 'listWebhooks', query, returns: WebhookPage })
  return total >= MAX_WEBHOOKS.school
}

const showFull = ({ t, frame }: StaffContext): Reply =>
  frame({
    title: t(common.add),
    body: html`<p>${t(text.full)}</p>
<p><a class="button main" href="${WEBHOOKS}">${t(text.toList)}</a></p>`,
  })

const showNew = (context: StaffContext, again: Partial<Again> = {}): Reply => {
  const { t, language } = context
  const { typed = webhookFields.pairs(blank, context), refusal } = again
  const inside = html`${hiddenFor({ typed })}${webhookFields.rows({ language, typed, refusal }, webhookFields.names)}
${mainButton(t(text.create))}`
  return context.frame({
    title: t(common.add),
    ...buildNotice(again, context),
    body: html`<p>${t(text.intro)}</p>
${context.form(inside, NEW, { id: FORM, draft: FORM })}`,
  })
}

const create = (context: StaffContext, typed: Pairs): Promise<Reply> =>
  shownAgain(
    async () => {
      const body = webhookFields.body(typed, context)
      const call = { operation: 'createWebhook', body, ...formKeyIn(typed), returns: WebhookSecret }
      return secretPage(context, await context.call(call), 'created')
    },
    async refusal => showNew(context, { typed, refusal }),
  )

const showEdit = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language } = context
  const webhook = await readWebhook(context)
  const stored = webhookFields.pairs(webhook, context)
  const isTyped = again !== undefined && again.act !== TAKE_THEIRS
  const typed = isTyped ? again.typed : stored
  const name = nameWebhook(webhook)
  const inside = html`${hiddenFor({ typed, refusal: again?.refusal }, webhook.revision)}${webhookFields.rows({ language, typed, refusal: again?.refusal }, webhookFields.names)}
<div class="buttons"><button class="main" type="submit" name="act" value="save">${t(text.save)}</button></div>`
  return context.frame({
    title: t(texts.words.editName, { name }),
    parents: [{ path: `${WEBHOOKS}/${webhook.id}`, name }],
    ...buildNotice(again ?? {}, context),
    body: html`${renderConflict(context, again && { ...again, stored, fields: webhookFields, within: FORM })}
${context.form(inside, `${WEBHOOKS}/${webhook.id}/edit`, { id: FORM, draft: FORM })}`,
  })
}

const save = async (context: StaffContext, typed: Pairs): Promise<Reply> => {
  const act = formField(typed, 'act')
  if (act === TAKE_THEIRS) return showEdit(context, { act, typed })
  const params = readParams(context)
  return shownAgain(
    async () => {
      const body = webhookFields.body(typed, context)
      await context.call({ operation: 'updateWebhook', params, body, revision: revisionIn(typed) })
      return `${WEBHOOKS}/${params.webhook_id}?done=saved`
    },
    refusal => showEdit(context, { act, typed, refusal }),
  )
}

/** GET and POST /staff/webhooks/new and /staff/webhooks/:id/edit. */
export const webhookForms = [
  page(`GET ${NEW}`, staff, async context => ((await isFull(context)) ? showFull(context) : showNew(context))),
  form(`POST ${NEW}`, staff, create),
  page(`GET ${EDIT}`, staff, context => showEdit(context)),
  form(`POST ${EDIT}`, staff, save),
]
