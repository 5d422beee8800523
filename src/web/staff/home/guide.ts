import type { Static } from 'typebox'
import { Guide, type GuideStep, guideSteps } from '#src/areas/console/index.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../audience.ts'
import { senderQuery } from '../parts.ts'
import { stepIcons } from './icons.ts'

const text = texts.staff.home.guide

type Steps = Static<typeof Guide>['steps']
type Step = Steps[number]

const paths: Readonly<Record<GuideStep, `/staff/${string}`>> = {
  appearance: '/staff/appearance',
  seller: '/staff/settings/seller',
  payments: '/staff/payments',
  mail: '/staff/settings/mail',
  domain: '/staff/settings/domain',
  price: '/staff/courses/new',
  publication: '/staff/courses',
}

/** The steps of the guide as the school stands now. */
export const readSteps = async ({ call, parts }: StaffContext): Promise<Steps> =>
  (await call({ operation: 'getGuide', query: senderQuery(parts), returns: Guide })).steps

/** The steps that a form puts off. */
export const stepsIn = (form: Pairs): GuideStep[] =>
  guideSteps.filter(step => form.some(([name, value]) => name === 'step' && value === step))

const renderLater = (step: GuideStep, { t, form }: StaffContext): Html =>
  form(
    html`${hidden({ step })}<button type="submit" class="bare" aria-label="${t(text.laterOf, { step: t(text.steps[step].name) })}">${t(text.later)}</button>`,
    '/staff/guide',
  )

const renderMissing = ({ missing }: Step, { t }: StaffContext): Html =>
  html`${missing.map(lack => html`<p class="quiet s14">${t(text.missing[lack])}</p>\n`)}`

const renderStep = (step: Step, context: StaffContext, more: Html | false = false): Html => {
  const { t } = context
  const { step: name, state } = step
  return html`<li class="${state === 'done' ? 'good' : 'plain'}">${stepIcons[state]}<div><a href="${paths[name]}">${t(text.steps[name].name)}</a> <span class="quiet s13">${t(text.states[state])}</span>
${renderMissing(step, context)}${more}</div></li>
`
}

const renderNext = (step: Step, context: StaffContext): Html => {
  const { t } = context
  const { name, button, about } = text.steps[step.step]
  return html`<div class="stack s mt"><h3>${t(text.next, { step: t(name) })}</h3>
<p class="quiet s14">${t(about)}</p>
${renderMissing(step, context)}<div class="row"><a class="button main" href="${paths[step.step]}">${t(button)}</a>${renderLater(step.step, context)}</div></div>
`
}

const countDone = (steps: Steps): number => steps.filter(({ state }) => state === 'done').length

const renderBar = (steps: Steps, { t }: StaffContext): Html => {
  const [done, all] = [countDone(steps), steps.length]
  return html`<progress class="full" max="${all}" value="${done}" aria-label="${t(text.progress, { done, all })}"></progress>`
}

/** The next step of the guide, and all of them folded; nothing once every step is done or put off. */
export const renderGuide = (context: StaffContext, steps: Steps): Html | false => {
  const { t } = context
  const next = steps.find(({ state }) => state === 'open')
  if (next === undefined) return false
  return html`<section class="card guide" aria-labelledby="guide"><header><h2 id="guide">${t(text.title)}</h2><span class="quiet s13">${t(text.of, { done: countDone(steps), all: steps.length })}</span></header>
${renderBar(steps, context)}
${renderNext(next, context)}<details class="fold mt"><summary>${t(text.all)}</summary>
<ul class="effects">
${steps.map(step => renderStep(step, context))}</ul></details>
</section>
`
}

/** Every step of the guide, on a page of its own. */
export const renderAllSteps = (context: StaffContext, steps: Steps): Html => {
  const { t } = context
  const isReady = steps.every(({ state }) => state === 'done')
  return html`<section class="card">${renderBar(steps, context)}
<p class="quiet">${t(isReady ? text.ready : text.progress, { done: countDone(steps), all: steps.length })}</p>
<ul class="effects">
${steps.map(step => renderStep(step, context, step.state === 'open' && renderLater(step.step, context)))}</ul>
</section>`
}
