import { fill, type Phrase } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { formatInput } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { readDecimal } from '#src/kit/typed-numbers.ts'
import { texts } from '#src/texts/index.ts'
import { choice, type Field, fieldsFor, markdown, percent, text as textField, whole } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { plainEditor } from '../../texts/index.ts'
import type { QuestionView } from './quiz-place.ts'

const { quiz: text } = texts.staff.lessons

/** How a question is answered. */
export type QuestionKind = QuestionView['kind']

const ROWS = 4
const MORE = 4
const MAX_ROWS = 50

const indexes = (form: Pairs): number[] =>
  form.flatMap(([name, value]) => {
    const [, index] = /^choice_(\d{1,2})$/.exec(name) ?? []
    return index === undefined || value.trim() === '' ? [] : [Number(index)]
  })

// How many lines for choices a form has: those that are written, and some more.
const countRows = (form: Pairs): number => {
  const rows = Number(formField(form, 'rows')) || ROWS
  const written = Math.max(0, ...indexes(form).map(index => index + 1))
  return Math.min(MAX_ROWS, Math.max(rows, written) + (formField(form, 'act') === 'more' ? MORE : 0))
}

const isCorrect = (form: Pairs, index: number): boolean =>
  form.some(([name, value]) => name === 'correct' && value === String(index))

type Choice = { readonly id?: string; readonly text: string; readonly is_correct: boolean }

// Whoever looks at the form says the kind of its question in a field that is not sent.
const choices: Field<readonly Choice[]> = {
  kind: 'group',
  read: form =>
    indexes(form).map(index => {
      const id = formField(form, `choice_id_${index}`)
      const text = formField(form, `choice_${index}`).replaceAll('\r\n', '\n').trim()
      return { ...(id === '' ? {} : { id }), text, is_correct: isCorrect(form, index) }
    }),
  write: all => [
    ['rows', String(all.length + 1)],
    ...all.flatMap(({ id = '', text, is_correct }, index): [string, string][] => [
      [`choice_${index}`, text],
      [`choice_id_${index}`, id],
      ...(is_correct ? [['correct', String(index)] satisfies [string, string]] : []),
    ]),
  ],
  control({ typed, language }) {
    const isSingle = formField(typed, 'kind') === 'single'
    const say = (phrase: Phrase, n = 0): string => fill(phrase, language, { n })
    const row = (index: number): Html => {
      const [n, id] = [index + 1, formField(typed, `choice_id_${index}`)]
      const label = say(text.choice, n)
      return html`<div class="choice"><input type="${isSingle ? 'radio' : 'checkbox'}" name="correct" value="${index}" aria-label="${say(text.correct, n)}"${isCorrect(typed, index) && html` checked`}><input type="text" name="choice_${index}" maxlength="1000" value="${formField(typed, `choice_${index}`)}" aria-label="${label}" placeholder="${label}">${id !== '' && html`<input type="hidden" name="choice_id_${index}" value="${id}" data-part>`}</div>
`
    }
    const rows = countRows(typed)
    return html`<p class="quiet">${say(isSingle ? text.choicesSingle : text.choicesMultiple)}</p>
<input type="hidden" name="rows" value="${rows}" data-part>
${Array.from({ length: rows }, (_, index) => row(index))}
<button class="plain" type="submit" name="act" value="more" formnovalidate>${say(text.more)}</button>`
  },
}

// What is not a number is left for the operation to refuse.
const decimal = <Empty extends string | null>(empty: Empty): Field<string | Empty> => ({
  ...percent(),
  read: (form, name, { language }) => {
    const typed = formField(form, name).trim()
    return (readDecimal(typed, language) ?? typed) || empty
  },
  write: (value, name, { language }) => [[name, formatInput(value, language)]],
})

const lines: Field<string[]> = {
  ...textField({ most: 100_000, rows: 4 }),
  read: (form, name) =>
    formField(form, name)
      .split(/\r?\n/)
      .map(line => line.trim())
      .filter(line => line !== ''),
  write: (all, name) => [[name, all.join('\n')]],
}

const points: Field<number> = { ...whole(), read: (form, name, reader) => whole().read(form, name, reader) ?? 1 }

/** The fields of the form of a question. */
export const questionFields = fieldsFor<Omit<QuestionView, 'choices'> & { readonly choices: readonly Choice[] }>()(
  text.questionFields,
  {
    prompt: markdown({ most: 10_000, rows: 4, editor: plainEditor('prompt') }),
    choices,
    grading: choice(['automatic', 'manual']),
    accepted_answers: lines,
    value: decimal(null),
    tolerance: decimal('0'),
    points,
    explanation: markdown({ most: 10_000, rows: 4, editor: plainEditor('explanation') }),
  },
)

/** The rows of the form that say how a question of a kind is answered. */
export const answerRows = (kind: QuestionKind) => {
  if (kind === 'number') return [['value', 'tolerance']] as const
  return kind === 'text' ? (['grading', 'accepted_answers'] as const) : (['choices'] as const)
}

/** What the form of a question says, as the operations take it. */
export const questionBody = (context: StaffContext, typed: Pairs, kind: QuestionKind) =>
  questionFields.body(typed, context, ['prompt', 'points', 'explanation', ...answerRows(kind).flat()])

/** A new question. */
export const blankQuestion: Partial<QuestionView> = { points: 1, grading: 'automatic', tolerance: '0' }
