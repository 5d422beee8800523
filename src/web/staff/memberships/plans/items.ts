import { PlanItem } from '#src/areas/memberships/index.ts'
import { PostCategoryPage } from '#src/areas/publishing/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formKept, formRefused } from '#src/contract/problems.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { fold } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import { form, hidden, isShown, noticeFor, page, redirect, searchForm } from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { card } from '../../console/frame.ts'
import { findItems } from '../../items.ts'
import { buildPath, type PlanShown, planRefusals, readParams, readPlan } from './shown.ts'

const { common, item: removal, itemAddition: addition, plan: text } = texts.staff.plans

const ROUTE = '/staff/plans/:id/items/:type/:item'

type Openable = { readonly type: keyof typeof common.itemTypes; readonly id: string; readonly name: string }

const findOpenable = async (context: StaffContext, words: string): Promise<readonly Openable[]> => {
  const { call, parts, person } = context
  const query = [['limit', '100']] as const
  const [items, categories] = await Promise.all([
    findItems(parts.performAs, person, words),
    call({ operation: 'listPostCategories', query, returns: PostCategoryPage }),
  ])
  const named = categories.data.filter(({ name }) => fold(name).includes(fold(words)))
  return [...items, ...named.map(({ id, name }) => ({ type: 'post_category' as const, id, name }))]
}

/** What a plan opens, and a search for more. */
export const renderItems = async ({ items, item_count: count }: PlanShown, context: StaffContext): Promise<Html> => {
  const { t, query } = context
  const words = (query.get('item') ?? '').trim()
  const found = words === '' ? undefined : await findOpenable(context, words)
  const row =
    (label: string, below: string) =>
    ({ type, id, name }: Openable) =>
      html`<li class="act"><span><bdi>${name}</bdi><br><span class="quiet">${t(common.itemTypes[type])}</span></span><a class="button small" href="${buildPath(context)}/items/${type}/${id}${below}" aria-label="${label}: ${name}">${label}</a></li>
`
  const list = (rows: readonly Html[], none: string) =>
    rows.length === 0 ? html`<p>${none}</p>` : html`<ul class="list">\n${rows}</ul>`
  return card(
    t(text.items),
    html`${list(items.map(row(t(text.takeOut), '')), t(text.nothingYet))}
${count > items.length && html`<p class="quiet">${t(text.moreItems, { n: count - items.length })}</p>`}
${searchForm(context, 'item', text.find)}
${found !== undefined && list(found.map(row(t(text.open), '/addition')), t(text.nothing))}`,
  )
}

const itemParams = (context: StaffContext) => {
  const { type = '', item = '' } = context.params
  return { ...readParams(context), item_type: type, item_id: item }
}

const callToAdd = (context: StaffContext) => ({
  operation: 'addPlanItem',
  params: itemParams(context),
  returns: PlanItem,
})

// The dry run says who gains what.
const showAddition = async (context: StaffContext): Promise<Reply> => {
  const { t, call, form: readForm } = context
  const plan = await readPlan(context)
  const { result, effects } = await call({ ...callToAdd(context), dryRun: true })
  const access = effects.find(({ type }) => type === 'plan.item_added')?.effects?.access
  return context.frame({
    title: t(addition.title, { name: result?.item.name ?? '', plan: plan.name }),
    parents: [{ path: buildPath(context), name: plan.name }],
    body: html`<p>${t(access ?? addition.nobody)}</p>
${readForm(html`<div class="buttons"><a class="button" href="${buildPath(context)}">${t(texts.words.cancel)}</a>\n<button class="main" type="submit">${t(addition.button)}</button></div>`)}`,
  })
}

const orRefused = async (context: StaffContext, work: () => Promise<Reply>): Promise<Reply> => {
  try {
    return await work()
  } catch (error) {
    if (!isShown(error) || error.problem === formKept) throw error
    const { name: title } = await readPlan(context)
    return context.frame({
      title,
      parents: [{ path: buildPath(context), name: title }],
      ...noticeFor(error, context.language, { said: planRefusals }),
      body: html``,
    })
  }
}

const callToRemove = (context: StaffContext, keeps: boolean) => ({
  operation: 'removePlanItem',
  params: itemParams(context),
  query: [['keep_for_holders', String(keeps)]] as const,
})

// The dry run says who would lose what.
const renderRemoval = async (context: StaffContext, act: 'close' | 'keep'): Promise<Html> => {
  const { t, call, form: readForm } = context
  const { effects } = await call({ ...callToRemove(context, act === 'keep'), dryRun: true })
  const access = effects.find(({ type }) => type === 'plan.item_removed')?.effects?.access
  const [title, button] = act === 'close' ? [removal.forAll, removal.forAllButton] : [removal.kept, removal.keptButton]
  return html`<section class="card"><h2>${t(title)}</h2>
<p>${t(access ?? removal.nobody)}</p>
${readForm(html`${hidden({ act })}<div class="buttons"><button type="submit">${t(button)}</button></div>`)}
</section>`
}

/** GET and POST …/items/:type/:item and …/addition: taking something out of a plan, and putting something into it. */
export const planItems = [
  page(`GET ${ROUTE}`, staff, async context => {
    const plan = await readPlan(context)
    const { item: id = '' } = context.params
    const [closed, kept] = await Promise.all([renderRemoval(context, 'close'), renderRemoval(context, 'keep')])
    return context.frame({
      title: context.t(removal.title, { name: plan.items.find(one => one.id === id)?.name ?? id }),
      parents: [{ path: buildPath(context), name: plan.name }],
      hasCards: true,
      body: html`<div class="stack">${kept}
${closed}</div>`,
    })
  }),
  form(`POST ${ROUTE}`, staff, async (context, typed) => {
    const act = formField(typed, 'act')
    if (act !== 'close' && act !== 'keep') throw new Refusal(formRefused, 'The form has no valid action.')
    await context.call(callToRemove(context, act === 'keep'))
    return redirect(`${buildPath(context)}?done=${act}`)
  }),
  page(`GET ${ROUTE}/addition`, staff, context => orRefused(context, () => showAddition(context))),
  form(`POST ${ROUTE}/addition`, staff, context =>
    orRefused(context, async () => {
      await context.call(callToAdd(context))
      return redirect(`${buildPath(context)}?done=open`)
    }),
  ),
]
