import { parseEmbed } from '#src/areas/courses/index.ts'
import type { CardsBlock } from '#src/contract/page-blocks.ts'
import type { FieldError } from '#src/contract/problem.ts'
import { type Body, type BodyError, renderBody } from '#src/kit/body/render.ts'
import { filesNamed, picturesNamed } from '#src/kit/body/shown.ts'
import { fromId } from '#src/kit/ids.ts'
import { cleanLine, cleanTags } from '#src/kit/text.ts'
import type { BlockInput, BlockType } from './schema.ts'

type Complete<Value> = Value extends readonly (infer Item)[]
  ? Complete<Item>[]
  : Value extends object
    ? { [Name in keyof Value]-?: Complete<Exclude<Value[Name], undefined>> }
    : Value

/** A block with every field, as it is stored. */
export type Block = Complete<BlockInput>

/** A block of one kind. */
export type BlockOf<Type extends BlockType> = Extract<Block, { readonly type: Type }>

const MAX_BYTES = 200_000
const DEFAULT_LIMIT = 6

const line = (text: string | undefined, length: number): string => cleanLine(text ?? '', length)

type ListInput = { readonly title?: string; readonly ids?: string[] | null; readonly limit?: number }

const buildList = ({ title, ids, limit }: ListInput) => ({
  title: line(title, 120),
  ids: ids ?? null,
  limit: limit ?? DEFAULT_LIMIT,
})

const buildCatalogue = (input: Extract<BlockInput, { type: 'courses' | 'products' | 'posts' }>) => ({
  ...buildList(input),
  category_id: input.category_id ?? null,
  tag: input.tag == null ? null : (cleanTags([input.tag])[0] ?? null),
})

const buildImage = (input: { readonly file_id: string; readonly alt?: string; readonly caption?: string }) => ({
  file_id: input.file_id,
  alt: line(input.alt, 300),
  caption: line(input.caption, 300),
})

const cleanHtml = (html: string): string => {
  const rendered = renderBody('page', html, 'html')
  return typeof rendered === 'string' ? html : rendered.body_html
}

const completions: { readonly [Type in BlockType]: (input: Extract<BlockInput, { type: Type }>) => BlockOf<Type> } = {
  text: ({ type, body }) => ({ type, body }),
  html: ({ type, html }) => ({ type, html: cleanHtml(html) }),
  image: input => ({ type: input.type, ...buildImage(input), href: input.href ?? null }),
  gallery: ({ type, images }) => ({ type, images: images.map(buildImage) }),
  columns: ({ type, columns }) => ({
    type,
    columns: columns.map(({ body, file_id, alt }) => ({ body, file_id: file_id ?? null, alt: line(alt, 300) })),
  }),
  button: ({ type, label, href, style }) => ({ type, label: line(label, 60), href, style: style ?? 'main' }),
  quote: ({ type, quote, author, about }) => ({ type, quote, author: line(author, 120), about: line(about, 120) }),
  faq: ({ type, title, items }) => ({
    type,
    title: line(title, 120),
    items: items.map(({ question, answer }) => ({ question: line(question, 300), answer })),
  }),
  spacer: ({ type, size }) => ({ type, size: size ?? 'medium' }),
  embed: ({ type, url, title }) => ({ type, url: line(url, 500), title: line(title, 200) }),
  courses: input => ({ type: input.type, ...buildCatalogue(input) }),
  products: input => ({ type: input.type, ...buildCatalogue(input) }),
  posts: input => ({ type: input.type, ...buildCatalogue(input) }),
  events: input => ({ type: input.type, ...buildList(input) }),
  plans: input => ({ type: input.type, ...buildList(input) }),
  lecturers: input => ({ type: input.type, ...buildList(input) }),
  reviews: ({ type, title, course_id, limit }) => ({
    type,
    title: line(title, 120),
    course_id: course_id ?? null,
    limit: limit ?? DEFAULT_LIMIT,
  }),
  form: ({ type, title, form_id }) => ({ type, title: line(title, 120), form_id }),
  checkout: ({ type, price_id, label }) => ({ type, price_id, label: line(label, 60) }),
}

// The compiler does not see that a block is handled by the function of its own type.
const completed = (input: BlockInput): Block => (completions[input.type] as (one: BlockInput) => Block)(input)

/** Blocks as they are stored: with every field, lines cleaned and HTML sanitized. */
export const completedBlocks = (inputs: readonly BlockInput[]): Block[] => inputs.map(completed)

/** A text of a block that is rendered, and where it is. */
type BlockText = { readonly pointer: string; readonly text: string; readonly format: 'markdown' | 'html' }

const listTexts = (block: BlockInput, at: string): BlockText[] => {
  const markdown = (pointer: string, text: string): BlockText => ({
    pointer: `${at}${pointer}`,
    text,
    format: 'markdown',
  })
  switch (block.type) {
    case 'text':
      return [markdown('/body', block.body)]
    case 'html':
      return [{ pointer: `${at}/html`, text: block.html, format: 'html' }]
    case 'columns':
      return block.columns.map(({ body }, index) => markdown(`/columns/${index}/body`, body))
    case 'faq':
      return block.items.map(({ answer }, index) => markdown(`/items/${index}/answer`, answer))
    default:
      return []
  }
}

