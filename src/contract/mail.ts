import { texts } from '#src/texts/index.ts'
import { inEach, type Phrase } from './language.ts'

const titles = texts.contract.mail

/** Mails that a person may turn off, by one choice. */
export type MailChoice = {
  /** Its name: in `notifications` of the account, or for marketing the consent. */
  readonly key: string
  /** The mails, as the page names them on which a person turns them off. */
  readonly title: Phrase
  /** When they are sent, for the documentation of the API. */
  readonly description: string
}

/** New lessons; nobody gets these mails who did not turn them on. */
export const lessonsOpened: MailChoice = {
  key: 'lesson_opened',
  title: titles.lessonsOpened,
  description: 'When lessons become available; off by default',
}

/** Marketing; sent only to those who consented, and turning it off withdraws the consent. */
export const marketing: MailChoice = {
  key: 'marketing_consent',
  title: titles.marketing,
  description: 'News and offers of the school; off by default',
}

/** New versions of files that somebody bought. */
export const productsUpdated: MailChoice = {
  key: 'product_updated',
  title: titles.productsUpdated,
  description: 'When the school replaces files of products that you can download; on by default',
}

/** Replies to comments that somebody wrote. */
export const commentReplies: MailChoice = {
  key: 'comment_replied',
  title: titles.commentReplies,
  description: 'When somebody replies to a comment of yours; on by default',
}

/** Comments that wait for an answer. */
export const commentsWaiting: MailChoice = {
  key: 'comments_waiting',
  title: titles.commentsWaiting,
  description: 'Once a day, when comments on what you teach wait for an answer; on by default',
}

/** Reminders of events. */
export const eventReminders: MailChoice = {
  key: 'event_reminder',
  title: titles.eventReminders,
  description: 'A day and an hour before an event that you registered for; on by default',
}

/** The choices in `notifications` of the account, in the order of the API; one that is added here is on by default. */
export const notifications: readonly MailChoice[] = [
  lessonsOpened,
  productsUpdated,
  commentReplies,
  commentsWaiting,
  eventReminders,
]

/** A column of a table; without any heading the table has none. */
type MailColumn = { readonly heading?: Phrase; readonly align?: 'end' }

/**
 * A table in a mail, filled by the rows that are recorded under a name. Below them are those of `sums`: the total, and what
 * explains it.
 */
export type MailTable = { readonly rows: string; readonly columns: readonly MailColumn[]; readonly sums?: string }

/** The button of a mail: what it does, and the address that it leads to. */
export type MailButton = { readonly button: Phrase; readonly to: Phrase }

/** A paragraph in small print. */
type SmallPrint = { readonly small: Phrase }

/** A part of a mail, below its heading. */
export type MailPart = Phrase | MailTable | MailButton | SmallPrint

/**
 * What a mail says. `{name}` is filled in: values of the mail, and for every mail `{school}`, `{account}`, the address of the
 * account pages, and `{recorded}`, when it was recorded, in the time of its reader. A paragraph with only a code is highlighted.
 */
type MailText = {
  readonly subject: Phrase
  /** The news in a few words; by default the subject. */
  readonly heading?: Phrase
  readonly paragraphs: readonly MailPart[]
  /**
   * The choice by which a person turns off these mails, which each of them offers. Without it nobody can: codes, receipts, and
   * what concerns the security of an account.
   */
  readonly mute?: MailChoice
  /** Whether it is sent to learn whether a server accepts the mails of the school. */
  readonly isTest?: true
}

const link = inEach(() => '{link}')

/** The button that leads to the link of the mail. */
export const linkButton = (button: Phrase): MailButton => ({ button, to: link })

/** The button that leads to a page of the account, by default to its first one. */
export const accountButton = (button: Phrase, path = ''): MailButton => ({
  button,
  to: inEach(() => `{account}${path}`),
})

/** Small print. */
export const smallPrint = (small: Phrase): SmallPrint => ({ small })

/** A kind of mail. */
export type MailKind = MailText & { readonly name: string }

/** Rows of a table; every cell becomes one line. */
export type MailRows = readonly (readonly string[])[]

/** What fills in the sentences and tables of a mail. */
export type MailValues = Readonly<Record<string, string | MailRows>>

/** In a text that is attached: the address that mails come from, filled in when the mail is sent. */
export const SENDER = '{sender}'

/** A file that is attached to a mail: one of the school's storage by its row's id, a small text, or a text as a QR code. */
export type MailAttachment = {
  /** The name that the recipient sees. */
  readonly name: string
  /** Its media type, with parameters such as `method=REQUEST` of a calendar. */
  readonly type: string
} & ({ readonly file: string } | { readonly text: string } | { readonly qr: string })

/** Whether a part of a mail is a table. */
export const isTable = (part: MailPart): part is MailTable => 'columns' in part

/** Whether a part of a mail is a button. */
export const isButton = (part: MailPart): part is MailButton => 'button' in part

/** Whether a part of a mail is small print. */
export const isSmall = (part: MailPart): part is SmallPrint => 'small' in part

const phrasesIn = (part: MailPart): Phrase[] => {
  if (isTable(part)) return []
  if (isButton(part)) return [part.button, part.to]
  return [isSmall(part) ? part.small : part]
}

/** The sentences of a kind of mail, without the headings of its tables. */
export const listPhrases = ({ subject, heading, paragraphs }: MailText): Phrase[] => [
  subject,
  ...(heading === undefined ? [] : [heading]),
  ...paragraphs.flatMap(phrasesIn),
]

/** The names of the values that fill in a kind of mail, each once. */
export const listNames = (kind: MailText): string[] => {
  const texts = listPhrases(kind).flatMap(phrase => Object.values(phrase))
  return [...new Set(texts.flatMap(text => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)))]
}

/** Declares kinds of mail by name. Throws where a mail has more than one button. */
export const mailKinds = <const Texts extends Readonly<Record<string, MailText>>>(
  texts: Texts,
): { readonly [Name in keyof Texts]: Texts[Name] & { readonly name: string } } => {
  for (const [name, { paragraphs }] of Object.entries(texts))
    if (paragraphs.filter(isButton).length > 1) throw new Error(`the mail ${name} has more than one button`)
  const named = Object.entries(texts).map(([name, text]) => [name, { ...text, name }])
  return Object.fromEntries(named)
}

/** Finds kinds of mail by name; throws when two have one name. */
export const mailKindsByName = (kinds: readonly MailKind[]): ReadonlyMap<string, MailKind> => {
  const byName = new Map(kinds.map(kind => [kind.name, kind]))
  if (byName.size < kinds.length) throw new Error('two kinds of mail have the same name')
  return byName
}
