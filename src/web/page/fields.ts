import { refuseInvalid } from '#src/contract/problems.ts'
import { formField } from '#src/kit/form.ts'
import { formatAmount, formatInput } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { dayAt, daysAfter, isDay, isLocalTime, localAt, toInstant } from '#src/kit/local-time.ts'
import { cleanLine } from '#src/kit/text.ts'
import { readPercent, readWhole } from '#src/kit/typed-numbers.ts'
import { type Field, one, orNull, readLine, type Shown, type When } from './field.ts'
import { typedAmount } from './typed-amount.ts'

const input =
  (attributes: Html) =>
  ({ id, name, typed, about }: Shown): Html =>
    html`<input id="${id}" name="${name}" ${attributes} value="${formField(typed, name)}"${about}>`

type Bounded = When & { readonly most: number }

/** A line of text. */
export const line = ({ most, ...when }: Bounded): Field<string> => ({
  ...when,
  read: readLine,
  write: (value, name) => one(name, value),
  control: input(html`type="text" maxlength="${most}"`),
})

/** A line of text that may be empty, which is null. */
export const optionalLine = (bounded: Bounded): Field<string | null> => ({
  ...line(bounded),
  read: (form, name) => orNull(readLine(form, name)),
  write: (value, name) => one(name, value),
})

/** A line that is often pasted, such as a name, without characters that nobody sees. */
export const pasted = (bounded: Bounded): Field<string> => ({
  ...line(bounded),
  // Longer than any field may be, so that a long value is refused and not truncated.
  read: (form, name) => cleanLine(formField(form, name), 1000),
})

/** The e-mail address of somebody. */
export const email = (when: When = {}): Field<string> => ({
  ...pasted({ most: 254, ...when }),
  control: input(html`type="email" maxlength="254" autocomplete="off"`),
})

/** An address of the web. */
export const link = (bounded: Bounded): Field<string> => ({
  ...line(bounded),
  control: input(html`type="url" maxlength="${bounded.most}"`),
})

/** The same; empty is null. */
export const optionalLink = (bounded: Bounded): Field<string | null> => ({
  ...optionalLine(bounded),
  control: link(bounded).control,
})

/** A text of several lines that may be empty. */
export const text = ({ most, rows = 3, ...when }: Bounded & { readonly rows?: number }): Field<string> => ({
  ...when,
  read: (form, name) => readLine(form, name).replaceAll('\r\n', '\n'),
  write: (value, name) => one(name, value),
  control: ({ id, name, typed, about }) =>
    html`<textarea id="${id}" name="${name}" rows="${rows}" maxlength="${most}"${most > 5000 && html` class="long"`}${about}>
${formField(typed, name)}</textarea>`,
})

/** The same; empty is null. */
export const optionalText = (bounded: Bounded & { readonly rows?: number }): Field<string | null> => {
  const { read, ...rest } = text(bounded)
  return {
    ...rest,
    read: (form, name, reader) => orNull(read(form, name, reader)),
    write: (value, name) => one(name, value),
  }
}

/**
 * A text in Markdown, whose first spaces have a meaning. `editor` are the attributes by which a module opens it as rich text; a form
 * whose value `format` says HTML has a text that is no Markdown.
 */
export const markdown = ({
  most,
  rows,
  editor,
  ...when
}: Bounded & { readonly rows: number; readonly editor: Html }): Field<string> => ({
  ...when,
  read: (form, name) => formField(form, name).replaceAll('\r\n', '\n'),
  write: (value, name) => one(name, value),
  control: ({ id, name, typed, about, values }) =>
    html`<textarea id="${id}" name="${name}" rows="${rows}" class="code" maxlength="${most}"${values.format !== 'HTML' && editor}${about}>
${formField(typed, name)}</textarea>`,
})

/** A day, such as `2026-11-28`; empty is null. */
export const day = (when: When = {}): Field<string | null> => ({
  ...when,
  read: (form, name) => orNull(readLine(form, name)),
  write: (value, name) => one(name, value),
  control: input(html`type="date" min="1900-01-01" max="2200-12-31"`),
})

/** The end of a day as an instant; empty is null. */
export const lastDay = (when: When = {}): Field<string | null> => ({
  ...day(when),
  read(form, name, { timeZone = 'UTC' }) {
    const text = readLine(form, name)
    if (text === '') return null
    if (!isDay(text)) refuseInvalid([{ pointer: `/${name}`, code: 'day', message: 'is not a day' }])
    return toInstant({ local: `${daysAfter(text, 1)}T00:00`, time_zone: timeZone }).toISOString()
  },
  write: (value, name, { timeZone = 'UTC' }) =>
    one(name, value === null ? '' : dayAt(new Date(Date.parse(value) - 1), timeZone)),
})

