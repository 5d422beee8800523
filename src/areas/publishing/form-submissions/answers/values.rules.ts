import { buildScale, type Field, MAX_TEXT } from '#src/areas/publishing/forms/index.ts'
import { fromId } from '#src/kit/ids.ts'
import { isDay } from '#src/kit/local-time.ts'
import { cleanEmail, cleanPhone, cleanTyped, isEmail, isLine, isStorable, isText, isVisible } from '#src/kit/text.ts'
import type { AnswerInput, StoredAnswer } from './schema.ts'

type Value = AnswerInput['value']
type StoredValue = StoredAnswer['value']

/** What is wrong with an answer, as the code and the message of an error. */
type Wrong = { readonly code: string; readonly message: string }

/** An answer that can be stored, or what is wrong with it; `empty`: nothing was answered. */
type Checked = { readonly value: StoredValue } | Wrong | 'empty'

const wrong = (code: string, message: string): Wrong => ({ code, message })

const MAX_HIDDEN = 500
const PATTERNS: Readonly<Record<string, RegExp>> = {
  digits: /^\d*$/,
  letters: /^[\p{L}\p{M} '’-]*$/u,
  letters_and_digits: /^[\p{L}\p{M}\p{N} '’-]*$/u,
}
const PHONE = /^\+?[\d ()./-]{5,30}$/
const LONGEST_URL = 2000

const isUrl = (text: string): boolean => {
  if (text.length > LONGEST_URL || !URL.canParse(text)) return false
  return ['http:', 'https:'].includes(new URL(text).protocol)
}

const checkLength = ({ min, max, pattern }: Field, text: string): Checked => {
  const length = Array.from(text).length
  if (length > (max ?? MAX_TEXT)) return wrong('maxLength', `has more than ${max ?? MAX_TEXT} characters`)
  if (length < (min ?? 0)) return wrong('minLength', `has less than ${min} characters`)
  const fits = pattern === null || PATTERNS[pattern]?.test(text) !== false
  return fits ? { value: text } : wrong('pattern', `may have ${pattern?.replaceAll('_', ' ')} alone`)
}

// Where a field expects one line, what nobody sees and what is typed by mistake is left out first.
const cleaners: Readonly<Partial<Record<Field['type'], (text: string) => string>>> = {
  text: cleanTyped,
  email: cleanEmail,
  phone: cleanPhone,
  url: cleanTyped,
  date: cleanTyped,
}

const ofForm = (fits: (text: string) => boolean, code: string, message: string) => (_: Field, text: string) =>
  fits(text) ? { value: text } : wrong(code, message)

const texts: Readonly<Partial<Record<Field['type'], (field: Field, text: string) => Checked>>> = {
  text: (field, text) => (isLine(text) ? checkLength(field, text) : wrong('line', 'must be one line')),
  long_text: checkLength,
  email: ofForm(isEmail, 'email', 'is not an e-mail address'),
  phone: ofForm(text => PHONE.test(text), 'phone', 'is not a telephone number'),
  url: ofForm(isUrl, 'url', 'is not an address of the web'),
  date: ofForm(isDay, 'date', 'is not a day, such as 2026-11-23'),
  hidden: (_, text) =>
    isLine(text) && text.length <= MAX_HIDDEN ? { value: text } : wrong('line', `must be one line of ${MAX_HIDDEN}`),
  choice: ({ options }, text) =>
    options.some(({ id }) => id === text) ? { value: text } : wrong('enum', 'is not an option'),
  file: (_, text) => {
    const id = fromId('fil', text)
    return id === undefined ? wrong('unknown', 'is not a file that was sent to this form') : { value: id }
  },
}

const checkText = (field: Field, input: Value): Checked => {
  if (typeof input !== 'string') return wrong('type', 'must be a text')
  const plain = input.normalize('NFC').replaceAll('\r\n', '\n').trim()
  const text = cleaners[field.type]?.(plain) ?? plain
  if (text === '') return 'empty'
  if (!isStorable(text) || !isText(text) || !isVisible(text)) return wrong('words', 'has no visible character')
  return texts[field.type]?.(field, text) ?? wrong('type', 'cannot be answered')
}

const checkNumber = ({ min, max }: Field, input: Value): Checked => {
  if (typeof input !== 'number' || !Number.isFinite(input)) return wrong('type', 'must be a number')
  if (min !== null && input < min) return wrong('minimum', `is less than ${min}`)
  return max !== null && input > max ? wrong('maximum', `is more than ${max}`) : { value: input }
}

const checkScale = (field: Field, input: Value): Checked => {
  const { from, to } = buildScale(field)
  const fits = typeof input === 'number' && Number.isInteger(input) && input >= from && input <= to
  return fits ? { value: input } : wrong('bounds', `must be a whole number from ${from} to ${to}`)
}

const checkChoices = ({ options, min, max }: Field, input: Value): Checked => {
  if (!Array.isArray(input)) return wrong('type', 'must be a list of options')
  if (input.length === 0) return 'empty'
  const known = new Set(options.map(({ id }) => id))
  const chosen = new Set<string>(input)
  if (chosen.size < input.length || [...chosen].some(id => !known.has(id)))
    return wrong('enum', 'are not options, each once')
  if (min !== null && chosen.size < min) return wrong('minItems', `are less than ${min}`)
  if (max !== null && chosen.size > max) return wrong('maxItems', `are more than ${max}`)
  return { value: options.filter(({ id }) => chosen.has(id)).map(({ id }) => id) }
}

const checkConsent = (_: Field, input: Value): Checked => {
  if (typeof input !== 'boolean') return wrong('type', 'must be true or false')
  return input ? { value: true } : 'empty'
}

const checks: Readonly<Partial<Record<Field['type'], (field: Field, input: Value) => Checked>>> = {
  number: checkNumber,
  scale: checkScale,
  choices: checkChoices,
  consent: checkConsent,
}

/** Checks one answer by its field. */
export const checkValue = (field: Field, input: Value): Checked => (checks[field.type] ?? checkText)(field, input)
