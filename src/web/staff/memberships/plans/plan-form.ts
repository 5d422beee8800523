import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { PlanShown } from './shown.ts'

const textOf = (form: Pairs, name: string): string => formField(form, name).replaceAll('\r\n', '\n').trim()

const orNull = (text: string): string | null => (text === '' ? null : text)

const lengthIn = (form: Pairs): Record<string, number> | null => {
  const typed = textOf(form, 'length')
  if (typed === '') return null
  if (!/^\d{1,6}$/.test(typed)) refuseInvalid([{ pointer: '/length', code: 'integer', message: 'is not a number' }])
  return formField(form, 'unit') === 'months' ? { months: Number(typed) } : { days: Number(typed) }
}

/** The settings of a plan that a form has, as the operations take them; a new plan gets its address from its name. */
export const settingsIn = (form: Pairs): Record<string, unknown> => {
  const slug = textOf(form, 'slug')
  return {
    name: textOf(form, 'name'),
    ...(slug === '' ? {} : { slug }),
    plan_type: formField(form, 'plan_type'),
    ends_on: orNull(textOf(form, 'ends_on')),
    length: lengthIn(form),
    description: textOf(form, 'description'),
    benefits: textOf(form, 'benefits')
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== ''),
    opens_posts: formField(form, 'opens_posts') === 'yes',
    visibility: formField(form, 'visibility'),
    seo: { title: orNull(textOf(form, 'seo_title')), description: orNull(textOf(form, 'seo_description')) },
  }
}

const lengthOf = ({ length }: PlanShown): [string, string] => {
  if (length === null) return ['', 'months']
  return 'months' in length ? [String(length.months), 'months'] : [String(length.days), 'days']
}

/** A plan as a form shows it. */
export const formOfPlan = (plan: PlanShown): Pairs => {
  const [length, unit] = lengthOf(plan)
  return [
    ['name', plan.name],
    ['slug', plan.slug],
    ['plan_type', plan.plan_type],
    ['ends_on', plan.ends_on ?? ''],
    ['length', length],
    ['unit', unit],
    ['description', plan.description],
    ['benefits', plan.benefits.join('\n')],
    ['opens_posts', plan.opens_posts ? 'yes' : ''],
    ['visibility', plan.visibility],
    ['seo_title', plan.seo.title ?? ''],
    ['seo_description', plan.seo.description ?? ''],
  ]
}

/** A new plan as a form shows it. */
export const blankForm: Pairs = [
  ['plan_type', 'recurring'],
  ['unit', 'months'],
  ['visibility', 'listed'],
]
