import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/storage/index.ts'
import { Id, Instant, Line, Nullable, OneOf, Text } from '#src/kit/shapes.ts'
import { embedProviders } from './embeds.rules.ts'

/** The formats of a text. */
export const bodyFormats = ['markdown', 'html'] as const

/** The maximum length of the text of a lesson. */
export const MAX_BODY_LENGTH = 200_000

const Address = (description: string) => Type.String({ minLength: 1, maxLength: 2000, description })

const body = Text(
  MAX_BODY_LENGTH,
  'The text as it was written; it is not safe to show, body_html is. fil_… as an address names a file of the school',
)
const body_format = OneOf(bodyFormats, 'What the text is written in; in Markdown HTML is text like any other')
const language = Type.String({ minLength: 2, maxLength: 35, description: 'A language tag, such as pt or en-GB' })
const label = Line(100, 'What the captions are called in a menu')

const open = {
  embed_url: Nullable(Address('Of an embed: the https address of what is shown, at one of the known providers')),
  starts_at_local: Nullable(
    Type.String({
      pattern: '^2[01]\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d$',
      description: 'Of a live lesson: when it begins, by the clock of time_zone',
      examples: ['2027-03-04T18:30'],
    }),
  ),
  time_zone: Nullable(
    Type.String({ minLength: 1, maxLength: 64, description: 'The IANA time zone of starts_at_local' }),
  ),
  meeting_url: Nullable(Address('Of a live lesson: the https address at which people meet')),
}

/** What can be written as the content of a lesson; what belongs to another type is refused. */
export const ContentSettings = Type.Object({
  body,
  body_format,
  file_id: Nullable(Id('fil')),
  captions: Type.Array(
    Type.Object({ language, label, file_id: Id('fil') }, { additionalProperties: false, title: 'NewCaptions' }),
    { maxItems: 30, description: 'WebVTT files for a video or sound, one for each language' },
  ),
  ...open,
})

const Captions = Type.Object({ language, label, file: FileView }, { additionalProperties: false, title: 'Captions' })

const Embed = Type.Object(
  {
    provider: OneOf(embedProviders, 'Who serves it'),
    url: Type.String({ description: 'The address of the player, for a frame' }),
  },
  { additionalProperties: false, title: 'Embed' },
)

/** What is shown of the content of a lesson to those who may read it. */
export const contentShown = {
  body_html: Type.String({ description: 'The text as HTML, cleaned: safe to show in a page' }),
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

const Shown = Type.Object(contentShown)

/** The values of a content that is shown. */
export type ContentView = Static<typeof Shown>
