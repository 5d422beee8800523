import { WebhookPage, webhookStatuses } from '#src/areas/apps/index.ts'
import { formatNumber } from '#src/kit/format.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { type Column, createList, doneIn, momentColumn, page, readDone, renderName } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { showList } from '../../pages/list-page.ts'
import { nameWebhook, WEBHOOKS, type WebhookShown, webhookPill } from './shown.ts'
import { describeTypes } from './types.ts'

const { common: text } = texts.staff.webhooks

const list = createList({
  path: WEBHOOKS,
  operation: 'listWebhooks',
  returns: WebhookPage,
  filters: { status: Object.fromEntries(webhookStatuses.map(status => [status, text.statuses[status]])) },
  texts: { filters: { status: texts.words.status }, all: text.all, none: text.none, empty: text.empty },
})

const describe = ({ app, description, url }: WebhookShown, { t }: StaffContext): string =>
  [description === null ? undefined : new URL(url).host, app === null ? undefined : t(text.byApp, { name: app.name })]
    .filter(part => part !== undefined)
    .join(', ')

const buildColumns = (context: StaffContext): Column<WebhookShown>[] => {
  const { language } = context
  return [
    {
      name: texts.words.name,
      kind: 'main',
      cell: one => renderName(`${WEBHOOKS}/${one.id}`, nameWebhook(one), describe(one, context)),
    },
    { name: text.what, kind: 'low', cell: ({ types }) => describeTypes(types, language) },
    { name: texts.words.status, kind: 'lead', cell: one => webhookPill(one, context) },
    {
      name: text.waiting,
      kind: 'num',
      isNamed: true,
      cell: ({ waiting_count: n }) => formatNumber(n, language),
    },
    momentColumn(context, { name: text.last, kind: 'date c-low', at: one => one.last_delivered_at }),
  ]
}

/** GET /staff/webhooks: the webhooks of the school, those of apps among them. */
export const webhookList = page(`GET ${WEBHOOKS}`, staff, async context => {
  const { t, language, request } = context
  const shown = await list.read(context)
  return context.frame({
    title: t(text.title),
    lead: t(text.lead),
    notice: doneIn({ delete: text.done.delete }, readDone(request), language),
    ...showList(context, list, shown, {
      columns: buildColumns(context),
      rows: shown.page.data,
      action: html`<a class="button main" href="${WEBHOOKS}/new">${t(text.add)}</a>`,
    }),
  })
})
