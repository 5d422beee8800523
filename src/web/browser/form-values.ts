import type { Typed } from './draft-storage.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

// Passwords, files, and what people do not see, are not kept.
const NOT_KEPT = /^(?:password|file|hidden|submit|button|image|reset)$/

const listControls = (form: HTMLFormElement): Control[] =>
  ([...form.elements] as Control[]).filter(
    control => control.matches('input, select, textarea') && control.name !== '' && !NOT_KEPT.test(control.type),
  )

const isTicked = (control: Control): control is HTMLInputElement => /^(?:checkbox|radio)$/.test(control.type)

/** Reads what was typed and chosen in a form. */
export const readTyped = (form: HTMLFormElement): Typed =>
  listControls(form).flatMap((control): Typed => {
    if (isTicked(control)) return control.checked ? [[control.name, control.value]] : []
    if (control instanceof HTMLSelectElement)
      return [...control.selectedOptions].map(({ value }) => [control.name, value] as const)
    return [[control.name, control.value]]
  })

const readDefault = (control: Control): string[] => {
  if (isTicked(control)) return control.defaultChecked ? [control.value] : []
  if (!(control instanceof HTMLSelectElement)) return [control.defaultValue]
  const options = [...control.options]
  const chosen = options.filter(({ defaultSelected }) => defaultSelected)
  return (chosen.length > 0 || control.multiple ? chosen : options.slice(0, 1)).map(({ value }) => value)
}

/** Reads what a form had when the server sent it; a browser that loads a page again may fill in what was typed. */
export const readSent = (form: HTMLFormElement): Typed =>
  listControls(form).flatMap(control => readDefault(control).map(value => [control.name, value] as const))

const choose = (control: Control, values: string[]): void => {
  if (isTicked(control)) control.checked = values.includes(control.value)
  else if (control instanceof HTMLSelectElement)
    for (const option of control.options) option.selected = values.includes(option.value)
  else control.value = values.shift() ?? control.value
}

/** Fills what was typed into a form; fields with one name in their order. Whoever shows a field in another way hears of it as of typing. */
export const fillTyped = (form: HTMLFormElement, typed: Typed): void => {
  const values = Map.groupBy(typed, ([name]) => name)
  const left = new Map([...values].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
  for (const control of listControls(form)) {
    choose(control, left.get(control.name) ?? [])
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** Whether two forms have the same in them. */
export const isSame = (one: Typed, other: Typed): boolean => JSON.stringify(one) === JSON.stringify(other)
