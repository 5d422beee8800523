import type { Static } from 'typebox'
import { type Guide, type GuideStep, guideSteps } from '#src/areas/school/index.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, hidden } from '#src/web/page/index.ts'
import { staffText } from '../pages/text.ts'
import type { StaffEntry } from '../section.ts'

const { guide: text } = staffText.home

type Step = Static<typeof Guide>['steps'][number]

type GuideView = {
  readonly steps: readonly Step[]
  readonly entries: readonly StaffEntry[]
  readonly language: Language
  readonly token: string
}

const paths: Readonly<Record<GuideStep, StaffEntry['path']>> = {
  name: '/staff/settings',
  appearance: '/staff/appearance',
  course: '/staff/courses/new',
  invitation: '/staff/invitations',
}

/** The steps that a form skips. */
export const stepsIn = (form: Pairs): GuideStep[] =>
  guideSteps.filter(step => form.some(([name, value]) => name === 'step' && value === step))

const skipForm = (steps: readonly GuideStep[], label: string, about: string, token: string): Html =>
  formOf(
    '/staff/guide',
    token,
    html`${steps.map(step => hidden({ step }))}<button type="submit" class="small" aria-label="${about}">${label}</button>`,
  )

const openStep = (step: GuideStep, { entries, language, token }: GuideView): Html => {
  const name = fill(text.steps[step], language)
  const skip = fill(text.skip, language)
  const hasPage = entries.some(({ path }) => paths[step] === path || paths[step].startsWith(`${path}/`))
  return html`<li class="act"><div>${hasPage ? html`<a href="${paths[step]}">${name}</a>` : html`<strong>${name}</strong>`}
<span class="quiet line">${fill(text.about[step], language)}</span></div>${skipForm([step], skip, `${skip}: ${name}`, token)}</li>
`
}

const closedStep = ({ step, state }: Step, language: Language): Html =>
  html`<li class="act"><span class="quiet">${fill(text.steps[step], language)}</span><span class="quiet">${fill(state === 'skipped' ? text.skipped : text.done, language)}</span></li>
`

/** The guide for the first run; nothing once no step is open. */
export const guideOf = (view: GuideView): Html | undefined => {
  const { steps, language, token } = view
  const open = steps.filter(({ state }) => state === 'open').map(({ step }) => step)
  if (open.length === 0) return undefined
  const all = fill(text.skipAll, language)
  return html`<section class="card guide" aria-labelledby="guide">
<h2 id="guide">${fill(text.title, language)}</h2>
<ol class="list">
${steps.map(step => (step.state === 'open' ? openStep(step.step, view) : closedStep(step, language)))}</ol>
${open.length > 1 && skipForm(open, all, all, token)}
</section>`
}
