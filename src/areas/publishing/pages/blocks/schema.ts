import Type, { type Static } from 'typebox'
import { Href } from '#src/areas/files/index.ts'
import { Tag } from '#src/contract/listing.ts'
import { Id, Line, Markdown, Nullable, OneOf, OptionalLine, Text, Words } from '#src/kit/shapes.ts'

const closed = { additionalProperties: false } as const

const Title = Type.Optional(OptionalLine(120, 'A heading above it; empty for none'))
const Limit = (most: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: most, description: 'How many are shown at most; 6 if it is left out' }),
  )
const Alt = Type.Optional(
  OptionalLine(300, 'What the image shows, for people who do not see it; empty for a decoration'),
)
const Caption = Type.Optional(OptionalLine(300, 'A line below the image'))

const TextBlock = Type.Object(
  { type: OneOf(['text'], 'Text'), body: Markdown(50_000, 'The text') },
  { ...closed, title: 'TextBlock' },
)

const HtmlBlock = Type.Object(
  {
    type: OneOf(['html'], 'Text in HTML'),
    html: Text(50_000, 'HTML; it is stored as it is after sanitizing, without scripts, styles and forms'),
  },
  { ...closed, title: 'HtmlBlock' },
)

const ImageBlock = Type.Object(
  {
    type: OneOf(['image'], 'One image'),
    file_id: Id('fil'),
    alt: Alt,
    caption: Caption,
    href: Type.Optional(Nullable(Href)),
  },
  { ...closed, title: 'ImageBlock' },
)

const GalleryImage = Type.Object(
  { file_id: Id('fil'), alt: Alt, caption: Caption },
  { ...closed, title: 'GalleryImage' },
)

const GalleryBlock = Type.Object(
  { type: OneOf(['gallery'], 'Several images'), images: Type.Array(GalleryImage, { minItems: 1, maxItems: 50 }) },
  { ...closed, title: 'GalleryBlock' },
)

const PageColumn = Type.Object(
  {
    body: Markdown(10_000, 'The text of the column'),
    file_id: Type.Optional(Nullable(Id('fil'))),
    alt: Alt,
  },
  { ...closed, title: 'PageColumn' },
)

const ColumnsBlock = Type.Object(
  {
    type: OneOf(['columns'], 'Texts beside each other, each with an image or without one'),
    columns: Type.Array(PageColumn, { minItems: 2, maxItems: 4 }),
  },
  { ...closed, title: 'ColumnsBlock' },
)

const ButtonBlock = Type.Object(
  {
    type: OneOf(['button'], 'A link that looks like a button'),
    label: Line(60, 'What it says'),
    href: Href,
    style: Type.Optional(OneOf(['main', 'plain'], 'How much it stands out; main if it is left out')),
  },
  { ...closed, title: 'ButtonBlock' },
)

const QuoteBlock = Type.Object(
  {
    type: OneOf(['quote'], 'What somebody said'),
    quote: Words(2000, 'The quotation, as plain text'),
    author: Type.Optional(OptionalLine(120, 'Who said it')),
    about: Type.Optional(OptionalLine(120, 'Who that is')),
  },
  { ...closed, title: 'QuoteBlock' },
)

const FaqItem = Type.Object(
  { question: Line(300, 'The question'), answer: Markdown(5000, 'The answer') },
  { ...closed, title: 'FaqItem' },
)

const FaqBlock = Type.Object(
  {
    type: OneOf(['faq'], 'Questions whose answers open'),
    title: Title,
    items: Type.Array(FaqItem, { minItems: 1, maxItems: 50 }),
  },
  { ...closed, title: 'FaqBlock' },
)

const SpacerBlock = Type.Object(
  {
    type: OneOf(['spacer'], 'Space between blocks'),
    size: Type.Optional(OneOf(['small', 'medium', 'large'], 'How much; medium if it is left out')),
  },
  { ...closed, title: 'SpacerBlock' },
)

const EmbedBlock = Type.Object(
  {
    type: OneOf(['embed'], 'A recording at another provider'),
    url: Line(500, 'The address of the recording, with https, at YouTube, Vimeo, Loom, Spotify or SoundCloud'),
    title: Line(200, 'What it is called, for people who do not see the player'),
  },
  { ...closed, title: 'EmbedBlock' },
)

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

const CoursesBlock = Type.Object(
  { type: OneOf(['courses'], 'Courses that are listed, the newest first'), ...ofCatalogue('crs') },
  { ...closed, title: 'CoursesBlock' },
)

const ProductsBlock = Type.Object(
  { type: OneOf(['products'], 'Digital products that are listed, the newest first'), ...ofCatalogue('dpr') },
  { ...closed, title: 'ProductsBlock' },
)

const PostsBlock = Type.Object(
  {
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
  },
  { ...closed, title: 'PostsBlock' },
)

const EventsBlock = Type.Object(
  {
    type: OneOf(['events'], 'Public events, those that come next first'),
    title: Title,
    ids: Type.Optional(
      Nullable(
        Type.Array(Id('evt'), { minItems: 1, maxItems: 24, uniqueItems: true, description: 'These, in this order' }),
      ),
    ),
    limit: Limit(24),
  },
  { ...closed, title: 'EventsBlock' },
)

const PlansBlock = Type.Object(
  {
    type: OneOf(['plans'], 'Membership plans that are listed, in the order of the school'),
    title: Title,
    ids: Type.Optional(
      Nullable(
        Type.Array(Id('mpl'), { minItems: 1, maxItems: 24, uniqueItems: true, description: 'These, in this order' }),
      ),
    ),
    limit: Limit(24),
  },
  { ...closed, title: 'PlansBlock' },
)

const LecturersBlock = Type.Object(
  {
    type: OneOf(['lecturers'], 'Lecturers in the order of the school'),
    title: Title,
    ids: Type.Optional(Nullable(Type.Array(Id('lec'), { minItems: 1, maxItems: 24, uniqueItems: true }))),
    limit: Limit(24),
  },
  { ...closed, title: 'LecturersBlock' },
)

const ReviewsBlock = Type.Object(
  {
    type: OneOf(['reviews'], 'Published reviews of listed courses, the newest first'),
    title: Title,
    course_id: Type.Optional(Nullable(Id('crs'))),
    limit: Limit(12),
  },
  { ...closed, title: 'ReviewsBlock' },
)

const CheckoutBlock = Type.Object(
  {
    type: OneOf(['checkout'], 'A price with a link to buy'),
    price_id: Id('prc'),
    label: Type.Optional(OptionalLine(60, 'What the link says; empty for the usual words')),
  },
  { ...closed, title: 'CheckoutBlock' },
)

const FormBlock = Type.Object(
  {
    type: OneOf(['form'], 'A form with a link to its page, while it takes answers'),
    title: Title,
    form_id: Id('frm'),
  },
  { ...closed, title: 'FormBlock' },
)

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
