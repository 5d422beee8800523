import type { Language } from '#src/contract/language.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { readWhole } from '#src/kit/typed-numbers.ts'
import { positiveAmount, typedNote } from './acts.ts'
import type { OrderShown } from './waiting.ts'

/** What staff decide about the access of a line: `auto` ends it when nothing of the line is left. */
export const accessChoices = ['auto', 'ends', 'keeps'] as const

/** The names of the fields of a line. */
export const lineFields = (lineId: string) => ({
  chosen: `line_${lineId}`,
  quantity: `quantity_${lineId}`,
  amount: `amount_${lineId}`,
  access: `access_${lineId}`,
})

const typedQuantity = (text: string, pointer: string): number | undefined => {
  if (text.trim() === '') return undefined
  const quantity = readWhole(text, 4)
  if (quantity === undefined || quantity === 0)
    refuseInvalid([{ pointer, code: 'quantity', message: 'is not a quantity' }])
  return quantity
}

const lineOf = (form: Pairs, id: string, { currency }: OrderShown, language: Language) => {
  const names = lineFields(id)
  const amount = positiveAmount(formField(form, names.amount), { pointer: '/lines', currency, language })
  const quantity = typedQuantity(formField(form, names.quantity), '/lines')
  const access = formField(form, names.access)
  return {
    line_id: id,
    ...(amount === undefined ? {} : { amount }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(access === 'ends' || access === 'keeps' ? { ends_access: access === 'ends' } : {}),
  }
}

/** The refund that a form describes, as the operation takes it. Refuses amounts and quantities that are none. */
export const refundOf = (form: Pairs, order: OrderShown, language: Language): Record<string, unknown> => {
  const note = typedNote(form)
  const rest = { reason: formField(form, 'reason'), ...(note === undefined ? {} : { note }) }
  if (formField(form, 'what') !== 'lines') return rest
  const chosen = order.lines.filter(({ id }) => formField(form, lineFields(id).chosen) === 'yes')
  if (chosen.length === 0) refuseInvalid([{ pointer: '/chosen', code: 'required', message: 'names no line' }])
  return { ...rest, lines: chosen.map(({ id }) => lineOf(form, id, order, language)) }
}
