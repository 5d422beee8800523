import Type from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { Price } from '#src/contract/price.ts'
import { ZonedTimeView } from '#src/kit/local-time.ts'
import { Nullable } from '#src/kit/shapes.ts'

const closed = { additionalProperties: false } as const

const { payment_type, amount, currency, interval, interval_count } = Price.properties

const CardPrice = Type.Object(
  { payment_type, amount, currency, interval, interval_count },
  { ...closed, title: 'PageCardPrice' },
)

const CardRating = Type.Object(
  {
    average: Type.Number({ minimum: 1, maximum: 5 }),
    count: Type.Integer({ minimum: 1, description: 'How many reviews it is the average of' }),
  },
  { ...closed, title: 'PageCardRating' },
)

const CardDate = Type.Object(
  { starts_at: ZonedTimeView, ends_at: ZonedTimeView },
  { ...closed, title: 'PageCardDate', description: 'When the next date of an event is' },
)

const Card = Type.Object(
  {
    id: Type.String({ description: 'The id of what it shows' }),
    path: Type.String({ description: 'The path of its page on the site' }),
    name: Type.String(),
    about: Type.String({ description: 'Plain text' }),
    image: Nullable(FileView),
    rating: Nullable(CardRating),
    price: Nullable(CardPrice),
    sold_out: Type.Boolean(),
    date: Nullable(CardDate),
  },
  { ...closed, title: 'PageCard' },
)

/** What the blocks of a page show of the school, as everybody sees it. */
export const PageCards = Type.Array(
  Type.Object(
    {
      block: Type.Integer({ minimum: 0, description: 'The index of the block' }),
      cards: Type.Array(Card),
    },
    { ...closed, title: 'PageBlockCards' },
  ),
  {
    description: 'With expand=cards: what blocks of courses, products, lecturers, reviews and prices show to everybody',
  },
)
