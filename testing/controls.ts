import type { TestReply } from './http.ts'

/** A field of a form that people see; `values` are those that it sends as it stands. */
export type Control = {
  readonly name: string
  readonly type: string
  readonly values: readonly string[]
  /** What can be chosen. */
  readonly options: readonly string[]
}

/** A form with what it sends unseen, the fields that people see, and its first button with a value. */
export type ShownForm = {
  readonly action: string
  readonly hidden: readonly (readonly [string, string])[]
  readonly controls: readonly Control[]
  readonly button: readonly (readonly [string, string])[]
}

const decode = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}(?:="([^"]*)")?(?=[\\s>])`).exec(tag)
  return found === null ? undefined : decode(found[1] ?? '')
}

const CONTROL = /<input\b[^>]*>|<textarea\b[^>]*>[\s\S]*?<\/textarea>|<select\b[^>]*>[\s\S]*?<\/select>/g

const readSelect = (tag: string, inside: string): Omit<Control, 'name'> => {
  const all = [...inside.matchAll(/<option\b[^>]*>/g)].map(([option]) => option)
  const options = all.map(option => attribute(option, 'value') ?? '')
  const selected = all.filter(option => attribute(option, 'selected') !== undefined)
  const values = selected.map(option => attribute(option, 'value') ?? '')
  const isOne = attribute(tag, 'multiple') === undefined
  return { type: 'select', values: isOne && values.length === 0 ? options.slice(0, 1) : values, options }
}

const readControl = (text: string): Control => {
  const [tag = ''] = /^<[^>]*>/.exec(text) ?? []
  const name = attribute(tag, 'name') ?? ''
  if (tag.startsWith('<select')) return { name, ...readSelect(tag, text) }
  if (tag.startsWith('<textarea')) {
    const [, inside = ''] = /^<[^>]*>\n?([\s\S]*)<\/textarea>$/.exec(text) ?? []
    return { name, type: 'textarea', values: [decode(inside)], options: [] }
  }
  const type = attribute(tag, 'type') ?? 'text'
  const value = attribute(tag, 'value') ?? ''
  if (type !== 'checkbox' && type !== 'radio') {
    const isNumber = attribute(tag, 'inputmode') !== undefined
    return { name, type: isNumber ? 'number' : type, values: [value], options: [] }
  }
  const isChecked = attribute(tag, 'checked') !== undefined
  return { name, type, values: isChecked ? [value] : [], options: [value] }
}

// Boxes and choices with one name are one field.
const joinChoices = (controls: readonly Control[]): Control[] => {
  const joined = new Map<string, Control>()
  for (const [at, control] of controls.entries()) {
    const isChoice = control.type === 'checkbox' || control.type === 'radio'
    const key = isChoice ? control.name : `${control.name} ${at}`
    const { values, options } = joined.get(key) ?? { values: [], options: [] }
    const joint = { values: [...values, ...control.values], options: [...options, ...control.options] }
    joined.set(key, isChoice ? { ...control, ...joint } : control)
  }
  return [...joined.values()]
}

/** The forms of a page that have a token. */
export const readShownForms = ({ text }: Pick<TestReply, 'text'>): ShownForm[] =>
  [...text.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)]
    .map(([, head = '', inside = '']): ShownForm => {
      const all = [...inside.matchAll(CONTROL)]
        .map(([control]) => readControl(control))
        .filter(({ name }) => name !== '')
      const buttons = [...inside.matchAll(/<button\b[^>]*\sname="[^>]*>/g)].map(
        ([tag]) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? ''] as const,
      )
      return {
        action: attribute(`${head}>`, 'action') ?? '',
        hidden: all.filter(({ type }) => type === 'hidden').map(({ name, values }) => [name, values[0] ?? ''] as const),
        controls: joinChoices(all.filter(({ type }) => type !== 'hidden')),
        button: buttons.slice(0, 1),
      }
    })
    .filter(({ hidden }) => hidden.some(([name]) => name === 'token'))

/** What the longest form of a page to a path sends as it stands, without its buttons and files. */
export const listSent = (page: Pick<TestReply, 'text'>, path: string): (readonly [string, string])[] => {
  const [form] = readShownForms(page)
    .filter(({ action }) => action === path)
    .toSorted((one, other) => other.controls.length - one.controls.length)
  if (form === undefined) throw new Error(`no form to ${path} on: ${page.text}`)
  const typed = form.controls.filter(({ type }) => type !== 'file')
  return [...form.hidden, ...typed.flatMap(({ name, values }) => values.map(value => [name, value] as const))]
}

const SAMPLES: Readonly<Record<string, string>> = {
  email: 'kept@crumb.example',
  url: 'https://kept.example/',
  password: 'a password of somebody',
  number: '7',
  date: '2027-03-04',
  time: '10:30',
  'datetime-local': '2027-03-04T10:30',
}

/** What a person types into a field: other than it shows, where it takes any text. */
export const typeInto = ({ type, values, options }: Control): readonly string[] => {
  if (type === 'file') return []
  if (type === 'checkbox') return options
  if (type === 'radio' || type === 'select') return options.slice(-1)
  const [value = ''] = values
  if (type === 'text' || type === 'textarea' || type === 'search') return [`${value} kept <b>"so"`.trim()]
  return [SAMPLES[type] === undefined || (type !== 'email' && type !== 'url' && value !== '') ? value : SAMPLES[type]]
}
