import type { Pairs } from '#src/kit/form.ts'
import { escapeHtml } from '#src/kit/html.ts'

const FORM = /<form\b([^>]*)>([\s\S]*?)<\/form>/g
const CONTROL = /<input\b[^>]*>|<textarea\b[^>]*>[\s\S]*?<\/textarea>|<select\b[^>]*>[\s\S]*?<\/select>/g
const BUTTON = /<button\b[^>]*>/g
// These name the version and the sending of a form, not what it is about.
const OWN = ['token', 'revision', 'form_key']

/** The value of an attribute as it is written, escaped. Our own pages quote every value. */
export const readAttribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]

const writeAttribute = (tag: string, name: string, value: string): string => {
  const attribute = ` ${name}="${escapeHtml(value)}"`
  const found = new RegExp(`\\s${name}="[^"]*"`)
  return found.test(tag) ? tag.replace(found, () => attribute) : tag.replace(/\s*\/?>$/, () => `${attribute}>`)
}

const mark = (tag: string, attribute: 'checked' | 'selected', isMarked: boolean): string => {
  const bare = tag.replace(new RegExp(`\\s${attribute}(?:="[^"]*")?(?=[\\s>])`), '')
  return isMarked ? bare.replace(/>$/, ` ${attribute}>`) : bare
}

type Typed = ReadonlyMap<string, readonly string[]>

const groupPairs = (pairs: Pairs): Typed => {
  const groups = new Map<string, string[]>()
  for (const [name, value] of pairs) groups.set(escapeHtml(name), [...(groups.get(escapeHtml(name)) ?? []), value])
  return groups
}

const has = (typed: Typed, tag: string): boolean =>
  typed.get(readAttribute(tag, 'name') ?? '')?.some(value => escapeHtml(value) === readAttribute(tag, 'value')) === true

// How well a form is the one that was posted; undefined for another one.
const scoreForm = (head: string, inside: string, path: string, typed: Typed): number | undefined => {
  if (readAttribute(head, 'action')?.replace(/\?.*/, '') !== path) return undefined
  const controls = [...inside.matchAll(CONTROL)].map(([control]) => control)
  const named = controls.filter(
    tag => readAttribute(tag, 'type') === 'hidden' && !OWN.includes(readAttribute(tag, 'name') ?? ''),
  )
  if (!named.every(tag => has(typed, tag))) return undefined
  const pressed = [...inside.matchAll(BUTTON)].some(
    ([tag]) => readAttribute(tag, 'name') !== undefined && has(typed, tag),
  )
  const known = controls.filter(tag => typed.has(readAttribute(tag, 'name') ?? ''))
  return (pressed ? 1000 : 0) + 10 * named.length + known.length
}

// Fields with one name are filled in their order.
const fillControls = (inside: string, typed: Typed, handle: string): string => {
  const places = new Map<string, number>()
  const next = (name: string): string | undefined => {
    const place = places.get(name) ?? 0
    places.set(name, place + 1)
    return typed.get(name)?.[place]
  }
  return inside.replace(CONTROL, control => {
    const name = readAttribute(control.slice(0, control.indexOf('>') + 1), 'name') ?? ''
    const type = readAttribute(control.slice(0, control.indexOf('>') + 1), 'type')
    if (name === 'token') {
      const [id, mac] = (readAttribute(control, 'value') ?? '').split('.')
      return writeAttribute(control, 'value', `${id}.${mac}.${handle}`)
    }
    if (control.startsWith('<select')) return fillSelect(control, typed.get(name))
    if (type === 'checkbox' || type === 'radio') return mark(control, 'checked', has(typed, withValue(control)))
    const value = next(name)
    if (value === undefined || type === 'password' || type === 'file') return control
    if (!control.startsWith('<textarea')) return writeAttribute(control, 'value', value)
    return control.replace(/>[\s\S]*<\/textarea>$/, () => `>\n${escapeHtml(value)}</textarea>`)
  })
}

// A box without a value sends "on".
const withValue = (tag: string): string =>
  readAttribute(tag, 'value') === undefined ? writeAttribute(tag, 'value', 'on') : tag

const fillSelect = (select: string, values: readonly string[] | undefined): string => {
  const chosen = new Set(values?.map(escapeHtml))
  const options = [...select.matchAll(/<option\b[^>]*>/g)].map(([tag]) => readAttribute(tag, 'value') ?? '')
  if (!options.some(option => chosen.has(option))) return select
  return select.replace(/<option\b[^>]*>/g, tag => mark(tag, 'selected', chosen.has(readAttribute(tag, 'value') ?? '')))
}

const openDetails = (before: string): string => {
  const at = before.lastIndexOf('<details')
  if (at < 0 || before.indexOf('</details>', at) >= 0) return before
  return (
    before.slice(0, at) +
    before
      .slice(at)
      .replace(/^<details\b([^>]*)>/, (tag, rest: string) => (/\sopen\b/.test(rest) ? tag : `<details${rest} open>`))
  )
}

/** Finds the form of a page that was posted to this path with these fields. */
export const findForm = (
  body: string,
  path: string,
  pairs: Pairs,
): { readonly at: number; readonly text: string } | undefined => {
  const typed = groupPairs(pairs)
  let best: { readonly at: number; readonly text: string; readonly score: number } | undefined
  for (const found of body.matchAll(FORM)) {
    const [text, head = '', inside = ''] = found
    const score = scoreForm(head, inside, escapeHtml(path), typed)
    if (score !== undefined && score > (best?.score ?? -1)) best = { at: found.index, text, score }
  }
  return best
}

const UNSAVED = ' data-unsaved'

const writeUnsaved = (form: string): string => {
  const end = form.indexOf('>')
  const head = form.slice(0, end)
  return head.includes(' data-draft="') && !head.includes(UNSAVED) ? `${head}${UNSAVED}${form.slice(end)}` : form
}

/** Marks the form of a page that was posted, for the modules: it shows what was typed and is not stored. */
export const markUnsaved = (body: string, path: string, pairs: Pairs): string => {
  const found = body.includes(' data-draft="') ? findForm(body, path, pairs) : undefined
  if (found === undefined) return body
  const { at, text } = found
  return body.slice(0, at) + writeUnsaved(text) + body.slice(at + text.length)
}

/**
 * Fills what was typed into the form of a page that was posted, with the token of its handle, its revision and its key; so a page
 * that shows only refusals shows it, or nothing that was typed, too. Passwords and files were not kept.
 */
export const refill = (
  body: string,
  { path, typed, handle }: { readonly path: string; readonly typed: Pairs; readonly handle: string },
): string => {
  const found = findForm(body, path, typed)
  if (found === undefined) return body
  const { at, text } = found
  const filled = openDetails(body.slice(0, at)) + writeUnsaved(fillControls(text, groupPairs(typed), handle))
  return filled + body.slice(at + text.length)
}
