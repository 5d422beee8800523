import { Event, Occurrence } from '#src/areas/events/index.ts'
import { checkAnswers, type Field } from '#src/areas/publishing/index.ts'
import type { Language } from '#src/contract/language.ts'
import type { Pairs } from '#src/kit/form.ts'
import { formatInput } from '#src/kit/format.ts'
import { AGAIN, askAgain } from '#src/web/account/index.ts'
import { answersIn, completeField, errorsByField, nameInput } from '#src/web/questions/index.ts'
import type { Cart } from './address.ts'
import type { CheckoutContext } from './parts.ts'
import type { QuoteView } from './quote.ts'

/** What the event of a line asks; the ids of the fields name the price, since two events can use the same ids. */
type Asked = { readonly priceId: string; readonly name: string; readonly fields: readonly Field[] }

/** The questions of a purchase with what was typed, and the codes of the errors by field. */
export type Questions = {
  readonly asked: readonly Asked[]
  readonly typed: Pairs
  readonly errors: ReadonlyMap<string, string>
}

const named = (priceId: string, id: string): string => `${priceId}.${id}`

/** The id of what the page says is wrong with the answer to a question, by its name in the errors. */
export const errorId = (name: string): string => `field-${name}-error`

const scoped = (priceId: string, field: Field): Field => ({
  ...field,
  id: named(priceId, field.id),
  show_if: field.show_if && { ...field.show_if, field_id: named(priceId, field.show_if.field_id) },
})

/** The questions of the events for which a purchase has tickets, and to whom has a seat already whether they want one more. */
export const readQuestions = async (context: CheckoutContext, { lines }: QuoteView): Promise<readonly Asked[]> => {
  const { call } = context
  const all = lines.map(async ({ price_id: priceId, name, occurrence_id }): Promise<Asked[]> => {
    if (occurrence_id === null) return []
    const params = { occurrence_id }
    const { event_id } = await call({ operation: 'getOccurrence', params, returns: Occurrence })
    const [{ questions }, again] = await Promise.all([
      call({ operation: 'getEvent', params: { event_id }, returns: Event }),
      askAgain(context, occurrence_id),
    ])
    const fields = [...again, ...questions.map(completeField)].map(field => scoped(priceId, field))
    return fields.length === 0 ? [] : [{ priceId, name, fields }]
  })
  return (await Promise.all(all)).flat()
}

const wordsIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.map(String)
  return [value === true ? 'yes' : String(value)]
}

/** The answers of a cart as its form sends them, in a language that decides how numbers are written. */
export const writeAnswers = ({ items }: Cart, language: Language): Pairs =>
  items.flatMap(({ price_id: priceId, answers = [] }) =>
    answers.flatMap(({ field_id: id, value }) =>
      (typeof value === 'number' ? [formatInput(String(value), language)] : wordsIn(value)).map(
        word => [nameInput(named(priceId, id)), word] as const,
      ),
    ),
  )

/** A cart with the answers of a form, and the questions with what is missing or wrong. */
export const answered = (
  cart: Cart,
  asked: readonly Asked[],
  typed: Pairs,
  language: Language,
): { readonly cart: Cart; readonly questions: Questions } => {
  const given = asked.map(({ priceId, fields }) => ({
    priceId,
    fields,
    answers: answersIn(typed, fields, { language }),
  }))
  const errors = new Map(
    given.flatMap(({ fields, answers }) => [...errorsByField(checkAnswers(fields, answers).errors, answers)]),
  )
  const items = cart.items.map(item => {
    const answers = given.find(({ priceId }) => priceId === item.price_id)?.answers ?? []
    const ofItem = answers
      .map(({ field_id: id, value }) => ({ field_id: id.slice(item.price_id.length + 1), value }))
      .filter(({ field_id: id }) => id !== AGAIN)
    return ofItem.length === 0 ? item : { ...item, answers: ofItem }
  })
  return { cart: { ...cart, items }, questions: { asked, typed, errors } }
}
