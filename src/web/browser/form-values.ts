/** Names and values of fields, in their order. */
export type Typed = readonly (readonly [name: string, value: string])[]

/** What a form has: what was typed and chosen, on which revisions of what is stored, and in which parts, such as the blocks of a page. */
export type Content = { readonly typed: Typed; readonly on: Typed; readonly parts: Typed }

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

// Passwords, files, and what people do not see, are not kept.
const NOT_KEPT = /^(?:password|file|hidden|submit|button|image|reset)$/

// What was uploaded is kept by the module that uploads.
const UPLOADED = 'upload.'

const listControls = (form: HTMLFormElement): Control[] =>
  ([...form.elements] as Control[]).filter(
    control =>
      control.matches('input, select, textarea') &&
      control.name !== '' &&
      !control.name.startsWith(UPLOADED) &&
      !NOT_KEPT.test(control.type),
  )

const isTicked = (control: Control): control is HTMLInputElement => /^(?:checkbox|radio)$/.test(control.type)

const readValues = (control: Control): string[] => {
  if (isTicked(control)) return control.checked ? [control.value] : []
  if (control instanceof HTMLSelectElement) return [...control.selectedOptions].map(({ value }) => value)
  return [control.value]
}

const readDefault = (control: Control): string[] => {
  if (isTicked(control)) return control.defaultChecked ? [control.value] : []
  if (!(control instanceof HTMLSelectElement)) return [control.defaultValue]
  const options = [...control.options]
  const chosen = options.filter(({ defaultSelected }) => defaultSelected)
  return (chosen.length > 0 || control.multiple ? chosen : options.slice(0, 1)).map(({ value }) => value)
}

const listUnseen = (form: HTMLFormElement): HTMLInputElement[] =>
  [...form.elements].filter((one): one is HTMLInputElement => one.matches('input[type=hidden]'))

const isRevision = ({ name }: HTMLInputElement): boolean => /^(?:work_)?revision$/.test(name)

const isPart = ({ dataset }: HTMLInputElement): boolean => dataset.part !== undefined

const readContentBy = (form: HTMLFormElement, read: (control: Control) => string[], isSent: boolean): Content => {
  const unseen = (is: (field: HTMLInputElement) => boolean): Typed =>
    listUnseen(form)
      .filter(is)
      .map(field => [field.name, isSent ? field.defaultValue : field.value])
  return {
    typed: listControls(form).flatMap(control => read(control).map(value => [control.name, value] as const)),
    on: unseen(isRevision),
    parts: unseen(isPart),
  }
}

/** Reads what a form has now. */
export const readContent = (form: HTMLFormElement): Content => readContentBy(form, readValues, false)

/** Reads what a form had when the server sent it; a browser that loads a page again may fill in what was typed. */
export const readSent = (form: HTMLFormElement): Content => readContentBy(form, readDefault, true)

const choose = (control: Control, values: string[]): void => {
  if (isTicked(control)) control.checked = values.includes(control.value)
  else if (control instanceof HTMLSelectElement)
    for (const option of control.options) option.selected = values.includes(option.value)
  else control.value = values.shift() ?? control.value
}

const groupByName = (typed: Typed): Map<string, string[]> =>
  new Map([...Map.groupBy(typed, ([name]) => name)].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))

/** Fills a form with what it had, fields with one name in their order. Whoever shows a field in another way hears of it as of typing. */
export const fillTyped = (form: HTMLFormElement, { typed, on }: Content): void => {
  const left = groupByName(typed)
  const revisions = new Map(on)
  for (const field of listUnseen(form).filter(isRevision)) field.value = revisions.get(field.name) ?? field.value
  for (const control of listControls(form)) {
    choose(control, left.get(control.name) ?? [])
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
}

/** Types into another form what was typed into one since it had a content; returns whether that was anything. */
export const carryOver = (from: HTMLFormElement, had: Content, to: HTMLFormElement): boolean => {
  const [before, now] = [groupByName(had.typed), groupByName(readContent(from).typed)]
  const isCarried = ({ name }: Control): boolean =>
    JSON.stringify(now.get(name) ?? []) !== JSON.stringify(before.get(name) ?? [])
  const carried = listControls(to).filter(isCarried)
  for (const control of carried) {
    choose(control, now.get(control.name) ?? [])
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return carried.length > 0
}

/** Whether a form has the parts of a content. */
export const hasParts = (form: HTMLFormElement, { parts }: Content): boolean =>
  isSame(
    parts,
    listUnseen(form)
      .filter(isPart)
      .map(({ name, value }) => [name, value] as const),
  )

/** The fields of a form as they are sent, with another content in it. */
export const buildBody = (form: HTMLFormElement, { typed, on, parts }: Content): FormData => {
  const body = new FormData()
  const rest = listUnseen(form).filter(field => !isRevision(field) && !isPart(field))
  const pairs = [...rest.map(({ name, value }) => [name, value] as const), ...on, ...parts, ...typed]
  for (const [name, value] of pairs) body.append(name, value)
  return body
}

/** Whether two lists of fields are the same. */
export const isSame = (one: Typed, other: Typed): boolean => JSON.stringify(one) === JSON.stringify(other)

const tidy = (typed: Typed): Typed => typed.map(([name, value]) => [name, value.replaceAll('\r\n', '\n').trim()])

/** Whether two contents say the same; a server may trim what it stores. */
export const saysSame = (one: Content, other: Content): boolean =>
  isSame(tidy(one.typed), tidy(other.typed)) && isSame(one.parts, other.parts)
