import Type, { type Static } from 'typebox'
import { Href } from '#src/areas/files/index.ts'
import { Tag } from '#src/contract/listing.ts'
import { Closed, Id, Line, Markdown, Nullable, OneOf, OptionalLine, Text, Words } from '#src/kit/shapes.ts'

const Title = Type.Optional(OptionalLine(120, 'A heading above it; empty for none'))
const Limit = (most: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: most, description: 'How many are shown at most; 6 if it is left out' }),
  )
const Alt = Type.Optional(
  OptionalLine(300, 'What the image shows, for people who do not see it; empty for a decoration'),
)
const Caption = Type.Optional(OptionalLine(300, 'A line below the image'))

const TextBlock = Closed('TextBlock', { type: OneOf(['text'], 'Text'), body: Markdown(50_000, 'The text') })

const HtmlBlock = Closed('HtmlBlock', {
  type: OneOf(['html'], 'Text in HTML'),
  html: Text(50_000, 'HTML; it is stored as it is after sanitizing, without scripts, styles and forms'),
})

const ImageBlock = Closed('ImageBlock', {
  type: OneOf(['image'], 'One image'),
  file_id: Id('fil'),
  alt: Alt,
  caption: Caption,
  href: Type.Optional(Nullable(Href)),
})

const GalleryImage = Closed('GalleryImage', { file_id: Id('fil'), alt: Alt, caption: Caption })

const GalleryBlock = Closed('GalleryBlock', {
  type: OneOf(['gallery'], 'Several images'),
  images: Type.Array(GalleryImage, { minItems: 1, maxItems: 50 }),
})

const PageColumn = Closed('PageColumn', {
  body: Markdown(10_000, 'The text of the column'),
  file_id: Type.Optional(Nullable(Id('fil'))),
  alt: Alt,
})

const ColumnsBlock = Closed('ColumnsBlock', {
  type: OneOf(['columns'], 'Texts beside each other, each with an image or without one'),
  columns: Type.Array(PageColumn, { minItems: 2, maxItems: 4 }),
})

const ButtonBlock = Closed('ButtonBlock', {
  type: OneOf(['button'], 'A link that looks like a button'),
  label: Line(60, 'What it says'),
  href: Href,
  style: Type.Optional(OneOf(['main', 'plain'], 'How much it stands out; main if it is left out')),
})

const QuoteBlock = Closed('QuoteBlock', {
  type: OneOf(['quote'], 'What somebody said'),
  quote: Words(2000, 'The quotation, as plain text'),
  author: Type.Optional(OptionalLine(120, 'Who said it')),
  about: Type.Optional(OptionalLine(120, 'Who that is')),
})

const FaqItem = Closed('FaqItem', { question: Line(300, 'The question'), answer: Markdown(5000, 'The answer') })

const FaqBlock = Closed('FaqBlock', {
  type: OneOf(['faq'], 'Questions whose answers open'),
  title: Title,
  items: Type.Array(FaqItem, { minItems: 1, maxItems: 50 }),
})

const SpacerBlock = Closed('SpacerBlock', {
  type: OneOf(['spacer'], 'Space between blocks'),
  size: Type.Optional(OneOf(['small', 'medium', 'large'], 'How much; medium if it is left out')),
})

const EmbedBlock = Closed('EmbedBlock', {
  type: OneOf(['embed'], 'A recording at another provider'),
  url: Line(500, 'The address of the recording, with https, at YouTube, Vimeo, Loom, Spotify or SoundCloud'),
  title: Line(200, 'What it is called, for people who do not see the player'),
})

const ofCatalogue = (prefix: 'crs' | 'dpr') => ({
  title: Title,
  category_id: Type.Optional(Nullable(Id('cat'))),
  tag: Type.Optional(Nullable(Tag)),
  ids: Type.Optional(
    Nullable(
      Type.Array(Id(prefix), { minItems: 1, maxItems: 24, uniqueItems: true, description: 'These, in this order' }),
    ),
  ),
  limit: Limit(24),
})

const CoursesBlock = Closed('CoursesBlock', {
  type: OneOf(['courses'], 'Courses that are listed, the newest first'),
  ...ofCatalogue('crs'),
})

const ProductsBlock = Closed('ProductsBlock', {
  type: OneOf(['products'], 'Digital products that are listed, the newest first'),
  ...ofCatalogue('dpr'),
})

const PostsBlock = Closed('PostsBlock', {
  type: OneOf(['posts'], 'Published posts, the newest first'),
  title: Title,
  category_id: Type.Optional(Nullable(Id('pcg'))),
  tag: Type.Optional(Nullable(Tag)),
  ids: Type.Optional(
    Nullable(
      Type.Array(Id('pst'), { minItems: 1, maxItems: 24, uniqueItems: true, description: 'These, in this order' }),
    ),
  ),
  limit: Limit(24),
})

const EventsBlock = Closed('EventsBlock', {
  type: OneOf(['events'], 'Public events, those that come next first'),
  title: Title,
  ids: Type.Optional(
    Nullable(
      Type.Array(Id('evt'), { minItems: 1, maxItems: 24, uniqueItems: true, description: 'These, in this order' }),
    ),
  ),
  limit: Limit(24),
})

const PlansBlock = Closed('PlansBlock', {
  type: OneOf(['plans'], 'Membership plans that are listed, in the order of the school'),
  title: Title,
  ids: Type.Optional(
    Nullable(
      Type.Array(Id('mpl'), { minItems: 1, maxItems: 24, uniqueItems: true, description: 'These, in this order' }),
    ),
  ),
  limit: Limit(24),
})

const LecturersBlock = Closed('LecturersBlock', {
  type: OneOf(['lecturers'], 'Lecturers in the order of the school'),
  title: Title,
  ids: Type.Optional(Nullable(Type.Array(Id('lec'), { minItems: 1, maxItems: 24, uniqueItems: true }))),
  limit: Limit(24),
})

const ReviewsBlock = Closed('ReviewsBlock', {
  type: OneOf(['reviews'], 'Published reviews of listed courses, the newest first'),
  title: Title,
  course_id: Type.Optional(Nullable(Id('crs'))),
  limit: Limit(12),
})

const CheckoutBlock = Closed('CheckoutBlock', {
  type: OneOf(['checkout'], 'A price with a link to buy'),
  price_id: Id('prc'),
  label: Type.Optional(OptionalLine(60, 'What the link says; empty for the usual words')),
})

const FormBlock = Closed('FormBlock', {
  type: OneOf(['form'], 'A form with a link to its page, while it takes answers'),
  title: Title,
  form_id: Id('frm'),
})

/** A block of a page: typed data that the server renders, told apart by `type`. */
const PageBlock = Type.Union([
  TextBlock,
  ImageBlock,
  GalleryBlock,
  ColumnsBlock,
  ButtonBlock,
  QuoteBlock,
  FaqBlock,
  EmbedBlock,
  CoursesBlock,
  ProductsBlock,
  PlansBlock,
  PostsBlock,
  EventsBlock,
  LecturersBlock,
  ReviewsBlock,
  CheckoutBlock,
  FormBlock,
  HtmlBlock,
  SpacerBlock,
])

const MAX_BLOCKS = 100

/** The blocks of a page, from top to bottom. */
export const PageBlocks = Type.Array(PageBlock, {
  maxItems: MAX_BLOCKS,
  description: 'What the page shows, from top to bottom; at most 200 KB of JSON',
})

/** A block as it was sent. */
export type BlockInput = Static<typeof PageBlock>

/** The name of a kind of block. */
export type BlockType = BlockInput['type']
