import { parseEmbed } from '#src/areas/courses/index.ts'
import type { Offering } from '#src/areas/school/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { inSchool } from '../header.ts'
import type { ContentView } from '../reads.ts'
import {
  eventCards,
  itemCards,
  linkCards,
  offerCard,
  type Place,
  personCards,
  planCards,
  reviewCards,
} from './block-cards.ts'
import { blockText, type FileUrls } from './block-text.ts'

type Block = ContentView['blocks'][number]
type BlockOf<Type extends Block['type']> = Extract<Block, { readonly type: Type }>

/** What a page is rendered with. */
type Rendering = {
  readonly place: Place & Pick<Offering, 'canSell' | 'missing'>
  readonly files: FileUrls
  readonly usedIds: Set<string>
  readonly cards: NonNullable<ContentView['cards']>
}

const imageAt = (files: FileUrls, fileId: string, alt: string): Html | false => {
  const url = files.get(fileId)
  if (url === undefined) return false
  const at = (width: number): string => `${url}${url.includes('?') ? '&' : '?'}width=${width}`
  return html`<img src="${at(1280)}" srcset="${[320, 640, 1280].map(width => `${at(width)} ${width}w`).join(', ')}" sizes="(min-width: 60rem) 60rem, 92vw" alt="${alt}" loading="lazy">`
}

const figure = (image: Html | false, caption: string, attributes: Html): Html | false =>
  image !== false &&
  html`<figure class="figure">
${image}${caption !== '' && html`\n<figcaption${attributes}>${caption}</figcaption>`}
</figure>`

const linked = (image: Html | false, href: string | null | undefined): Html | false =>
  href == null || image === false ? image : html`<a href="${href}">${image}</a>`

const titled = (title: string | undefined, inside: Html, attributes: Html): Html =>
  title === undefined || title === '' ? inside : html`<h2${attributes}>${title}</h2>\n${inside}`

const prose = (text: string, rendering: Rendering, format: 'markdown' | 'html' = 'markdown'): Html =>
  html`<div class="prose"${inSchool(rendering.place)}>${blockText(2, text, format, rendering)}</div>`

const renderGallery = ({ images }: BlockOf<'gallery'>, { files, place }: Rendering): Html => html`<ul class="gallery">
${images.map(({ file_id, alt = '', caption = '' }) => html`<li>${figure(imageAt(files, file_id, alt), caption, inSchool(place))}</li>\n`)}</ul>`

const renderColumns = ({ columns }: BlockOf<'columns'>, rendering: Rendering): Html => html`<div class="columns">
${columns.map(
  ({ body, file_id: fileId, alt = '' }) => html`<div class="column">
${fileId != null && imageAt(rendering.files, fileId, alt)}
${prose(body, rendering)}
</div>
`,
)}</div>`

const renderQuote = ({ quote, author = '', about = '' }: BlockOf<'quote'>, { place }: Rendering): Html => {
  const who = [author, about].filter(text => text !== '').join(', ')
  return html`<figure class="quotation"${inSchool(place)}>
<blockquote>${quote.split(/\n{2,}/).map(paragraph => html`<p>${paragraph}</p>`)}</blockquote>
${who !== '' && html`<figcaption>${who}</figcaption>`}
</figure>`
}

const renderFaq = ({ title, items }: BlockOf<'faq'>, rendering: Rendering): Html => {
  const attributes = inSchool(rendering.place)
  const list = html`<div class="questions">
${items.map(
  ({ question, answer }) => html`<details>
<summary class="section-line"><span class="section-name"${attributes}>${question}</span></summary>
<div class="answer">${prose(answer, rendering)}</div>
</details>
`,
)}</div>`
  return titled(title, list, attributes)
}

const renderPlayer = ({ url, title }: BlockOf<'embed'>): Html | false => {
  const player = parseEmbed(url)
  return (
    player !== undefined &&
    html`<div class="player"><iframe src="${player.url}" title="${title}" allow="fullscreen" allowfullscreen loading="lazy" referrerpolicy="strict-origin-when-cross-origin"></iframe></div>`
  )
}

