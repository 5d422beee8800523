import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { learnText as text } from '../text.ts'
import type { Visit } from '../visit.ts'

/** A bar with the completed share of a course in percent; `label` names it for screen readers, `words` are beside it. */
export const progressBar = (
  percent: number,
  { language }: Pick<Visit, 'language'>,
  words = fill(text.progress, language, { percent }),
): Html =>
  html`<div class="progress"><progress max="100" value="${percent}" aria-label="${fill(text.progressLabel, language)}">${percent} %</progress> <span class="progress-words">${words}</span></div>`
