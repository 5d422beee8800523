import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { formOf, framed, hidden, mainButton, select } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { checkbox, field, inputs, textArea } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { type PlanShown, planPath } from './shown.ts'
import { planRefusals, plansText } from './text.ts'

const text = texts.staff.plans.editPage

type EditView = {
  readonly context: StaffContext
  readonly plan: PlanShown | undefined
  readonly typed: Pairs
  readonly refusal: Refusal | undefined
  readonly formKey: string
}

const choices = (phrases: Readonly<Record<string, Phrase>>, { context: { language } }: EditView) =>
  Object.entries(phrases).map(([value, phrase]) => ({ value, label: fill(phrase, language) }))

const chosen = (view: EditView, name: string, label: Phrase, phrases: Readonly<Record<string, Phrase>>): Html =>
  select(name, fill(label, view.context.language), formField(view.typed, name), choices(phrases, view))

const line = ({ typed, context: { language } }: EditView, name: string, label: Phrase, attributes: Html): Html =>
  field({ name, label: fill(label, language), value: formField(typed, name), attributes })

const words = (max: number): Html => html`type="text" maxlength="${max}" autocomplete="off"`

const durationFields = (view: EditView): Html => html`${chosen(view, 'plan_type', text.type, plansText.types)}
${line(view, 'ends_on', text.endsOn, inputs.day)}
<div class="pair"><div>${line(view, 'length', text.length, inputs.number)}</div>
<div>${chosen(view, 'unit', text.unit, text.units)}</div></div>`

const moreFields = (view: EditView): Html => {
  const { typed, context } = view
  const { t } = context
  return html`${field({ name: 'slug', label: t(text.slug), value: formField(typed, 'slug'), attributes: words(100), hint: t(text.slugHint) })}
${line(view, 'seo_title', text.seoTitle, words(120))}
${line(view, 'seo_description', text.seoDescription, words(320))}`
}

const isAboutMore = ({ refusal }: EditView): boolean =>
  refusal?.problem.code === 'slug_taken' ||
  ['slug', 'seo'].some(name => refusal?.extras.errors?.[0]?.pointer.startsWith(`/${name}`) === true)

const form = (view: EditView): Html => {
  const { context, plan, typed, formKey } = view
  const { t, request, token } = context
  const about = plan === undefined ? { form_key: formField(typed, 'form_key') || formKey } : { revision: plan.revision }
  const area = (name: string, label: Phrase, max: number): Html =>
    textArea({
      name,
      label: t(label),
      value: formField(typed, name),
      attributes: html`maxlength="${max}"${max > 5000 && html` class="long"`}`,
    })
  const inside = html`${hidden(about)}
${line(view, 'name', text.name, html`type="text" maxlength="200" autocomplete="off" required`)}
${durationFields(view)}
${area('benefits', text.benefits, 4500)}
${area('description', text.description, 10_000)}
${checkbox('opens_posts', t(text.posts), { isChecked: formField(typed, 'opens_posts') === 'yes' })}
${chosen(view, 'visibility', text.visibility, text.visibilities)}
<details class="filters"${isAboutMore(view) && html` open`}>
<summary>${t(text.more)}</summary>
${moreFields(view)}
</details>
${mainButton(t(plan === undefined ? text.create : text.save))}`
  return formOf(request.path, token, inside)
}

/** The form of a new plan, or of one that exists. */
export const editPage = (view: EditView): Reply => {
  const { context, plan, refusal } = view
  const { t, language, request } = context
  const [back, label] = plan === undefined ? ['/staff/plans', plansText.back] : [planPath(plan.id), plansText.backToOne]
  return framed({
    school: request.school,
    language,
    title: plan === undefined ? t(plansText.add) : t(text.title, { name: plan.name }),
    ...refusedIn(refusal, language, planRefusals),
    body: html`${plan === undefined && html`<p>${t(text.intro)}</p>`}
${form(view)}
<p class="quiet"><a href="${back}">${t(label)}</a></p>`,
  })
}
