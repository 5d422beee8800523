import type { Static } from 'typebox'
import type { CertificateTemplate } from '#src/areas/courses/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { lineIn, lineOrNull, numberOrNull, textIn } from '../../forms/values.ts'
import { certificatesText as text } from './text.ts'

/** A certificate template as pages get it. */
export type TemplateShown = Encoded<Static<typeof CertificateTemplate>>

/** What the form of a template says, as the operations take it. */
export const settingsIn = (form: Pairs) => ({
  name: lineIn(form, 'name'),
  title: lineIn(form, 'title'),
  text: textIn(form, 'text').trim(),
  locale: lineIn(form, 'locale'),
  colors: {
    accent: formField(form, 'colors_accent'),
    text: formField(form, 'colors_text'),
    background: formField(form, 'colors_background'),
  },
  orientation: formField(form, 'orientation'),
  page_size: formField(form, 'page_size'),
  hours: numberOrNull(form, 'hours'),
  signature_name: lineOrNull(form, 'signature_name'),
  signature_role: lineOrNull(form, 'signature_role'),
})

/** A template as its form shows it. */
export const formOfTemplate = (template: TemplateShown): Pairs => [
  ['name', template.name],
  ['title', template.title],
  ['text', template.text],
  ['locale', template.locale],
  ['colors_accent', template.colors.accent],
  ['colors_text', template.colors.text],
  ['colors_background', template.colors.background],
  ['orientation', template.orientation],
  ['page_size', template.page_size],
  ['hours', template.hours === null ? '' : String(template.hours)],
  ['signature_name', template.signature_name ?? ''],
  ['signature_role', template.signature_role ?? ''],
]

/** A new template as its form shows it, in the language of the page. */
export const blankTemplate = (language: Language): Pairs => [
  ['name', fill(text.blankName, language)],
  ['title', fill(text.blankTitle, language)],
  ['text', text.blankText[language]],
  ['locale', language],
  ['colors_accent', '#8a3b12'],
  ['colors_text', '#1d1b18'],
  ['colors_background', '#ffffff'],
  ['orientation', 'landscape'],
  ['page_size', 'A4'],
]
