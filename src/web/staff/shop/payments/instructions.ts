import { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { showIban } from '#src/kit/iban.ts'
import { texts } from '#src/texts/index.ts'
import { fieldsFor, hidden, mainButton, optionalLine, optionalText } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import type { Named, Provider } from './provider.ts'

const text = texts.staff.payments

/** What buyers are told who pay by bank transfer; an empty field is left out of it. */
export const instructionFields = fieldsFor<NonNullable<Provider['instructions']>>()(text.fields, {
  account_holder: optionalLine({ most: 120 }),
  iban: optionalLine({ most: 42 }),
  text: optionalText({ most: 2000, rows: 4 }),
})

// The fields of the instructions are a part of the body; their errors stand at them.
const toFields = (refusal: Refusal | undefined): Refusal | undefined => {
  if (refusal?.extras.errors === undefined) return refusal
  const errors = refusal.extras.errors.map(one => ({ ...one, pointer: one.pointer.replace('/instructions', '') }))
  return new Refusal(refusal.problem, refusal.message, { ...refusal.extras, errors })
}

/** The form that turns bank transfers on, or changes what buyers are told. */
export const renderInstructions = (
  { stored }: Named,
  context: StaffContext,
  { typed, refusal }: { readonly typed: Pairs | undefined; readonly refusal: Refusal | undefined },
): Html => {
  const { t, language, form } = context
  const iban = stored?.instructions?.iban ?? null
  const kept = { ...stored?.instructions, iban: iban === null ? null : showIban(iban) }
  const state = { language, typed: typed ?? instructionFields.pairs(kept, context), refusal: toFields(refusal) }
  return html`<h2>${t(text.add.instructions)}</h2>
<p class="quiet">${t(text.add.instructionsAbout)}</p>
${form(html`${hidden({ act: 'set' })}${instructionFields.rows(state, ['account_holder', 'iban', 'text'])}
${mainButton(t(stored === undefined ? text.add.manual : texts.words.save))}`)}`
}
