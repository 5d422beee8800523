import type { Static } from 'typebox'
import type { IntegrationSecret } from '#src/areas/school/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Column,
  checkbox,
  doneIn,
  type Framed,
  folded,
  hidden,
  mainButton,
  noticeFor,
  readDone,
  renderName,
} from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { besides, statusPill } from '../../console/frame.ts'
import { downloadLinks } from '../../csv.ts'
import { renderPart } from '../../pages/list-page.ts'
import { staffText } from '../../pages/text.ts'
import { type IntegrationShown, integrationFields, type Typed } from './form.ts'
import { integrationRefusals, integrationsText as text } from './text.ts'

const { heads } = texts.staff.lists

const PATH = '/staff/integrations'

/** The address of the page of an app; its id may be an address itself. */
export const buildPath = (id: string): string => `${PATH}/app?${new URLSearchParams({ client_id: id })}`

const buildNotice = (
  { language, request }: StaffContext,
  refusal: Refusal | undefined,
): Pick<Framed, 'notice' | 'status'> =>
  refusal === undefined
    ? { notice: doneIn({ changed: text.changed, removed: text.remove.done }, readDone(request), language) }
    : noticeFor(refusal, language, { said: { ...staffText.refusals, ...integrationRefusals } })

/** The apps that the school registered; those that were removed come last. */
export const listPage = (context: StaffContext, all: readonly IntegrationShown[]): Reply => {
  const { t } = context
  const sorted = [...all.filter(one => one.removed_at === null), ...all.filter(one => one.removed_at !== null)]
  const columns: Column<IntegrationShown>[] = [
    { name: texts.words.name, kind: 'main', cell: one => renderName(buildPath(one.client_id), one.name) },
    {
      name: heads.kind,
      kind: 'low',
      cell: ({ is_confidential: isConfidential }) => t(isConfidential ? text.secret : text.noSecret),
    },
    {
      name: texts.words.status,
      kind: 'lead',
      cell: ({ removed_at: removed }) =>
        removed === null ? statusPill(t(texts.words.states.active), 'active') : statusPill(t(text.removed), 'removed'),
    },
  ]
  return context.frame({
    title: t(text.title),
    lead: t(text.intro),
    ...buildNotice(context, undefined),
    actions: html`<a class="button main" href="${PATH}/new">${t(text.add)}</a>`,
    isWide: true,
    hasCards: true,
    body: renderPart(context, {
      id: 'integrations',
      isAlone: true,
      title: t(text.title),
      columns,
      rows: sorted,
      none: t(text.none),
      below: sorted.length > 0 && downloadLinks('listIntegrations', context),
    }),
  })
}

/** The form of a new integration. */
export const newPage = (context: StaffContext, typed: Typed, refusal?: Refusal): Reply => {
  const { t, language, form } = context
  const { fields } = text
  const kind = checkbox('confidential', t(fields.confidential), {
    isChecked: typed.isConfidential,
    hint: t(fields.confidentialHint),
  })
  return context.frame({
    title: t(text.add),
    ...buildNotice(context, refusal),
    body: html`${form(html`${integrationFields(typed, language)}${kind}${mainButton(t(text.create))}`)}`,
  })
}

const renderIds = (id: string, { school, t }: StaffContext): Html => html`<dl class="facts">
<div><dt>${t(text.id)}</dt><dd><code class="copy">${id}</code></dd></div>
<div><dt>${t(text.issuer)}</dt><dd><code class="copy">${school.baseUrl}</code></dd></div>
</dl>`

/** One integration with its settings, and what can be done with it. */
export const onePage = (context: StaffContext, shown: IntegrationShown, typed: Typed, refusal?: Refusal): Reply => {
  const { t, language } = context
  const { client_id: id, is_confidential, removed_at } = shown
  const form = (act: string, inside: Html): Html =>
    context.form(html`${hidden({ act, client_id: id })}${inside}`, buildPath(id))
  const folding = (act: 'rotate' | 'remove', inside: Html | false): Html => {
    const { title, about, button } = text[act]
    return folded(
      t(title),
      form(
        act,
        html`<p class="quiet">${t(about)}</p>
${inside}<div class="buttons"><button type="submit">${t(button)}</button></div>`,
      ),
    )
  }
  const atOnce = checkbox('at_once', t(text.rotate.atOnce), { isChecked: false, hint: t(text.rotate.atOnceHint) })
  const settings = html`${id.startsWith('https://') && html`<p>${t(text.document)}</p>`}
${form('save', html`${integrationFields(typed, language)}${mainButton(t(text.save))}`)}`
  const acts = html`${is_confidential && folding('rotate', html`${atOnce}\n`)}${folding('remove', false)}`
  return context.frame({
    title: shown.name,
    ...buildNotice(context, refusal),
    ...besides(
      html`${renderIds(id, context)}
${removed_at === null ? settings : html`<p class="note">${t(text.isRemoved)}</p>`}`,
      removed_at === null && acts,
    ),
  })
}

type Created = Encoded<Static<typeof IntegrationSecret>>

const renderPrevious = (
  { previous_secret_expires_at: ends }: Created,
  { t, time }: StaffContext,
  hasEnded: boolean,
): Html | false =>
  ends !== null && html`<p>${hasEnded ? t(text.previousEnded) : t(text.previousEnds, { time: time(ends) })}</p>`

/** The page with a new secret, which is shown this once; `hasEnded` says that earlier ones ended with it. */
export const secretPage = (context: StaffContext, created: Created, hasEnded = false): Reply => {
  const { t } = context
  const { client_id: id, client_secret: secret } = created
  const card = html`<div class="card">
<p>${t(text.secretOnce)}</p>
<p><code class="copy">${secret ?? ''}</code></p>
${renderPrevious(created, context, hasEnded)}
</div>`
  return context.frame({
    title: t(secret === null ? text.title : text.secretTitle),
    notice: { kind: 'done', text: t(secret === null ? text.created : text.secretCreated) },
    body: html`${secret !== null && card}
${renderIds(id, context)}
<p><a class="button main" href="${buildPath(id)}">${t(text.continue)}</a></p>`,
  })
}
