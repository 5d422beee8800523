/** The elements of texts: paragraphs, headings and lists. */
export const BLOCKS = [
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

/** The elements within a line. */
export const INLINE = [
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

/** The elements of tables. */
export const TABLES = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td']

/** Images, and what can be opened. */
export const FIGURES = ['img', 'figure', 'figcaption', 'details', 'summary']

/** Elements that are removed with their content: it is not text for people, or some parsers read it in another way. */
export const NOT_TEXT = [
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
