import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { Closed, Id, Instant, Line, Nullable, OneOf, Text } from '#src/kit/shapes.ts'
import { embedProviders } from './embeds.rules.ts'

/** The formats of a text. */
const bodyFormats = ['markdown', 'html'] as const

/** The maximum length of the text of a lesson. */
const MAX_BODY_LENGTH = 200_000

const Address = (description: string) => Type.String({ minLength: 1, maxLength: 2000, description })

const body = Text(
  MAX_BODY_LENGTH,
  'The text as written; not safe to display, use body_html. fil_… as an address refers to a file of the school',
)
const body_format = OneOf(bodyFormats, 'The markup of the text; HTML within Markdown is shown as text')
const language = Type.String({ minLength: 2, maxLength: 35, description: 'A language tag, such as pt or en-GB' })
const label = Line(100, 'The name of the captions in a menu')

const open = {
  embed_url: Nullable(Address('For an embed: the https address of the content, at one of the supported providers')),
  starts_at_local: Nullable(
    Type.String({
      pattern: '^2[01]\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d$',
      description: 'For a live lesson: when it begins, as local time in time_zone',
      examples: ['2027-03-04T18:30'],
    }),
  ),
  time_zone: Nullable(
    Type.String({ minLength: 1, maxLength: 64, description: 'The IANA time zone of starts_at_local' }),
  ),
  meeting_url: Nullable(Address('For a live lesson: the https address of the meeting')),
}

/** The writable fields of the content of a lesson; fields for another type of lesson are refused. */
export const ContentSettings = Type.Object({
  body,
  body_format,
  file_id: Nullable(Id('fil')),
  captions: Type.Array(Closed('NewCaptions', { language, label, file_id: Id('fil') }), {
    maxItems: 30,
    description: 'WebVTT files for a video or sound, one for each language',
  }),
  ...open,
})

const Captions = Closed('Captions', { language, label, file: FileView })

const Embed = Closed('Embed', {
  provider: OneOf(embedProviders, 'The provider'),
  url: Type.String({ description: 'The address of the player, for a frame' }),
})

/** The content of a lesson for those who may read it. */
export const contentFields = {
  body_html: Type.String({ description: 'The text as sanitized HTML, safe to display in a page' }),
  body: Type.Optional(body),
  body_format: Type.Optional(body_format),
  file: Nullable(FileView),
  captions: Type.Array(Captions),
  embed: Nullable(Embed),
  ...open,
  starts_at: Nullable(Instant),
}

/** The values of a change of content. */
export type ContentInput = Partial<Static<typeof ContentSettings>>

const VisibleContent = Type.Object(contentFields)

/** The values of the content in a response. */
export type ContentView = Static<typeof VisibleContent>
