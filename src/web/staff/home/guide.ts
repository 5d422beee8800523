import type { Static } from 'typebox'
import { type Guide, type GuideStep, guideSteps } from '#src/areas/school/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../audience.ts'
import { type Entry, findPlace } from '../console/entries.ts'
import { staffText } from '../pages/text.ts'

const { guide: text } = staffText.home

type Step = Static<typeof Guide>['steps'][number]

const paths: Readonly<Record<GuideStep, `/staff/${string}`>> = {
  name: '/staff/settings',
  appearance: '/staff/appearance',
  seller: '/staff/settings/seller',
  payments: '/staff/payments',
  course: '/staff/courses/new',
  price: '/staff/courses',
  publication: '/staff/courses',
  invitation: '/staff/invitations',
}

/** The steps that a form skips. */
export const stepsIn = (form: Pairs): GuideStep[] =>
  guideSteps.filter(step => form.some(([name, value]) => name === 'step' && value === step))

const skipForm = (steps: readonly GuideStep[], label: string, about: string, { form }: StaffContext): Html =>
  form(
    html`${steps.map(step => hidden({ step }))}<button type="submit" class="small" aria-label="${about}">${label}</button>`,
    '/staff/guide',
  )

const openStep = (step: GuideStep, entries: readonly Entry[], context: StaffContext): Html => {
  const { t } = context
  const name = t(text.steps[step])
  const skip = t(text.skip)
  const hasPage = findPlace(entries, paths[step]) !== undefined
  return html`<li class="act"><div>${hasPage ? html`<a href="${paths[step]}">${name}</a>` : html`<strong>${name}</strong>`}
<span class="quiet line">${t(text.about[step])}</span></div>${skipForm([step], skip, `${skip}: ${name}`, context)}</li>
`
}

const closedStep = ({ step, state }: Step, { t }: StaffContext): Html =>
  html`<li class="act"><span class="quiet">${t(text.steps[step])}</span><span class="quiet">${t(state === 'skipped' ? text.skipped : text.done)}</span></li>
`

/** The guide for the first run; nothing once no step is open. */
export const renderGuide = (
  context: StaffContext,
  steps: readonly Step[],
  entries: readonly Entry[],
): Html | undefined => {
  const { t } = context
  const open = steps.filter(({ state }) => state === 'open').map(({ step }) => step)
  if (open.length === 0) return undefined
  const all = t(text.skipAll)
  return html`<section class="card guide" aria-labelledby="guide">
<h2 id="guide">${t(text.title)}</h2>
<ol class="list">
${steps.map(step => (step.state === 'open' ? openStep(step.step, entries, context) : closedStep(step, context)))}</ol>
${open.length > 1 && skipForm(open, all, all, context)}
</section>`
}
