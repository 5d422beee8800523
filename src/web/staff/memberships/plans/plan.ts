import { PricePage, School } from '#src/areas/school/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatDate } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  actForms,
  buildDoneTexts,
  doneIn,
  type FormFile,
  factList,
  fileForm,
  noticeFor,
  page,
  readDone,
  revisionIn,
  shownAgain,
  submitAct,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { card, statusPill } from '../../console/frame.ts'
import { fileRefusals, picturePart, storeFile } from '../../files/uploads/index.ts'
import { saleNote } from '../../sale-note.ts'
import { renderItems } from './items.ts'
import { planActs, priceActFor } from './plan-acts.ts'
import { renderPrices } from './prices-part.ts'
import { buildPath, type PlanShown, planRefusals, readParams, readPlan } from './shown.ts'

const { acts, common, fields, plan: text } = texts.staff.plans

const readReader = async (context: StaffContext) => ({
  ...context,
  currency: (await context.call({ operation: 'getSchool', returns: School })).currency,
})

const formatAccess = ({ plan_type: type, ends_on: last, length }: PlanShown, { t, language }: StaffContext): string => {
  if (last !== null) return t(text.until, { day: formatDate(last, language) })
  if (length === null) return t(fields.plan_type.choices[type])
  return 'months' in length ? t(text.months, { n: length.months }) : t(text.days, { n: length.days })
}

const renderFacts = (plan: PlanShown, context: StaffContext & { readonly currency: string }): Html => {
  const { t, money, currency } = context
  const { mrr = 0, holder_count: holders = 0 } = plan
  return factList([
    [t(texts.words.access), formatAccess(plan, context)],
    [t(texts.words.posts), plan.opens_posts ? t(text.opensPosts) : undefined],
    [t(text.holders), String(holders)],
    [t(text.revenue), mrr === 0 ? undefined : money(mrr, currency)],
  ])
}

// What a plan lacks before anybody can buy it.
const renderMissing = (plan: PlanShown, { t }: StaffContext): Html | false => {
  const lacks = [
    ...(plan.item_count === 0 && !plan.opens_posts ? [t(text.nothingYet)] : []),
    ...(plan.primary_price === null ? [t(text.noPriceYet)] : []),
  ]
  return lacks.length > 0 && plan.status !== 'archived' && html`<p class="note">${lacks.join(' ')}</p>`
}

const show = async (context: StaffContext, refused?: Again): Promise<Reply> => {
  const { t, call, language, request } = context
  const query: Pairs = [['limit', '100']]
  const [plan, { data: prices }, reader] = await Promise.all([
    readPlan(context),
    call({ operation: 'listPlanPrices', params: readParams(context), query, returns: PricePage }),
    readReader(context),
  ])
  const active = prices.filter(({ status }) => status === 'active')
  const price = priceActFor(plan, active, context)
  const stored = { price: price.fields.pairs({ interval: 'month', interval_count: 1 }, reader) }
  const adding = actForms(reader, { acts: { price }, item: plan, texts: acts, refused, stored })
  const path = buildPath(context)
  return context.frame({
    title: plan.name,
    ...(refused === undefined
      ? { notice: doneIn({ ...text.done, ...buildDoneTexts(acts) }, readDone(request), language) }
      : noticeFor(refused.refusal, language, { sets: [price.fields], said: { ...planRefusals, ...fileRefusals } })),
    badge: statusPill(t(common.statuses[plan.status]), plan.status),
    actions: html`${plan.status === 'active' && html`<a class="button" href="/plans/${plan.slug}">${t(text.public)}</a>`}<a class="button" href="${path}/holders">${t(text.people)}</a><a class="button main" href="${path}/edit">${t(texts.words.editTextsAndSettings)}</a>`,
    isWide: true,
    hasCards: true,
    body: html`${renderMissing(plan, context)}<div class="split">
<div class="stack">${await renderItems(plan, context)}${await saleNote(context, active)}${renderPrices(plan, prices, adding, context)}</div>
<div class="stack">${card(t(texts.words.details), renderFacts(plan, reader))}${picturePart(context, { purpose: 'plan', revision: plan.revision, picture: plan.image }, { ...text, removePicture: acts.remove_picture.button })}
${actForms(context, { acts: planActs, item: plan, texts: acts, refused })}</div>
</div>`,
  })
}

const setPicture = async (context: StaffContext, typed: Pairs, file: FormFile | undefined): Promise<string> => {
  const body = { image_file_id: await storeFile(context.parts, context.person, file, 'plan') }
  const params = readParams(context)
  await context.call({ operation: 'updateMembershipPlan', params, body, revision: revisionIn(typed) })
  return `${buildPath(context)}?done=picture`
}

/** GET and POST /staff/plans/:id. */
export const planDetail = [
  page('GET /staff/plans/:id', staff, context => show(context)),
  fileForm('POST /staff/plans/:id', staff, async (context, { form: typed, files: [file] }) => {
    if (formField(typed, 'act') === 'picture')
      return shownAgain(
        () => setPicture(context, typed, file),
        refusal => show(context, { act: 'picture', typed, refusal }),
      )
    return submitAct(
      context,
      {
        acts: { ...planActs, price: priceActFor(await readPlan(context), [], context) },
        typed,
        params: readParams(context),
        reader: readReader(context),
      },
      {
        async perform(act, call) {
          await context.call(call)
          return act === 'delete' ? '/staff/plans?done=delete' : `${buildPath(context)}?done=${act}`
        },
        show: again => show(context, again),
      },
    )
  }),
]
