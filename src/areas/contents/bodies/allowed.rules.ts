import type { IOptions } from 'sanitize-html'
import { idPattern } from '#src/kit/ids.ts'

/** The number of the allow-list below, stored with each text; raise it with every change. */
export const ALLOWED = 1

const TEXT = [
  'p',
  'br',
  'hr',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
]
const WORDS = [
  'a',
  'abbr',
  'b',
  'code',
  'del',
  'em',
  'i',
  'ins',
  'kbd',
  'mark',
  's',
  'small',
  'strong',
  'sub',
  'sup',
  'u',
]
const TABLES = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td']
const SHOWN = ['img', 'figure', 'figcaption', 'details', 'summary']

// Their content is not text for people, or some parsers read it in another way, so it is removed with them.
const NOT_TEXT = [
  'script',
  'style',
  'template',
  'noscript',
  'noembed',
  'noframes',
  'iframe',
  'object',
  'embed',
  'applet',
  'svg',
  'math',
  'xmp',
  'plaintext',
  'listing',
  'textarea',
  'select',
  'option',
  'title',
  'head',
  'canvas',
]

const fileId = new RegExp(idPattern('fil'))

const PROTOCOLS: Readonly<Record<string, readonly string[]>> = {
  a: ['https:', 'http:', 'mailto:', 'tel:'],
  img: ['https:'],
}

// An address as browsers parse it: absolute, a fragment of the page, or a file of the school by its id.
const addressOf = (tag: 'a' | 'img', text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  if (fileId.test(text) || (tag === 'a' && /^#[\w-]{1,100}$/.test(text))) return text
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return PROTOCOLS[tag]?.includes(url.protocol) && url.username === '' && url.password === '' ? url.href : undefined
}

type Attributes = Record<string, string>

const without = (attributes: Attributes, name: string): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([key]) => key !== name))

const NUMBERS = ['width', 'height', 'start', 'colspan', 'rowspan']

const counted = (tagName: string, attribs: Attributes) => ({
  tagName,
  attribs: Object.fromEntries(
    Object.entries(attribs).filter(([name, value]) => !NUMBERS.includes(name) || /^\d{1,4}$/.test(value)),
  ),
})

// Always in the same order, so that sanitizing again changes nothing.
const linked = (tagName: 'a' | 'img', name: 'href' | 'src') => (_: string, attribs: Attributes) => {
  const address = addressOf(tagName, attribs[name])
  const { attribs: kept } = counted(tagName, without(without(attribs, name), 'rel'))
  if (address === undefined) return { tagName, attribs: kept }
  return { tagName, attribs: { [name]: address, ...kept, ...(tagName === 'a' ? { rel: 'noopener noreferrer' } : {}) } }
}

/** The elements and attributes that a text may have; everything else is removed. */
export const allowList: IOptions = {
  allowedTags: [...TEXT, ...WORDS, ...TABLES, ...SHOWN],
  nonTextTags: NOT_TEXT,
  allowedAttributes: {
    '*': ['lang', 'dir'],
    a: ['href', 'title', 'rel'],
    abbr: ['title'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
    code: ['class'],
    details: ['open'],
  },
  allowedClasses: { code: [/^language-[\w+#-]{1,30}$/] },
  // Addresses are checked above, as a browser would parse them; this is the second check.
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowProtocolRelative: false,
  transformTags: { a: linked('a', 'href'), img: linked('img', 'src'), ol: counted, th: counted, td: counted },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && attribs.src === undefined,
  disallowedTagsMode: 'discard',
  nestingLimit: 100,
}
