import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { PageRequest } from '../respond.ts'

const text = texts.learn.common

/** A bar with the completed share of a course in percent; screen readers get its name, and `words` are beside it. */
export const progressBar = (
  percent: number,
  { language }: Pick<PageRequest, 'language'>,
  words = fill(text.progress, language, { percent }),
): Html =>
  html`<div class="progress"><progress max="100" value="${percent}" aria-label="${fill(text.progressLabel, language)}">${percent} %</progress>${words !== '' && html` <span class="progress-words">${words}</span>`}</div>`
