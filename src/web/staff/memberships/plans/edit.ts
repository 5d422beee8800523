import { MembershipPlan } from '#src/areas/memberships/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  box,
  buildState,
  choice,
  day,
  fieldsFor,
  form,
  formKeyIn,
  hiddenFor,
  line,
  lines,
  mainButton,
  markdown,
  noticeFor,
  optionalLine,
  type PageContext,
  page,
  renderConflict,
  required,
  revisionIn,
  shownAgain,
  TAKE_THEIRS,
  unlessEmpty,
  whole,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { plainEditor, previewButton } from '../../texts/index.ts'
import { type PlanShown, planRefusals, readParams, readPlan } from './shown.ts'

const { common, editPage: text, fields: fieldTexts } = texts.staff.plans

type Body = Pick<
  PlanShown,
  'name' | 'plan_type' | 'ends_on' | 'benefits' | 'description' | 'opens_posts' | 'visibility'
> & {
  length: number | null
  unit: 'months' | 'days'
  slug?: string
  seo_title: string | null
  seo_description: string | null
}

const fields = fieldsFor<Body>()(fieldTexts, {
  name: required(line({ most: 200 })),
  plan_type: choice(['recurring', 'fixed_date', 'fixed_length', 'lifetime']),
  ends_on: day(),
  length: whole(),
  unit: choice(['months', 'days']),
  benefits: lines({ most: 4500 }),
  description: markdown({ most: 10_000, rows: 8, editor: plainEditor('description') }),
  opens_posts: box(),
  visibility: choice(['listed', 'unlisted']),
  slug: unlessEmpty(line({ most: 100 })),
  seo_title: optionalLine({ most: 120 }),
  seo_description: optionalLine({ most: 320 }),
})

const buildPairs = (plan: PlanShown | undefined, context: PageContext): Pairs => {
  if (plan === undefined) return fields.pairs({ plan_type: 'recurring', unit: 'months', visibility: 'listed' }, context)
  const { length, seo } = plan
  const [n, unit] =
    length !== null && 'days' in length ? [length.days, 'days' as const] : [length?.months ?? null, 'months' as const]
  return fields.pairs({ ...plan, length: n, unit, seo_title: seo.title, seo_description: seo.description }, context)
}

const isNew = ({ params }: PageContext): boolean => params.id === undefined

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language, form: readForm } = context
  const plan = isNew(context) ? undefined : await readPlan(context)
  const stored = buildPairs(plan, context)
  const state = buildState(context, again, 'save', stored)
  const inside = html`${hiddenFor(state, plan?.revision)}${fields.rows(state, [
    'name',
    'plan_type',
    'ends_on',
    ['length', 'unit'],
    'benefits',
    'description',
    'opens_posts',
    'visibility',
  ])}
<details class="filters"${again !== undefined && html` open`}>
<summary>${t(text.more)}</summary>
${fields.rows(state, ['slug', 'seo_title', 'seo_description'])}
</details>
${mainButton(t(plan === undefined ? texts.words.create : texts.words.save))}
${previewButton(t, 'description')}`
  return context.frame({
    title: plan === undefined ? t(common.add) : t(texts.words.editName, { name: plan.name }),
    parents: plan === undefined ? [] : [{ path: `/staff/plans/${plan.id}`, name: plan.name }],
    ...noticeFor(again?.refusal, language, { sets: [fields], said: planRefusals }),
    body: html`${plan === undefined && html`<p>${t(text.intro)}</p>`}
${renderConflict(context, again && { ...again, stored, fields, within: 'plan' })}${readForm(inside, undefined, { id: 'plan', draft: 'plan' })}`,
  })
}

const store = async (context: PageContext, typed: Pairs): Promise<string> => {
  const { seo_title: title, seo_description: description, length, unit, ...rest } = fields.body(typed, context)
  const body = {
    ...rest,
    length: length === null ? null : { [unit === 'months' ? 'months' : 'days']: length },
    seo: { title, description },
  }
  const { id } = await context.call(
    isNew(context)
      ? { operation: 'createMembershipPlan', body, ...formKeyIn(typed), returns: MembershipPlan }
      : {
          operation: 'updateMembershipPlan',
          params: readParams(context),
          body,
          revision: revisionIn(typed),
          returns: MembershipPlan,
        },
  )
  return `/staff/plans/${id}?done=${isNew(context) ? 'created' : 'changed'}`
}

const submit = (context: StaffContext, typed: Pairs): Promise<Reply> =>
  formField(typed, 'act') === TAKE_THEIRS
    ? show(context, { act: TAKE_THEIRS, typed })
    : shownAgain(
        () => store(context, typed),
        refusal => show(context, { act: 'save', typed, refusal }),
      )

/** GET and POST /staff/plans/new and /staff/plans/:id/edit. */
export const planEdit = [
  page('GET /staff/plans/new', staff, context => show(context)),
  form('POST /staff/plans/new', staff, submit),
  page('GET /staff/plans/:id/edit', staff, context => show(context)),
  form('POST /staff/plans/:id/edit', staff, submit),
]