/** A day with its time, such as `2026-11-28T09:00`, as an instant. */
export const time = (when: When = {}): Field<string> => ({
  ...when,
  read(form, name, { timeZone = 'UTC' }) {
    const local = readLine(form, name)
    if (!isLocalTime(local)) refuseInvalid([{ pointer: `/${name}`, code: 'time', message: 'is not a time' }])
    return toInstant({ local, time_zone: timeZone }).toISOString()
  },
  write: (value, name, { timeZone = 'UTC' }) => one(name, localAt(new Date(value), timeZone)),
  control: input(html`type="datetime-local"`),
})

/** A day with its time as clocks show it, in a zone that the form says, such as `2026-11-28T09:30`. */
export const localTime = (when: When = {}): Field<string> => ({
  ...when,
  // Some browsers send seconds.
  read: (form, name) => readLine(form, name).slice(0, 16),
  write: (value, name) => one(name, value),
  control: input(html`type="datetime-local"`),
})

/** The same; empty is null. */
export const optionalLocalTime = (when: When = {}): Field<string | null> => ({
  ...localTime(when),
  read: (form, name) => orNull(readLine(form, name).slice(0, 16)),
  write: (value, name) => one(name, value),
})

/** A time that may be left out, which is null. */
export const optionalTime = (when: When = {}): Field<string | null> => {
  const { read, write, ...rest } = time(when)
  return {
    ...rest,
    read: (form, name, reader) => (readLine(form, name) === '' ? null : read(form, name, reader)),
    write: (value, name, reader) => (value === null ? one(name, '') : write(value, name, reader)),
  }
}

/** A whole number; empty is null. */
export const whole = (when: When = {}): Field<number | null> => ({
  ...when,
  read(form, name) {
    const text = readLine(form, name)
    if (text === '') return null
    const number = readWhole(text)
    if (number === undefined) refuseInvalid([{ pointer: `/${name}`, code: 'integer', message: 'is no number' }])
    return number ?? null
  },
  write: (value, name) => one(name, value),
  control: input(html`type="text" inputmode="numeric" autocomplete="off" maxlength="12"`),
})

/** A whole number that is required, which the operation says where it is left out. */
export const count = (when: When = {}): Field<number> => whole(when) as Field<number>

/** A percentage as people write it, such as `12,5`; empty is null. What is none is left for the operation to refuse. */
export const percent = (when: When = {}): Field<string | null> => ({
  ...when,
  read(form, name, { language }) {
    const text = readLine(form, name)
    return orNull(readPercent(text, language) ?? text)
  },
  write: (value, name, { language }) => one(name, formatInput(value, language)),
  control: input(html`type="text" inputmode="decimal" autocomplete="off" maxlength="16"`),
})

/** An amount as people write it, in the smallest unit of the currency of the form; empty is null. */
export const money = (when: When = {}): Field<number | null> => ({
  ...when,
  read(form, name, { language, currency = '' }) {
    const text = readLine(form, name)
    return text === '' ? null : typedAmount(text, { pointer: `/${name}`, currency, language })
  },
  write: (value, name, { language, currency }) =>
    one(name, value === null || currency === undefined ? '' : formatAmount(value, currency, language)),
  control: input(html`type="text" inputmode="decimal" autocomplete="off" maxlength="16"`),
})

/** Words that are separated by commas. */
export const words = ({ most, ...when }: Bounded): Field<string[]> => ({
  ...when,
  read: (form, name) =>
    readLine(form, name)
      .split(',')
      .map(word => word.trim())
      .filter(word => word !== ''),
  write: (value, name) => one(name, value.join(', ')),
  control: input(html`type="text" maxlength="${most}"`),
})

/** Texts of one line each. */
export const lines = ({ most, rows = 3, ...when }: Bounded & { readonly rows?: number }): Field<string[]> => ({
  ...text({ most, rows, ...when }),
  read: (form, name) =>
    formField(form, name)
      .split('\n')
      .map(each => each.trim())
      .filter(each => each !== ''),
  write: (value, name) => one(name, value.join('\n')),
})

/** The same field, which the body does not have where it is empty. */
export const unlessEmpty = <Value>(field: Field<Value>): Field<NonNullable<Value> | undefined> => ({
  ...field,
  read(form, name, reader) {
    const value = readLine(form, name) === '' ? undefined : field.read(form, name, reader)
    return value === '' ? undefined : (value ?? undefined)
  },
  write: (value, name, reader) => (value === undefined ? [] : field.write(value, name, reader)),
})

/** A field that is a part of something in the body, such as the title in `seo`. */
export const at = (whole: string, part: string, field: Field<string> | Field<string | null>): Field => ({
  ...field,
  at: [whole, part],
})

/** The same field, for which the browser asks. */
export const required = <Value>(field: Field<Value>): Field<Value> => ({ ...field, isRequired: true })
