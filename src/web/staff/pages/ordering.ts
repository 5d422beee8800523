import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { readWhole } from '#src/kit/typed-numbers.ts'
import { texts } from '#src/texts/index.ts'
import { hidden } from '#src/web/page/index.ts'
import type { StaffContext } from '../audience.ts'

/** A row of a list that is in an order of its own: the field with its id, what it is called, and where it stands of how many. */
type Place = {
  readonly field: string
  readonly id: string
  readonly name: string
  readonly index: number
  readonly count: number
}

/** The acts of the forms of rows. */
export const orderActs = ['up', 'down', 'place'] as const

/** The form that moves a row one place up or down; with the module `order` the row is dragged to any place. */
export const renderPlace = ({ t, form }: StaffContext, { field, id, name, index, count }: Place): Html | false => {
  const button = (act: 'up' | 'down', sign: string): Html => {
    const label = t(act === 'up' ? texts.words.moveUp : texts.words.moveDown)
    return html`<button class="small" type="submit" name="act" value="${act}" aria-label="${label}: ${name}">${sign}</button>`
  }
  return (
    count > 1 &&
    form(
      html`${hidden({ [field]: id })}<span class="buttons" data-place>${index > 0 && button('up', '↑')}${index < count - 1 && button('down', '↓')}</span>`,
    )
  )
}

/** All ids in the order that a form of a row asks for; undefined where the row was removed meanwhile. */
export const readOrder = (ids: readonly string[], typed: Pairs, field: string): string[] | undefined => {
  const id = formField(typed, field)
  const at = ids.indexOf(id)
  if (at < 0) return undefined
  const steps = { up: at - 1, down: at + 1 }
  const act = formField(typed, 'act')
  const to = act === 'up' || act === 'down' ? steps[act] : (readWhole(formField(typed, 'to'), 4) ?? at)
  return ids.toSpliced(at, 1).toSpliced(Math.max(0, to), 0, id)
}
