import type { BlockType } from '#src/areas/publishing/index.ts'
import type { Phrase } from '#src/contract/language.ts'
import { texts } from '#src/texts/index.ts'

const words = texts.staff.pagesEditor.blockFields

/** What can be chosen for a field, by the names of the lists that an editor has. */
export type OptionList =
  | 'categories'
  | 'courses'
  | 'products'
  | 'postCategories'
  | 'posts'
  | 'events'
  | 'plans'
  | 'lecturers'
  | 'prices'
  | 'forms'

/** One field of a block in the editor. */
export type BlockField = {
  readonly name: string
  readonly label: Phrase
  readonly kind: 'line' | 'link' | 'text' | 'markdown' | 'code' | 'image' | 'number' | 'select' | 'one' | 'many'
  /** The choices of a select. */
  readonly choices?: Readonly<Record<string, Phrase>>
  /** What one or several are chosen from. */
  readonly from?: OptionList
  readonly isNullable?: boolean
}

/** What an editor shows of a kind of block: its fields, and those of the things that it lists. */
type BlockForm = {
  readonly name: Phrase
  readonly fields: readonly BlockField[]
  readonly items?: {
    readonly key: string
    readonly name: Phrase
    readonly least: number
    readonly most: number
    readonly fields: readonly BlockField[]
  }
}

const line = (name: string, label: Phrase, isNullable = false): BlockField => ({
  name,
  label,
  kind: 'line',
  isNullable,
})
const text = (name: string, label: Phrase): BlockField => ({ name, label, kind: 'text' })
const link = (label: Phrase, isNullable = false): BlockField => ({ name: 'href', label, kind: 'link', isNullable })
const title = line('title', words.title.headingOptional)
const image: BlockField = { name: 'file_id', label: words.image.label, kind: 'image' }
const optionalImage: BlockField = { ...image, label: words.optionalImage.label, isNullable: true }
const alt = line('alt', words.alt.whatTheImageShowsFor)
const caption = line('caption', words.caption.lineBelowTheImageOptional)
const limit: BlockField = { name: 'limit', label: words.limit.label, kind: 'number' }
const body: BlockField = { name: 'body', label: words.body.textInMarkdown, kind: 'markdown' }

const catalogue = (from: 'courses' | 'products'): BlockForm['fields'] => [
  title,
  {
    name: 'ids',
    label: words.catalogue.label,
    kind: 'many',
    from,
    isNullable: true,
  },
  {
    name: 'category_id',
    label: words.catalogue.onlyOfThisCategory,
    kind: 'one',
    from: 'categories',
    isNullable: true,
  },
  line('tag', words.catalogue.onlyWithThisTag, true),
  limit,
]

/** The forms of the kinds of blocks. */
export const blockForms: Readonly<Record<BlockType, BlockForm>> = {
  text: { name: texts.words.text, fields: [body] },
  image: {
    name: words.blockForms.image.name,
    fields: [image, alt, caption, link(words.blockForms.image.fields.linkOptional, true)],
  },
  gallery: {
    name: words.blockForms.gallery.name,
    fields: [],
    items: {
      key: 'images',
      name: words.blockForms.gallery.items.name,
      least: 1,
      most: 50,
      fields: [image, alt, caption],
    },
  },
  columns: {
    name: words.blockForms.columns.name,
    fields: [],
    items: {
      key: 'columns',
      name: words.blockForms.columns.items.name,
      least: 2,
      most: 4,
      fields: [body, optionalImage, alt],
    },
  },
  button: {
    name: words.blockForms.button.name,
    fields: [
      line('label', words.blockForms.button.fields.textOfTheButton),
      link(words.blockForms.button.fields.whereItLeads),
      {
        name: 'style',
        label: words.blockForms.button.fields.label,
        kind: 'select',
        choices: words.blockForms.button.fields.choices,
      },
    ],
  },
  quote: {
    name: words.blockForms.quote.name,
    fields: [
      text('quote', words.blockForms.quote.fields.whatWasSaid),
      line('author', words.blockForms.quote.fields.whoSaidItOptional),
      line('about', words.blockForms.quote.fields.whoThatIsOptional),
    ],
  },
  faq: {
    name: words.blockForms.faq.name,
    fields: [title],
    items: {
      key: 'items',
      name: texts.words.question,
      least: 1,
      most: 50,
      fields: [
        line('question', texts.words.question),
        { name: 'answer', label: words.blockForms.faq.items.fields.answerInMarkdown, kind: 'markdown' },
      ],
    },
  },
  embed: {
    name: words.blockForms.embed.name,
    fields: [
      line('url', words.blockForms.embed.fields.itsAddressAtYoutubeVimeo),
      line('title', words.blockForms.embed.fields.whatItIsCalled),
    ],
  },
  courses: { name: texts.words.courses, fields: catalogue('courses') },
  products: { name: words.blockForms.products.name, fields: catalogue('products') },
  posts: {
    name: texts.words.posts,
    fields: [
      title,
      {
        name: 'ids',
        label: words.blockForms.posts.fields.label,
        kind: 'many',
        from: 'posts',
        isNullable: true,
      },
      {
        name: 'category_id',
        label: words.blockForms.posts.fields.ofThisCategory,
        kind: 'one',
        from: 'postCategories',
        isNullable: true,
      },
      line('tag', words.blockForms.posts.fields.withThisTag, true),
      limit,
    ],
  },
  events: {
    name: texts.words.events,
    fields: [
      title,
      {
        name: 'ids',
        label: words.blockForms.events.fields.label,
        kind: 'many',
        from: 'events',
        isNullable: true,
      },
      limit,
    ],
  },
  plans: {
    name: texts.words.membershipPlans,
    fields: [
      title,
      {
        name: 'ids',
        label: words.blockForms.plans.fields.label,
        kind: 'many',
        from: 'plans',
        isNullable: true,
      },
      limit,
    ],
  },
  lecturers: {
    name: texts.words.lecturers,
    fields: [
      title,
      {
        name: 'ids',
        label: words.blockForms.lecturers.fields.label,
        kind: 'many',
        from: 'lecturers',
        isNullable: true,
      },
      limit,
    ],
  },
  reviews: {
    name: texts.words.reviews,
    fields: [
      title,
      {
        name: 'course_id',
        label: words.blockForms.reviews.fields.label,
        kind: 'one',
        from: 'courses',
        isNullable: true,
      },
      limit,
    ],
  },
  checkout: {
    name: words.blockForms.checkout.name,
    fields: [
      { name: 'price_id', label: texts.words.price, kind: 'one', from: 'prices' },
      line('label', words.blockForms.checkout.fields.textOfTheButtonOptional),
    ],
  },
  form: {
    name: texts.words.form,
    fields: [title, { name: 'form_id', label: texts.words.form, kind: 'one', from: 'forms' }],
  },
  html: {
    name: words.blockForms.html.name,
    fields: [{ name: 'html', label: words.blockForms.html.fields.label, kind: 'code' }],
  },
  spacer: {
    name: words.blockForms.spacer.name,
    fields: [
      {
        name: 'size',
        label: words.blockForms.spacer.fields.label,
        kind: 'select',
        choices: words.blockForms.spacer.fields.choices,
      },
    ],
  },
}

/** The kinds of blocks in the order in which the editor offers them. */
export const blockTypes = Object.keys(blockForms) as readonly BlockType[]

/** Whether a text is a kind of block. */
export const isBlockType = (text: string): text is BlockType => Object.hasOwn(blockForms, text)
