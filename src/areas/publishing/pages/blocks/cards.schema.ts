import Type from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { Price } from '#src/contract/price.ts'
import { ZonedTimeView } from '#src/kit/local-time.ts'
import { Closed, Nullable } from '#src/kit/shapes.ts'

const { payment_type, amount, currency, interval, interval_count } = Price.properties

const CardPrice = Closed('PageCardPrice', { payment_type, amount, currency, interval, interval_count })

const CardRating = Closed('PageCardRating', {
  average: Type.Number({ minimum: 1, maximum: 5 }),
  count: Type.Integer({ minimum: 1, description: 'How many reviews it is the average of' }),
})

const CardDate = Closed(
  'PageCardDate',
  { starts_at: ZonedTimeView, ends_at: ZonedTimeView },
  'When the next date of an event is',
)

const Card = Closed('PageCard', {
  id: Type.String({ description: 'The id of what it shows' }),
  path: Type.String({ description: 'The path of its page on the site' }),
  name: Type.String(),
  about: Type.String({ description: 'Plain text' }),
  image: Nullable(FileView),
  rating: Nullable(CardRating),
  price: Nullable(CardPrice),
  sold_out: Type.Boolean(),
  date: Nullable(CardDate),
})

/** What the blocks of a page show of the school, as everybody sees it. */
export const PageCards = Type.Array(
  Closed('PageBlockCards', {
    block: Type.Integer({ minimum: 0, description: 'The index of the block' }),
    cards: Type.Array(Card),
  }),
  {
    description: 'With expand=cards: what blocks of courses, products, lecturers, reviews and prices show to everybody',
  },
)