const MESSAGES: Readonly<Record<BodyError, string>> = {
  too_complex: 'takes too long to render: it nests too deeply, or has too much markup',
  too_long: 'is too long when it is rendered',
}

/** A file that blocks name, by the id of its row, and where; `isShown` as a picture. */
export type NamedFile = { readonly id: string; readonly pointer: string; readonly isShown: boolean }

const listImages = (block: BlockInput, at: string): NamedFile[] => {
  switch (block.type) {
    case 'image':
      return [{ id: block.file_id, pointer: `${at}/file_id`, isShown: true }]
    case 'gallery':
      return block.images.map(({ file_id: id }, index) => ({
        id,
        pointer: `${at}/images/${index}/file_id`,
        isShown: true,
      }))
    case 'columns':
      return block.columns.flatMap(({ file_id: id }, index) =>
        id == null ? [] : [{ id, pointer: `${at}/columns/${index}/file_id`, isShown: true }],
      )
    default:
      return []
  }
}

const filesOfText = (html: string, pointer: string): NamedFile[] => {
  const shown = picturesNamed(html)
  return filesNamed(html).map(name => ({ id: fromId('fil', name) ?? '', pointer, isShown: shown.includes(name) }))
}

const errorsOfBlock = (block: BlockInput, at: string): FieldError[] => {
  if (block.type === 'embed' && parseEmbed(block.url) === undefined)
    return [{ pointer: `${at}/url`, code: 'embed', message: 'is not a recording at one of the providers' }]
  return []
}

/** What is known of blocks before anything is read from the database: their errors, and the files that they name. */
export const checkedBlocks = (
  blocks: readonly BlockInput[],
): { readonly errors: FieldError[]; readonly files: NamedFile[] } => {
  if (Buffer.byteLength(JSON.stringify(blocks)) > MAX_BYTES)
    return { errors: [{ pointer: '/blocks', code: 'too_long', message: 'has more than 200 KB of JSON' }], files: [] }
  const [errors, files]: [FieldError[], NamedFile[]] = [[], []]
  for (const [index, block] of blocks.entries()) {
    const at = `/blocks/${index}`
    errors.push(...errorsOfBlock(block, at))
    files.push(...listImages(block, at))
    for (const { pointer, text, format } of listTexts(block, at)) {
      const rendered = renderBody('page', text, format)
      if (typeof rendered === 'string') errors.push({ pointer, code: rendered, message: MESSAGES[rendered] })
      else files.push(...filesOfText(rendered.body_html, pointer))
    }
  }
  return { errors, files }
}

/** The texts of blocks as they were sent, rendered. */
export const textsOfBlocks = (blocks: readonly BlockInput[]): Body[] =>
  blocks
    .flatMap(block => listTexts(block, ''))
    .map(({ text, format }) => renderBody('page', text, format))
    .filter(text => typeof text !== 'string')

/** Whether the block shows things of the school as cards. */
export const isCardsBlock = (block: Block): block is Block & CardsBlock =>
  ['courses', 'products', 'posts', 'events', 'plans', 'lecturers', 'reviews', 'form'].includes(block.type)

const wordsOfBlock = (block: Block): string[] => {
  switch (block.type) {
    case 'text':
      return [block.body]
    case 'html':
      return [block.html.replace(/<[^>]*>/g, ' ')]
    case 'columns':
      return block.columns.map(({ body }) => body)
    case 'quote':
      return [block.quote, block.author]
    case 'faq':
      return [block.title, ...block.items.flatMap(({ question, answer }) => [question, answer])]
    case 'image':
      return [block.caption]
    case 'gallery':
      return block.images.map(({ caption }) => caption)
    case 'courses':
    case 'products':
    case 'posts':
    case 'events':
    case 'plans':
    case 'lecturers':
    case 'reviews':
    case 'form':
    case 'embed':
      return [block.title]
    default:
      return []
  }
}

/** Every text of blocks by which a page is found. */
export const joinWords = (blocks: readonly Block[]): string => blocks.flatMap(wordsOfBlock).join(' ')

/** Blocks without the files that are gone: images leave their places. */
export const withoutFiles = (blocks: readonly Block[], gone: ReadonlySet<string>): Block[] =>
  blocks.flatMap((block): Block[] => {
    if (block.type === 'image') return gone.has(block.file_id) ? [] : [block]
    if (block.type === 'columns')
      return [
        {
          ...block,
          columns: block.columns.map(one =>
            one.file_id !== null && gone.has(one.file_id) ? { ...one, file_id: null } : one,
          ),
        },
      ]
    if (block.type !== 'gallery') return [block]
    const images = block.images.filter(({ file_id: id }) => !gone.has(id))
    return images.length === 0 ? [] : [{ ...block, images }]
  })
