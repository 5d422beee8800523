import { fill } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { inSchool, markdown } from '#src/web/site/index.ts'
import type { LearnContext } from '../parts.ts'
import type { AttemptView } from '../quiz.ts'
import { quizText as text } from '../quiz-text.ts'

/** A question of an attempt. */
export type Question = AttemptView['questions'][number]

// Markdown that is one paragraph, without the paragraph, for places where no blocks are allowed; else the text as it is.
const asPhrase = (source: string): Html => {
  const [, inside] = /^\s*<p>((?:(?!<\/?p>)[\s\S])*)<\/p>\s*$/.exec(markdown(4, source).html) ?? []
  return inside === undefined ? html`${source}` : { html: inside }
}

/** The text of a choice. */
export const choiceText = (choice: string, context: LearnContext): Html =>
  html`<span class="choice-text"${inSchool(context)}>${asPhrase(choice)}</span>`

/** The number, the points and the text of a question; `id` begins the ids of both elements. */
export const questionHead = (
  question: Question,
  { n, all }: { n: number; all: number },
  context: LearnContext,
): Html => {
  const { t, language } = context
  const points = fill(text.points, language, { n: question.points_possible })
  return html`<h3 class="question-number" id="q${n}">${t(text.question, { n, all })} <span class="quiet">${points}</span></h3>
<div class="prose" id="q${n}-text"${inSchool(context)}>${markdown(4, question.prompt)}</div>`
}
