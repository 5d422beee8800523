import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { formOf, framed, hidden, mainButton, select } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import type { PlacedCategory } from '../../courses/categories/index.ts'
import { checkbox, field, inputs, textArea } from '../../pages/fields.ts'
import { refusedIn } from '../../pages/refused.ts'
import { type ProductShown, productPath } from './shown.ts'
import { productRefusals, productsText } from './text.ts'

const text = texts.staff.products.editPage

type EditView = {
  readonly context: StaffContext
  readonly product: ProductShown | undefined
  readonly categories: readonly PlacedCategory[]
  readonly typed: Pairs
  readonly refusal: Refusal | undefined
  readonly formKey: string
}

const line = ({ typed, context: { language } }: EditView, name: string, label: Phrase, max: number): Html =>
  field({
    name,
    label: fill(label, language),
    value: formField(typed, name),
    attributes: html`type="text" maxlength="${max}" autocomplete="off"`,
  })

const area = ({ typed, context: { language } }: EditView, name: string, label: Phrase, max: number): Html =>
  textArea({
    name,
    label: fill(label, language),
    value: formField(typed, name),
    attributes: html`maxlength="${max}"${max > 5000 && html` class="long"`}`,
  })

const categoryBoxes = ({ categories, typed, context: { language } }: EditView): Html | false => {
  const chosen = typed.filter(([name]) => name === 'category').map(([, id]) => id)
  const box = ({ id, name, level }: PlacedCategory): Html =>
    checkbox('category', `${'– '.repeat(level)}${name}`, {
      isChecked: chosen.includes(id),
      id: `category-${id}`,
      value: id,
    })
  return (
    categories.length > 0 &&
    html`<fieldset class="below"><legend>${fill(text.categories, language)}</legend>
${categories.map(box)}</fieldset>`
  )
}

const moreFields = (view: EditView): Html => {
  const { typed, context } = view
  const { t } = context
  return html`<div class="pair"><div>${field({ name: 'download_limit', label: t(text.limit), value: formField(typed, 'download_limit'), attributes: inputs.number, hint: t(text.limitHint) })}</div>
<div>${field({ name: 'link_minutes', label: t(text.minutes), value: formField(typed, 'link_minutes'), attributes: inputs.number })}</div></div>
${field({ name: 'slug', label: t(text.slug), value: formField(typed, 'slug'), attributes: html`type="text" maxlength="100" autocomplete="off"`, hint: t(text.slugHint) })}
${line(view, 'seo_title', text.seoTitle, 120)}
${line(view, 'seo_description', text.seoDescription, 320)}`
}

const MORE = ['download_limit', 'link_minutes', 'slug', 'seo']

const isAboutMore = ({ refusal }: EditView): boolean =>
  refusal?.problem.code === 'slug_taken' ||
  MORE.some(name => refusal?.extras.errors?.[0]?.pointer.startsWith(`/${name}`) === true)

const form = (view: EditView): Html => {
  const { context, product, typed, formKey } = view
  const { t, request, token } = context
  const visibilities = Object.entries(text.visibilities).map(([value, name]) => ({
    value,
    label: t(name),
  }))
  const about =
    product === undefined ? { form_key: formField(typed, 'form_key') || formKey } : { revision: product.revision }
  const inside = html`${hidden(about)}
${field({ name: 'name', label: t(text.name), value: formField(typed, 'name'), attributes: html`type="text" maxlength="200" autocomplete="off" required` })}
${line(view, 'subtitle', text.subtitle, 300)}
${area(view, 'description', text.description, 10_000)}
${select('visibility', t(text.visibility), formField(typed, 'visibility'), visibilities)}
${categoryBoxes(view)}
${line(view, 'tags', text.tags, 1000)}
${area(view, 'license_text', text.license, 20_000)}
<details class="filters"${isAboutMore(view) && html` open`}>
<summary>${t(text.more)}</summary>
${moreFields(view)}
</details>
${mainButton(t(product === undefined ? text.create : text.save))}`
  return formOf(request.path, token, inside)
}

/** The form of a new product, or of one that exists. */
export const editPage = (view: EditView): Reply => {
  const { context, product, refusal } = view
  const { t, language, request } = context
  const [back, label] =
    product === undefined ? ['/staff/products', productsText.back] : [productPath(product.id), productsText.backToOne]
  return framed({
    school: request.school,
    language,
    title: product === undefined ? t(productsText.add) : t(text.title, { name: product.name }),
    ...refusedIn(refusal, language, productRefusals),
    body: html`${product === undefined && html`<p>${t(text.intro)}</p>`}
${form(view)}
<p class="quiet"><a href="${back}">${t(label)}</a></p>`,
  })
}