// A block of which nobody may see anything shows nothing, not even its heading.
const renderCards = (
  block: BlockOf<'courses' | 'products' | 'posts' | 'events' | 'plans' | 'lecturers' | 'reviews' | 'form'>,
  index: number,
  rendering: Rendering,
) => {
  const { place } = rendering
  const cards = rendering.cards.find(one => one.block === index)?.cards ?? []
  if (cards.length === 0) return false
  const { title = '' } = block
  const level = title === '' ? 2 : 3
  const inside = {
    courses: () => itemCards(cards, place, level),
    products: () => itemCards(cards, place, level),
    posts: () => itemCards(cards, place, level),
    events: () => eventCards(cards, place, level),
    plans: () => planCards(cards, place, level),
    lecturers: () => personCards(cards, place, level),
    reviews: () => reviewCards(cards, place),
    form: () => linkCards(cards, place, level),
  }[block.type]()
  return titled(title, inside, inSchool(place))
}

const renderCheckout = (
  { label = '' }: BlockOf<'checkout'>,
  index: number,
  { cards, place }: Rendering,
): Html | false => {
  const card = cards.find(one => one.block === index)?.cards[0]
  return card !== undefined && offerCard(card, place, label)
}

const renderInside = (block: Block, index: number, rendering: Rendering): Html | false => {
  const attributes = inSchool(rendering.place)
  switch (block.type) {
    case 'text':
      return prose(block.body, rendering)
    case 'html':
      return prose(block.html, rendering, 'html')
    case 'image':
      return figure(
        linked(imageAt(rendering.files, block.file_id, block.alt ?? ''), block.href),
        block.caption ?? '',
        attributes,
      )
    case 'gallery':
      return renderGallery(block, rendering)
    case 'columns':
      return renderColumns(block, rendering)
    case 'button':
      return html`<p class="actions"><a class="button${block.style !== 'plain' && ' main'}" href="${block.href}"${attributes}>${block.label}</a></p>`
    case 'quote':
      return renderQuote(block, rendering)
    case 'faq':
      return renderFaq(block, rendering)
    case 'embed':
      return renderPlayer(block)
    case 'spacer':
      return html`<div class="space-${block.size ?? 'medium'}"></div>`
    case 'checkout':
      return renderCheckout(block, index, rendering)
    default:
      return renderCards(block, index, rendering)
  }
}

const blockHtml = (block: Block, index: number, rendering: Rendering): Html => {
  const inside = renderInside(block, index, rendering)
  return inside === false ? html`` : html`<section class="block block-${block.type}">\n${inside}\n</section>\n`
}

const createRendering = (page: ContentView, place: Rendering['place']): Rendering => ({
  place,
  usedIds: new Set(),
  files: new Map(page.files.map(({ file_id, url }) => [file_id, url])),
  cards: page.cards ?? [],
})

// What the home page begins with: texts and buttons below its title, and an image beside them.
const computeLead = ({ blocks }: ContentView): { readonly texts: number; readonly image: number } => {
  const end = blocks.findIndex(({ type }) => type !== 'text' && type !== 'button')
  const texts = end < 0 ? blocks.length : end
  return { texts, image: blocks[texts]?.type === 'image' ? 1 : 0 }
}

const renderHero = (page: ContentView, shown: readonly Html[], attributes: Html): Html => {
  const { texts, image } = computeLead(page)
  return html`<div class="hero">
<div class="wrap${image > 0 && ' hero-grid'}">
<div class="hero-text">
<h1 class="hero-title${page.title.length > 50 && ' long'}"${attributes}>${page.title}</h1>
${shown.slice(0, texts)}</div>
${shown.slice(texts, texts + image)}</div>
</div>`
}

/** The content of a page of blocks: its title and its blocks. */
export const contentMain = (page: ContentView, place: Rendering['place']): Html => {
  const rendering = createRendering(page, place)
  const attributes = inSchool(place)
  const shown = page.blocks.map((block, index) => blockHtml(block, index, rendering))
  const head = page.is_home
    ? renderHero(page, shown, attributes)
    : html`<div class="band">
<div class="wrap"><h1${attributes}>${page.title}</h1></div>
</div>`
  const { texts, image } = page.is_home ? computeLead(page) : { texts: 0, image: 0 }
  const rest = shown.slice(texts + image)
  return html`${head}
${rest.length > 0 && html`<div class="wrap section blocks">\n${rest}</div>`}`
}
