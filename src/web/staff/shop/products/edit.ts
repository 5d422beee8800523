import { DigitalProduct } from '#src/areas/shop/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Again,
  buildState,
  checkbox,
  choice,
  fieldsFor,
  form,
  formKeyIn,
  hiddenFor,
  line,
  mainButton,
  markdown,
  noticeFor,
  optionalLine,
  type PageContext,
  page,
  renderConflict,
  required,
  revisionIn,
  shownAgain,
  TAKE_THEIRS,
  text as textField,
  unlessEmpty,
  whole,
  words,
} from '#src/web/page/index.ts'
import { type StaffContext, staff } from '../../audience.ts'
import { listTree, type PlacedCategory } from '../../courses/categories/index.ts'
import { plainEditor, previewButton } from '../../texts/index.ts'
import { type ProductShown, productRefusals, readParams, readProduct } from './shown.ts'

const { common, editPage: text, fields: fieldTexts } = texts.staff.products

type Body = Pick<
  ProductShown,
  'name' | 'subtitle' | 'description' | 'visibility' | 'tags' | 'license_text' | 'download_limit'
> &
  Partial<Pick<ProductShown, 'slug' | 'link_minutes'>> & { seo_title: string | null; seo_description: string | null }

const fields = fieldsFor<Body>()(fieldTexts, {
  name: required(line({ most: 200 })),
  subtitle: line({ most: 300 }),
  description: markdown({ most: 10_000, rows: 8, editor: plainEditor('description') }),
  visibility: choice(['listed', 'unlisted']),
  tags: words({ most: 1000 }),
  license_text: textField({ most: 20_000 }),
  download_limit: whole(),
  link_minutes: unlessEmpty(whole()),
  slug: unlessEmpty(line({ most: 100 })),
  seo_title: optionalLine({ most: 120 }),
  seo_description: optionalLine({ most: 320 }),
})

const buildPairs = (product: ProductShown | undefined, context: PageContext): Pairs => {
  if (product === undefined) return fields.pairs({ visibility: 'listed', link_minutes: 60 }, context)
  const { seo, category_ids: ids } = product
  const stored = { ...product, seo_title: seo.title, seo_description: seo.description }
  return [...fields.pairs(stored, context), ...ids.map(id => ['category', id] as const)]
}

const chosenIn = (typed: Pairs): string[] => typed.filter(([name]) => name === 'category').map(([, id]) => id)

const renderCategories = (categories: readonly PlacedCategory[], typed: Pairs, { t }: PageContext): Html | false => {
  const chosen = chosenIn(typed)
  const box = ({ id, name, level }: PlacedCategory): Html =>
    checkbox('category', `${'– '.repeat(level)}${name}`, {
      isChecked: chosen.includes(id),
      id: `category-${id}`,
      value: id,
    })
  return (
    categories.length > 0 &&
    html`<fieldset class="below"><legend>${t(texts.words.categories)}</legend>
${categories.map(box)}</fieldset>`
  )
}

const isNew = ({ params }: PageContext): boolean => params.id === undefined

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t, language, form: readForm } = context
  const [product, categories] = await Promise.all([
    isNew(context) ? undefined : readProduct(context),
    listTree(context),
  ])
  const stored = buildPairs(product, context)
  const state = buildState(context, again, 'save', stored)
  const inside = html`${hiddenFor(state, product?.revision)}${fields.rows(state, ['name', 'subtitle', 'description', 'visibility'])}
${renderCategories(categories, state.typed, context)}
${fields.rows(state, ['tags', 'license_text'])}
<details class="filters"${again !== undefined && html` open`}>
<summary>${t(text.more)}</summary>
${fields.rows(state, [['download_limit', 'link_minutes'], 'slug', 'seo_title', 'seo_description'])}
</details>
${mainButton(t(product === undefined ? texts.words.create : texts.words.save))}
${previewButton(t, 'description')}`
  return context.frame({
    title: product === undefined ? t(common.add) : t(texts.words.editName, { name: product.name }),
    parents: product === undefined ? [] : [{ path: `/staff/products/${product.id}`, name: product.name }],
    ...noticeFor(again?.refusal, language, { sets: [fields], said: productRefusals }),
    body: html`${product === undefined && html`<p>${t(text.intro)}</p>`}
${renderConflict(context, again && { ...again, stored, fields, within: 'product' })}${readForm(inside, undefined, { id: 'product', draft: 'product' })}`,
  })
}

const store = async (context: StaffContext, typed: Pairs): Promise<string> => {
  const { seo_title: title, seo_description: description, ...rest } = fields.body(typed, context)
  const body = { ...rest, category_ids: chosenIn(typed), seo: { title, description } }
  const { id } = await context.call(
    isNew(context)
      ? { operation: 'createDigitalProduct', body, ...formKeyIn(typed), returns: DigitalProduct }
      : {
          operation: 'updateDigitalProduct',
          params: readParams(context),
          body,
          revision: revisionIn(typed),
          returns: DigitalProduct,
        },
  )
  return `/staff/products/${id}?done=${isNew(context) ? 'created' : 'changed'}`
}

const submit = (context: StaffContext, typed: Pairs): Promise<Reply> =>
  formField(typed, 'act') === TAKE_THEIRS
    ? show(context, { act: TAKE_THEIRS, typed })
    : shownAgain(
        () => store(context, typed),
        refusal => show(context, { act: 'save', typed, refusal }),
      )

/** GET and POST /staff/products/new and /staff/products/:id/edit. */
export const productEdit = [
  page('GET /staff/products/new', staff, context => show(context)),
  form('POST /staff/products/new', staff, submit),
  page('GET /staff/products/:id/edit', staff, context => show(context)),
  form('POST /staff/products/:id/edit', staff, submit),
]
