import type { IOptions } from 'sanitize-html'
import { absoluteAddress, type Linking, resolveAddress, sitePath } from './addresses.ts'
import { BLOCKS, FIGURES, INLINE, NOT_TEXT, TABLES } from './elements.ts'
import { headingFragment } from './headings.ts'

type Attributes = Record<string, string>

/** What a kind of text may contain. */
type Profile = {
  /** The number of the list, stored with each text; raise it with every change of what the profile lets through. */
  readonly version: number
  readonly allowed: IOptions
  /** Whether headings get generated ids. */
  readonly hasHeadingIds: boolean
  /** The rules of Markdown that are switched off, and whether a line end is a line break. */
  readonly markdown: { readonly without: readonly string[]; readonly breaks: boolean }
}

const without = (attributes: Attributes, name: string): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([key]) => key !== name))

const NUMBERS = ['width', 'height', 'start', 'colspan', 'rowspan']

const counted = (tagName: string, attribs: Attributes) => ({
  tagName,
  attribs: Object.fromEntries(
    Object.entries(attribs).filter(([name, value]) => !NUMBERS.includes(name) || /^\d{1,4}$/.test(value)),
  ),
})

const ADDRESS = { a: 'href', img: 'src' } as const

// Always in the same order, so that sanitizing again changes nothing, and the address is the first attribute.
const ALIGNED = /^(?:left|center|right)$/

// Alignment becomes a class, since the policy forbids styles.
const cell = (tagName: string, { style = '', align = '', class: _, ...attribs }: Attributes) => {
  const wanted = /(?:^|;)\s*text-align\s*:\s*(\w+)\s*(?:;|$)/i.exec(style)?.[1] ?? align
  const counts = counted(tagName, attribs)
  const side = wanted.toLowerCase()
  return ALIGNED.test(side) ? { tagName, attribs: { ...counts.attribs, class: `align-${side}` } } : counts
}

// Sanitizing again keeps the class.
const aligned = (tagName: string, attribs: Attributes) =>
  cell(tagName, { align: /^align-(\w+)$/.exec(attribs.class ?? '')?.[1] ?? '', ...attribs })

const linked =
  (tagName: Linking, allowedAddress: (text: string) => string | undefined, fixed: Attributes) =>
  (_: string, attribs: Attributes) => {
    const name = ADDRESS[tagName]
    const text = attribs[name]
    const address = text === undefined ? undefined : allowedAddress(text)
    const { attribs: attributes } = counted(tagName, without(without(attribs, name), 'rel'))
    return { tagName, attribs: address === undefined ? attributes : { [name]: address, ...attributes, ...fixed } }
  }

const imageWithSource: IOptions['exclusiveFilter'] = ({ tag, attribs }) => tag === 'img' && attribs.src === undefined

const attributes = {
  '*': ['lang', 'dir'],
  a: ['href', 'title', 'rel'],
  abbr: ['title'],
  img: ['src', 'alt', 'title', 'width', 'height'],
  ol: ['start'],
  th: ['colspan', 'rowspan', 'scope', 'class'],
  td: ['colspan', 'rowspan', 'class'],
  code: ['class'],
  details: ['open'],
}

const fragmentOr = (text: string, other: (text: string) => string | undefined): string | undefined =>
  text.startsWith('#') ? headingFragment(text) : other(text)

const lessonTexts: IOptions = {
  allowedTags: [...BLOCKS, ...INLINE, ...TABLES, ...FIGURES],
  nonTextTags: NOT_TEXT,
  allowedAttributes: attributes,
  allowedClasses: {
    code: [/^language-[\w+#-]{1,30}$/],
    th: ['align-left', 'align-center', 'align-right'],
    td: ['align-left', 'align-center', 'align-right'],
  },
  // Addresses are checked above, as a browser would parse them; this is the second check.
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowProtocolRelative: false,
  transformTags: {
    a: linked('a', text => fragmentOr(text, one => resolveAddress('a', one)), { rel: 'noopener noreferrer' }),
    img: linked('img', text => resolveAddress('img', text), {}),
    ol: counted,
    th: aligned,
    td: aligned,
  },
  exclusiveFilter: imageWithSource,
  disallowedTagsMode: 'discard',
  nestingLimit: 100,
}

const siteLink = (text: string): string | undefined =>
  fragmentOr(text, one => sitePath(one) ?? resolveAddress('a', one))

const siteTexts: IOptions = {
  ...lessonTexts,
  allowedAttributes: { ...attributes, img: [...attributes.img, 'loading'] },
  transformTags: {
    ...lessonTexts.transformTags,
    a: linked('a', siteLink, { rel: 'noopener noreferrer' }),
    img: linked('img', text => resolveAddress('img', text), { loading: 'lazy' }),
  },
}

const commentLink = (text: string): string | undefined => absoluteAddress(text, ['https:', 'http:'])

const commentTexts: IOptions = {
  ...lessonTexts,
  allowedTags: ['p', 'br', 'blockquote', 'pre', 'ul', 'ol', 'li', 'a', 'code', 'em', 's', 'strong'],
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'] },
  allowedClasses: {},
  allowedSchemes: ['https', 'http'],
  transformTags: { a: linked('a', commentLink, { rel: 'nofollow ugc noopener' }), ol: counted },
  nestingLimit: 20,
}

const allMarkdown = { without: [], breaks: false }

/**
 * The kinds of texts. Lessons and posts are written by people whom the school trusts with teaching, pages by its staff,
 * comments by anybody with an account.
 */
export const profiles = {
  lesson: { version: 2, allowed: lessonTexts, hasHeadingIds: true, markdown: allMarkdown },
  post: { version: 2, allowed: siteTexts, hasHeadingIds: true, markdown: allMarkdown },
  page: { version: 2, allowed: siteTexts, hasHeadingIds: true, markdown: allMarkdown },
  comment: {
    version: 1,
    allowed: commentTexts,
    hasHeadingIds: false,
    markdown: { without: ['heading', 'lheading', 'hr', 'table', 'image', 'reference'], breaks: true },
  },
} as const satisfies Readonly<Record<string, Profile>>

/** The name of a profile. */
export type ProfileName = keyof typeof profiles
