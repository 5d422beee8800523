import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { readWhole } from '#src/kit/typed-numbers.ts'
import type { ProductShown } from './shown.ts'

const textOf = (form: Pairs, name: string): string => formField(form, name).replaceAll('\r\n', '\n').trim()

const wholeNumber = (form: Pairs, name: string): number | null => {
  const typed = textOf(form, name)
  if (typed === '') return null
  const number = readWhole(typed, 9)
  if (number === undefined) refuseInvalid([{ pointer: `/${name}`, code: 'integer', message: 'is not a number' }])
  return number ?? null
}

const orNull = (text: string): string | null => (text === '' ? null : text)

/** The settings of a product that a form has, as the operations take them; a new product gets its address from its name. */
export const settingsIn = (form: Pairs): Record<string, unknown> => {
  const slug = textOf(form, 'slug')
  const minutes = wholeNumber(form, 'link_minutes')
  return {
    name: textOf(form, 'name'),
    ...(slug === '' ? {} : { slug }),
    subtitle: textOf(form, 'subtitle'),
    description: textOf(form, 'description'),
    visibility: formField(form, 'visibility'),
    category_ids: form.filter(([name]) => name === 'category').map(([, id]) => id),
    tags: textOf(form, 'tags')
      .split(',')
      .map(tag => tag.trim())
      .filter(tag => tag !== ''),
    download_limit: wholeNumber(form, 'download_limit'),
    ...(minutes === null ? {} : { link_minutes: minutes }),
    license_text: textOf(form, 'license_text'),
    seo: { title: orNull(textOf(form, 'seo_title')), description: orNull(textOf(form, 'seo_description')) },
  }
}

/** A product as a form shows it. */
export const formOfProduct = (product: ProductShown): Pairs => [
  ['name', product.name],
  ['slug', product.slug],
  ['subtitle', product.subtitle],
  ['description', product.description],
  ['visibility', product.visibility],
  ...product.category_ids.map((id): [string, string] => ['category', id]),
  ['tags', product.tags.join(', ')],
  ['download_limit', product.download_limit === null ? '' : String(product.download_limit)],
  ['link_minutes', String(product.link_minutes)],
  ['license_text', product.license_text],
  ['seo_title', product.seo.title ?? ''],
  ['seo_description', product.seo.description ?? ''],
]

/** A new product as a form shows it. */
export const blankForm: Pairs = [
  ['visibility', 'listed'],
  ['link_minutes', '60'],
]
