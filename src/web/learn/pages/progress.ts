import { type Html, html } from '#src/kit/html.ts'
import type { LearnContext } from '../parts.ts'
import { learnText as text } from '../text.ts'

/** A bar with the completed share of a course in percent; `label` names it for screen readers, `words` are beside it. */
export const progressBar = (percent: number, { t }: LearnContext, words = t(text.progress, { percent })): Html =>
  html`<div class="progress"><progress max="100" value="${percent}" aria-label="${t(text.progressLabel)}">${percent} %</progress> <span class="progress-words">${words}</span></div>`
