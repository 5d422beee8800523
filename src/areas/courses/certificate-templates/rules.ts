import { type FieldError, problem } from '#src/contract/problem.ts'
import { computeContrast, parseRgb } from '#src/kit/color.ts'
import { cleanLine } from '#src/kit/text.ts'
import type { TemplateValues } from './queries.ts'
import type { TemplateInput } from './schema.ts'

/** A course uses the template. */
export const templateInUse = problem(
  409,
  'certificate_template_in_use',
  'Courses use this template',
  'Give the courses another template, or none, and then delete it. Certificates that were issued with it keep their design.',
)

/** What can be filled into the text of a template. */
const placeholders = ['name', 'course', 'date', 'school', 'hours'] as const

/** The defaults of a template. */
export const BLANK: TemplateValues = {
  name: '',
  title: 'Certificate',
  body: 'This certifies that\n{name}\nhas completed the course\n{course}\nat {school} on {date}.',
  locale: 'en',
  accent_color: '#8a3b12',
  text_color: '#1d1b18',
  background_color: '#ffffff',
  design: 'frame',
  orientation: 'landscape',
  page_size: 'A4',
  hours: null,
  signature_name: null,
  signature_role: null,
  image_file_id: null,
}

// Line by line, so that invisible characters are not printed.
const cleanText = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(line => cleanLine(line, 1000))
    .join('\n')
    .trim()

const line = (text: string | null): string | null => text && cleanLine(text, 120)

/** A template as it is stored after a change; the file is stored by its row's id. */
export const mergeTemplateValues = (
  before: TemplateValues,
  input: Partial<Omit<TemplateInput, 'image_file_id'>>,
  imageFileId: string | null,
): TemplateValues => ({
  name: input.name === undefined ? before.name : cleanLine(input.name, 120),
  title: input.title === undefined ? before.title : cleanLine(input.title, 120),
  body: input.text === undefined ? before.body : cleanText(input.text),
  locale: input.locale ?? before.locale,
  accent_color: input.colors?.accent ?? before.accent_color,
  text_color: input.colors?.text ?? before.text_color,
  background_color: input.colors?.background ?? before.background_color,
  design: input.design ?? before.design,
  orientation: input.orientation ?? before.orientation,
  page_size: input.page_size ?? before.page_size,
  hours: input.hours === undefined ? before.hours : input.hours,
  signature_name: input.signature_name === undefined ? before.signature_name : line(input.signature_name),
  signature_role: input.signature_role === undefined ? before.signature_role : line(input.signature_role),
  image_file_id: imageFileId,
})

const isLocale = (locale: string): boolean => {
  try {
    return Intl.getCanonicalLocales(locale).length === 1
  } catch {
    return false
  }
}

const errorsOfColor = (name: 'accent' | 'text', color: string, background: string): FieldError[] => {
  const ratio = computeContrast(parseRgb(color), parseRgb(background))
  // Frame and names are large.
  const least = name === 'text' ? 4.5 : 3
  if (ratio >= least) return []
  const message = `has a contrast of ${ratio.toFixed(1)}:1 to the background; at least ${least}:1 is required`
  return [{ pointer: `/colors/${name}`, code: 'contrast', message }]
}

/** The errors of a template: no visible text, an unknown placeholder, an invalid locale, too little contrast. */
export const errorsOfTemplate = (values: TemplateValues): FieldError[] => {
  const empty = (['name', 'title', 'body'] as const).filter(name => values[name] === '')
  const unknown = [...values.body.matchAll(/\{([^{}]*)\}/g)]
    .map(([, name = '']) => name)
    .filter(name => !(placeholders as readonly string[]).includes(name))
  return [
    ...empty.map(name => ({
      pointer: `/${name === 'body' ? 'text' : name}`,
      code: 'empty',
      message: 'must contain a visible character',
    })),
    ...unknown.slice(0, 5).map(name => ({
      pointer: '/text',
      code: 'unknown_placeholder',
      message: `{${name}} is not a placeholder; use ${placeholders.map(one => `{${one}}`).join(', ')}`,
    })),
    ...(isLocale(values.locale) ? [] : [{ pointer: '/locale', code: 'unknown', message: 'is not a language tag' }]),
    ...errorsOfColor('text', values.text_color, values.background_color),
    ...errorsOfColor('accent', values.accent_color, values.background_color),
  ]
}
