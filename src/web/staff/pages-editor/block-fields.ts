import type { BlockType } from '#src/areas/pages/index.ts'
import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

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
  readonly kind: 'line' | 'link' | 'text' | 'code' | 'image' | 'number' | 'select' | 'one' | 'many'
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
const title = line('title', say('Heading (optional)', 'Título (opcional)'))
const image: BlockField = { name: 'file_id', label: say('Image', 'Imagem'), kind: 'image' }
const optionalImage: BlockField = { ...image, label: say('Image (optional)', 'Imagem (opcional)'), isNullable: true }
const alt = line(
  'alt',
  say('What the image shows, for people who do not see it', 'O que a imagem mostra, para quem não a vê'),
)
const caption = line('caption', say('Line below the image (optional)', 'Linha abaixo da imagem (opcional)'))
const limit: BlockField = { name: 'limit', label: say('How many at most', 'Quantos no máximo'), kind: 'number' }
const body = text('body', say('Text, in Markdown', 'Texto, em Markdown'))

const catalogue = (from: 'courses' | 'products'): BlockForm['fields'] => [
  title,
  {
    name: 'ids',
    label: say('These only (none: the newest)', 'Só estes (nenhum: os mais recentes)'),
    kind: 'many',
    from,
    isNullable: true,
  },
  {
    name: 'category_id',
    label: say('Only of this category', 'Só desta categoria'),
    kind: 'one',
    from: 'categories',
    isNullable: true,
  },
  line('tag', say('Only with this tag', 'Só com esta etiqueta'), true),
  limit,
]

/** The forms of the kinds of blocks. */
export const blockForms: Readonly<Record<BlockType, BlockForm>> = {
  text: { name: say('Text', 'Texto'), fields: [body] },
  image: {
    name: say('Image', 'Imagem'),
    fields: [image, alt, caption, link(say('Link (optional)', 'Ligação (opcional)'), true)],
  },
  gallery: {
    name: say('Gallery', 'Galeria'),
    fields: [],
    items: { key: 'images', name: say('Image', 'Imagem'), least: 1, most: 50, fields: [image, alt, caption] },
  },
  columns: {
    name: say('Columns', 'Colunas'),
    fields: [],
    items: { key: 'columns', name: say('Column', 'Coluna'), least: 2, most: 4, fields: [body, optionalImage, alt] },
  },
  button: {
    name: say('Button', 'Botão'),
    fields: [
      line('label', say('Text of the button', 'Texto do botão')),
      link(say('Where it leads', 'Para onde leva')),
      {
        name: 'style',
        label: say('How it looks', 'Aspeto'),
        kind: 'select',
        choices: { main: say('Filled', 'Cheio'), plain: say('Outlined', 'Contorno') },
      },
    ],
  },
  quote: {
    name: say('Quotation', 'Citação'),
    fields: [
      text('quote', say('What was said', 'O que foi dito')),
      line('author', say('Who said it (optional)', 'Quem o disse (opcional)')),
      line('about', say('Who that is (optional)', 'Quem é (opcional)')),
    ],
  },
  faq: {
    name: say('Questions and answers', 'Perguntas e respostas'),
    fields: [title],
    items: {
      key: 'items',
      name: say('Question', 'Pergunta'),
      least: 1,
      most: 50,
      fields: [
        line('question', say('Question', 'Pergunta')),
        text('answer', say('Answer, in Markdown', 'Resposta, em Markdown')),
      ],
    },
  },
  embed: {
    name: say('Video or sound of another site', 'Vídeo ou som de outro sítio'),
    fields: [
      line(
        'url',
        say(
          'Its address at YouTube, Vimeo, Loom, Spotify or SoundCloud',
          'O endereço no YouTube, Vimeo, Loom, Spotify ou SoundCloud',
        ),
      ),
      line('title', say('What it is called', 'Como se chama')),
    ],
  },
  courses: { name: say('Courses', 'Cursos'), fields: catalogue('courses') },
  products: { name: say('Downloads for sale', 'Produtos digitais'), fields: catalogue('products') },
  posts: {
    name: say('Posts', 'Artigos'),
    fields: [
      title,
      {
        name: 'ids',
        label: say('These only (none: the newest)', 'Só estes (nenhum: os mais recentes)'),
        kind: 'many',
        from: 'posts',
        isNullable: true,
      },
      {
        name: 'category_id',
        label: say('Of this category', 'Desta categoria'),
        kind: 'one',
        from: 'postCategories',
        isNullable: true,
      },
      line('tag', say('With this tag', 'Com esta etiqueta'), true),
      limit,
    ],
  },
  events: {
    name: say('Events', 'Eventos'),
    fields: [
      title,
      {
        name: 'ids',
        label: say('These only (none: the next ones)', 'Só estes (nenhum: os próximos)'),
        kind: 'many',
        from: 'events',
        isNullable: true,
      },
      limit,
    ],
  },
  plans: {
    name: say('Membership plans', 'Planos'),
    fields: [
      title,
      {
        name: 'ids',
        label: say('These only (none: all)', 'Só estes (nenhum: todos)'),
        kind: 'many',
        from: 'plans',
        isNullable: true,
      },
      limit,
    ],
  },
  lecturers: {
    name: say('Lecturers', 'Docentes'),
    fields: [
      title,
      {
        name: 'ids',
        label: say('These only (none: all)', 'Só estes (nenhum: todos)'),
        kind: 'many',
        from: 'lecturers',
        isNullable: true,
      },
      limit,
    ],
  },
  reviews: {
    name: say('Reviews', 'Avaliações'),
    fields: [
      title,
      {
        name: 'course_id',
        label: say('Of this course', 'Deste curso'),
        kind: 'one',
        from: 'courses',
        isNullable: true,
      },
      limit,
    ],
  },
  checkout: {
    name: say('Price with a link to buy', 'Preço com ligação para comprar'),
    fields: [
      { name: 'price_id', label: say('Price', 'Preço'), kind: 'one', from: 'prices' },
      line('label', say('Text of the button (optional)', 'Texto do botão (opcional)')),
    ],
  },
  form: {
    name: say('Form', 'Formulário'),
    fields: [title, { name: 'form_id', label: say('Form', 'Formulário'), kind: 'one', from: 'forms' }],
  },
  html: { name: say('HTML', 'HTML'), fields: [{ name: 'html', label: say('HTML', 'HTML'), kind: 'code' }] },
  spacer: {
    name: say('Space', 'Espaço'),
    fields: [
      {
        name: 'size',
        label: say('How much', 'Quanto'),
        kind: 'select',
        choices: { small: say('Small', 'Pequeno'), medium: say('Medium', 'Médio'), large: say('Large', 'Grande') },
      },
    ],
  },
}

/** The kinds of blocks in the order in which the editor offers them. */
export const blockTypes = Object.keys(blockForms) as readonly BlockType[]

/** Whether a text is a kind of block. */
export const isBlockType = (text: string): text is BlockType => Object.hasOwn(blockForms, text)
